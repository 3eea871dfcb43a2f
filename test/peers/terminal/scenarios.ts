import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';

const op = (fields: Partial<OperationEvent>): OperationEvent => ({
  type: 'operation',
  session: 'chat-1',
  run: 'r1',
  id: 'a',
  at: 1,
  ...fields,
});
const run = (state: 'running' | 'completed' | 'failed'): ProgressEvent => ({ type: 'run', session: 'chat-1', run: 'r1', state, at: 1 });

/** What the program says, by scenario. */
export const SCENARIO_EVENTS: Readonly<Record<string, readonly ProgressEvent[]>> = {
  burst: [
    run('running'),
    op({ state: 'running', title: 'Copy', current: 0, total: 500 }),
    ...Array.from({ length: 500 }, (_, index) => op({ current: index + 1 })),
    op({ state: 'completed' }),
    run('completed'),
  ],
  late: [op({ state: 'running', title: 'A' }), op({ state: 'completed' }), op({ state: 'running', message: 'late' })],
  amounts: [op({ state: 'running', title: 'A', current: 5, total: 10 }), op({ current: 5 }), op({ current: 2 })],
  concurrent: [
    op({ id: 7, state: 'running', title: 'Build', current: 1, total: 2 }),
    op({ id: '7', state: 'running', title: 'Build', current: 1, total: 4 }),
    op({ id: '7', state: 'completed' }),
  ],
  nested: [
    run('running'),
    op({ id: 'a', state: 'running', title: 'A' }),
    op({ id: 'b', parent: 'a', state: 'running', title: 'B' }),
    op({ id: 'c', parent: 'b', state: 'blocked', title: 'C', blockedOn: { kind: 'permission', prompt: 'Allow it? ✓' } }),
  ],
  'cancel-completed': [op({ state: 'running', title: 'A' }), op({ cancelRequested: true }), op({ state: 'completed' })],
  denied: [op({ state: 'denied', title: 'Delete' })],
  silence: [op({ state: 'running', title: 'A' })],
};
