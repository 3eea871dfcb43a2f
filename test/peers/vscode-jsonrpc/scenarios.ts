import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';

/** One notification of the protocol, or a wait for a cancel. */
export type Step = { readonly token: string | number; readonly value: object } | 'wait';

const begin = (token: string | number, fields: object = {}): Step => ({ token, value: { kind: 'begin', title: 'Index', ...fields } });
const report = (token: string | number, fields: object): Step => ({ token, value: { kind: 'report', ...fields } });
const end = (token: string | number, fields: object = {}): Step => ({ token, value: { kind: 'end', ...fields } });

/** In the protocol's own words. */
export const THEIRS: Readonly<Record<string, readonly Step[]>> = {
  burst: [
    begin('t', { percentage: 0 }),
    ...Array.from({ length: 20 }, (_, index) => report('t', { percentage: (index + 1) * 5, message: `${index + 1} of 20` })),
    end('t'),
  ],
  late: [begin('t'), end('t', { message: 'done' }), report('t', { percentage: 90, message: 'late' })],
  amounts: [begin('t', { percentage: 50 }), report('t', { percentage: 50 }), report('t', { percentage: 20 })],
  concurrent: [begin(1), begin('1'), report(1, { percentage: 10 }), report('1', { percentage: 90 }), end('1')],
  cancel: [begin('t', { cancellable: true }), 'wait', end('t')],
  'unknown-state': [begin('t'), { token: 't', value: { kind: 'suspend' } }],
  silence: [begin('t')],
};

const op = (fields: Partial<OperationEvent>): OperationEvent => ({ type: 'operation', session: 'server', id: 'a', at: 1, ...fields });

/** The same in our words, and what the protocol has no words for. */
export const OURS: Readonly<Record<string, readonly (ProgressEvent | 'wait')[]>> = {
  burst: [
    op({ state: 'running', title: 'Index', total: 20, current: 0, unit: 'files', seq: 1 }),
    ...Array.from({ length: 20 }, (_, index) => op({ current: index + 1, message: `${index + 1} of 20`, seq: index + 2 })),
    op({ state: 'completed', seq: 22 }),
  ],
  amounts: [op({ state: 'running', title: 'Index', total: 10, current: 5 }), op({ current: 5 }), op({ current: 2 })],
  concurrent: [
    op({ id: 1, state: 'running', title: 'Index', current: 1, total: 10 }),
    op({ id: '1', state: 'running', title: 'Index', current: 9, total: 10 }),
    op({ id: '1', state: 'completed' }),
  ],
  nested: [
    op({ id: 'a', state: 'running', title: 'A' }),
    op({ id: 'b', parent: 'a', state: 'running', title: 'B' }),
    op({ id: 'c', parent: 'b', state: 'running', title: 'C' }),
    op({ id: 'b', state: 'failed', error: { message: 'no' } }),
  ],
  cancel: [op({ state: 'running', title: 'Index', cancellable: true }), 'wait', op({ state: 'completed' })],
  'cancel-in-run': [
    op({ id: 7, run: 'r1', state: 'running', title: 'Index', cancellable: true, current: 1, total: 4 }),
    op({ id: 7, run: 'r1', message: 'a.ts' }),
    'wait',
    op({ id: 7, run: 'r1', attempt: 2, state: 'running' }),
    { type: 'operation.clear', session: 'server', id: 7, run: 'r1', at: 2 },
  ],
  denied: [op({ state: 'denied', title: 'Delete', reason: 'policy' })],
};
