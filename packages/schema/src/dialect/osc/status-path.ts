import type { OperationEvent } from '../../wire/operation.ts';
import type { Id } from '../../wire/scalars.ts';
import type { SessionView } from '../dialect.ts';
import { shortHash } from '../short-hash.ts';
import { isPath, isStatusWord } from './status-report.ts';

/**
 * Paths of our records: `run.<run>` for a run, below it an operation under the operations it is part of, and
 * `plan/<number>` for a step. What the alphabet does not take is written with a hash, so that two names never become one.
 */

/** First segment of the steps of the plan. */
export const PLAN = 'plan';
const RUN = 'run.';
/** Ancestors that are looked for at most: there may be a circle among them. */
const MAX_ANCESTORS = 128;

/** The path of a run. */
export function runPath(run: string): string {
  const segment = RUN + run;
  return isStatusWord(segment) ? segment : `${RUN}${shortHash(run)}`;
}

function segmentOf(id: Id): string {
  if (typeof id === 'string' && isStatusWord(id) && id !== PLAN && !id.startsWith(RUN)) return id;
  const readable = String(id)
    .replace(/[^A-Za-z0-9_.+-]+/g, '-')
    .slice(0, 16);
  return `${readable}-${shortHash(typeof id === 'number' ? `#${id}` : `$${id}`)}`.replace(/^run\./, 'run-');
}

/**
 * The path of an operation. Deeper or longer than the protocol allows, the ancestors nearest to it are left out: an id
 * names one operation of its run, wherever it stands.
 */
export function operationPath(event: Pick<OperationEvent, 'id' | 'run' | 'parent'>, before?: SessionView): string {
  const { id, run } = event;
  const ancestors: string[] = [];
  let { parent } = event;
  while (parent !== undefined && parent !== null && parent !== id && ancestors.length < MAX_ANCESTORS) {
    ancestors.unshift(segmentOf(parent));
    parent = before?.find(parent, run)?.parent;
  }
  const all = [...(run === undefined ? [] : [runPath(run)]), ...ancestors];
  const own = segmentOf(id);
  for (let kept = all.length; kept > 0; kept--) {
    const path = [...all.slice(0, kept), own].join('/');
    if (isPath(path)) return path;
  }
  return own;
}
