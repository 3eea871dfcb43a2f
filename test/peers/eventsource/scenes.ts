import type { OperationEvent } from '@sitrep/schema/wire';

/** What is reported in the scenarios that both libraries of server-sent events are put through. */
export function operation(session: string, id: string, more: object): OperationEvent {
  return { type: 'operation', session, id, at: 1000, ...more };
}

/** Events of each scenario, in a session of its name. */
export const SCENES: Readonly<Record<string, (session: string) => OperationEvent[]>> = {
  burst: (s) => [
    operation(s, 'a', { seq: 1, state: 'running', title: 'Compile', total: 4, unit: 'files' }),
    ...[1, 2, 3, 4].map((current) => operation(s, 'a', { seq: current + 1, current })),
    operation(s, 'a', { seq: 6, state: 'completed' }),
  ],
  late: (s) => [
    operation(s, 'a', { seq: 1, state: 'running', title: 'Test' }),
    operation(s, 'a', { seq: 2, state: 'completed' }),
    operation(s, 'a', { seq: 3, state: 'running', title: 'Test again' }),
  ],
  amounts: (s) => [20, 20, 80, 40].map((current, seq) => operation(s, 'a', { seq, state: 'running', title: 'Copy', current, total: 100 })),
  concurrent: (s) => [
    operation(s, 'a', { state: 'running', title: 'bash' }),
    operation(s, 'b', { state: 'running', title: 'bash' }),
    operation(s, 'b', { state: 'completed' }),
    operation(s, 'a', { state: 'failed', error: { message: 'exit 2' } }),
  ],
  nested: (s) => [
    operation(s, 'outer', { state: 'running', title: 'Review' }),
    operation(s, 'middle', { state: 'running', title: 'Search', parent: 'outer' }),
    operation(s, 'inner', { state: 'running', title: 'grep', parent: 'middle' }),
  ],
  'cancel-completed': (s) => [
    operation(s, 'a', { state: 'running', title: 'Deploy', cancellable: true }),
    operation(s, 'a', { cancelRequested: true }),
    operation(s, 'a', { state: 'completed' }),
  ],
  denied: (s) => [operation(s, 'a', { state: 'denied', title: 'Delete', error: { message: 'not in this folder' } })],
  'unknown-state': (s) => [
    operation(s, 'a', { state: 'running', title: 'Wait' }),
    operation(s, 'a', { state: 'dreaming' }),
    operation(s, 'a', { message: 'still here' }),
  ],
};
