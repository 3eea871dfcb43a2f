import type { FeedState } from '../display/feed.ts';
import { findRun } from '../display/find-run.ts';
import type { SessionHost, ShownOperation } from '../display/session-link.ts';
import { heardUnder } from '../display/tree.ts';
import { findOperation } from './lookup.ts';
import { nestedUnder } from './nested-under.ts';

/** What is asked of the element that shows a session. */
export type Host = Pick<SessionHost, 'language' | 'operationId' | 'run'>;

/** The operation that a host names, as it stands in a session. */
export function findShown({ operationId, run, language }: Host, { session }: FeedState): ShownOperation | undefined {
  if (!session || operationId === undefined) return undefined;
  const key = typeof run === 'string' ? run : run?.run;
  const operation = findOperation(session.operations, operationId, key);
  if (!operation) return undefined;
  const known = typeof run === 'object' && run ? run : findRun(session.runs, operation.run ?? key);
  const nested = nestedUnder(session.operations, operation);
  return {
    operation,
    view: { now: Date.now(), connection: session.connection, run: known, heard: heardUnder(nested) },
    language,
    nested,
  };
}
