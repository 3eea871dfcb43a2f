import type { FeedState } from '../display/feed.ts';
import { findRun } from '../display/find-run.ts';
import type { SessionHost, SessionLink, ShownOperation, Sum } from '../display/session-link.ts';
import { findOperation } from './lookup.ts';
import { heardUnder } from '../display/tree.ts';
import { nestedUnder } from './nested-under.ts';
import { sessionSum } from './session-sum.ts';

/** What is asked of the element that shows a session. */
type Host = Pick<SessionHost, 'language' | 'operationId' | 'run'>;

/** A session that stands still: as it was when a server drew it. */
export class StillLink implements SessionLink {
  readonly state: FeedState;
  readonly #host: Host;

  constructor(host: Host, state: FeedState) {
    this.#host = host;
    this.state = state;
  }

  find(): ShownOperation | undefined {
    return findShown(this.#host, this.state);
  }

  sum(): Sum | undefined {
    return sumOf(this.#host, this.state);
  }

  retry(): void {}
}

/** What a pill says of a session, or of the run of it that its host names. */
export const sumOf = ({ language, run }: Host, state: FeedState): Sum =>
  sessionSum(state, language, typeof run === 'object' ? run?.run : run);

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
