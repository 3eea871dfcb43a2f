import type { OperationEvent, ProgressEvent } from '@sitrep/schema';

const STATES = ['pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'denied', 'interrupted'] as const;
const ENDS = ['completed', 'failed', 'cancelled', 'interrupted'] as const;

/**
 * A session of several runs, with work in them, between them and across them, in the order a disciplined producer would
 * write it, and some of it late. The same for the same seed.
 */
export function randomSession(seed: number): ProgressEvent[] {
  let state = seed * 7919 + 1;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  let at = 1000;
  const events: ProgressEvent[] = [];
  const event = (run: string | undefined, id: string | number): OperationEvent => ({
    type: 'operation',
    session: 'chat-1',
    ...(run === undefined ? {} : { run }),
    id,
    // What sort of work it is does not change.
    kind: id === 'a' || id === 'c' ? 'subagent' : 'tool',
    at: (at += 1),
    ...(below(12) === 0 ? { attempt: 2 } : {}),
    ...(below(3) === 0 ? {} : { state: pick(STATES) }),
    ...(below(4) === 0 ? { blockedOn: { kind: 'question' } } : {}),
    ...(below(4) === 0 ? { waitingOn: { text: 'a slot' } } : {}),
    ...(below(2) === 0 ? { title: pick(['Build', 'Test', null]) } : {}),
    ...(below(4) === 0 ? { parent: pick(['a', 'b']) } : {}),
    ...(below(3) === 0 ? { current: below(100), message: pick(['src', null]) } : {}),
  });
  const work = (run: string | undefined): OperationEvent => event(run, pick(['a', 'b', 'c', 7, '7']));
  const other = (): ProgressEvent =>
    pick<() => ProgressEvent>([
      () => ({ type: 'card', session: 'chat-1', revision: below(20) + 1, at: (at += 1), card: pick([null, { markdown: 'Note' }]) }),
      () => ({ type: 'session', session: 'chat-1', at: (at += 1), title: pick(['Chat', null]) }),
      () => ({ type: 'operation.clear', session: 'chat-1', id: pick(['a', 'b', 7]), at: (at += 1) }),
    ])();
  for (let index = 1; index <= 3; index++) {
    const run = `run-${index}`;
    events.push({ type: 'run', session: 'chat-1', run, state: 'running', at: (at += 1) });
    if (below(3) === 0) events.push({ type: 'run', session: 'chat-1', run: `${run}-in`, parent: run, state: 'running', at: (at += 1) });
    for (let count = below(14); count > 0; count--) events.push(below(5) === 0 ? other() : work(pick([run, run, `${run}-in`, undefined])));
    const isHanded = below(3) === 0;
    if (isHanded) events.push({ type: 'run', session: 'chat-1', run, state: 'running', reason: 'interrupt', at: (at += 1) });
    if (isHanded && below(2) === 0) {
      events.push(work(run), { type: 'run', session: 'chat-1', run, state: 'running', reason: null, at: (at += 1) }, work(run));
    }
    if (!isHanded || below(2) === 0) events.push({ type: 'run', session: 'chat-1', run, state: pick(ENDS), at: (at += 1) });
    for (let count = below(4); count > 0; count--) events.push(below(3) === 0 ? other() : work(pick([run, undefined])));
  }
  return events;
}
