import type { SessionIndex } from '../src/reduce/session-index.ts';
import type { CardEvent } from '../src/wire/card.ts';
import type { ProgressEvent } from '../src/wire/event.ts';
import type { Operation, OperationEvent } from '../src/wire/operation.ts';
import { OPERATION_STATES, RUN_STATES, STEP_STATES } from '../src/wire/states.ts';

/** One thing our events can say, and where to look for it once they were read again. The last event is the one that says it. */
export interface Probe {
  readonly name: string;
  readonly events: readonly ProgressEvent[];
  readonly look: (index: SessionIndex) => unknown;
  readonly expected: unknown;
}

const SESSION = 'chat-1';
const RUN: ProgressEvent = { type: 'run', session: SESSION, run: 'run-1', state: 'running', at: 1000 };
const BEGUN: OperationEvent = {
  type: 'operation',
  session: SESSION,
  run: 'run-1',
  id: 'call-1',
  at: 1000,
  seq: 1,
  state: 'running',
  title: 'Build',
  tool: { name: 'build', origin: 'native' },
};

/** The operation, by its id or, where the peer gave it another, by what is left of it there, or as the only one there is. */
function operation(index: SessionIndex): Operation | undefined {
  const all = [...index.operations.values()];
  const renamed = all.find(({ id }) => String(id).endsWith('call-1'));
  return all.find(({ id }) => id === 'call-1') ?? renamed ?? (all.length === 1 ? all[0] : undefined);
}

function said(
  name: string,
  fields: Partial<OperationEvent>,
  field: keyof Operation,
  expected: unknown = fields[field as keyof OperationEvent],
): Probe {
  return { name, events: [RUN, BEGUN, { ...pick(BEGUN), at: 2000, ...fields }], look: (index) => operation(index)?.[field], expected };
}

function pick({
  type,
  session,
  run,
  id,
}: OperationEvent): Pick<OperationEvent, 'type' | 'session' | 'id' | 'run' | 'seq'> & { at: number } {
  return { type, session, id, at: 2000, seq: 2, ...(run === undefined ? undefined : { run }) };
}

const place: readonly Probe[] = [
  { name: 'id', events: [RUN, BEGUN], look: (index) => operation(index)?.id, expected: 'call-1' },
  { name: 'id as a number', events: [RUN, { ...BEGUN, id: 7 }], look: (index) => [...index.operations.values()].at(-1)?.id, expected: 7 },
  { name: 'run', events: [RUN, BEGUN], look: (index) => operation(index)?.run, expected: 'run-1' },
  said('attempt', { attempt: 2, state: 'running' }, 'attempt'),
  said('seq', { seq: 9 }, 'seq'),
  {
    name: 'parent',
    events: [RUN, { ...BEGUN, id: 'call-0' }, { ...BEGUN, parent: 'call-0' }],
    look: (index) => index.find('call-1', 'run-1')?.parent ?? index.find('call-1')?.parent,
    expected: 'call-0',
  },
];

const states: readonly Probe[] = OPERATION_STATES.map((state) =>
  state === 'pending'
    ? { name: 'pending', events: [RUN, { ...BEGUN, state }], look: (index) => operation(index)?.state, expected: state }
    : said(state, { state }, 'state'),
);

const fields: readonly Probe[] = [
  { name: 'title', events: [RUN, BEGUN], look: (index) => operation(index)?.title, expected: 'Build' },
  said('activeTitle', { activeTitle: 'Building' }, 'activeTitle'),
  said('message', { message: 'main.ts' }, 'message'),
  said('current', { current: 3 }, 'current'),
  said('current of total', { current: 3, total: 8 }, 'total'),
  {
    name: 'a falling amount',
    events: [RUN, { ...BEGUN, current: 6, total: 8 }, { ...pick(BEGUN), current: 3 }],
    look: (index) => operation(index)?.current,
    expected: 3,
  },
  said('fraction', { fraction: 0.65 }, 'fraction'),
  said('unit', { current: 3, total: 8, unit: 'files' }, 'unit'),
  said('kind', { kind: 'task' }, 'kind'),
  { name: 'tool', events: [RUN, BEGUN], look: (index) => operation(index)?.tool?.name, expected: 'build' },
  said('reason', { state: 'failed', reason: 'timeout' }, 'reason'),
  said('error', { state: 'failed', error: { message: 'No disk' } }, 'error'),
  said('blocked on permission', { state: 'blocked', blockedOn: { kind: 'permission', prompt: 'Allow?' } }, 'blockedOn'),
  said('blocked on a question', { state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which?' } }, 'blockedOn'),
  said('blocked on a login', { state: 'blocked', blockedOn: { kind: 'auth', prompt: 'Sign in' } }, 'blockedOn'),
  said('waiting on', { state: 'waiting', waitingOn: { text: 'the queue' } }, 'waitingOn'),
  said('startedAt', { startedAt: 1500 }, 'startedAt'),
  said('endedAt', { state: 'completed', endedAt: 1900 }, 'endedAt'),
  said('cancellable', { cancellable: true }, 'cancellable'),
  said('cancelRequested', { cancelRequested: true }, 'cancelRequested'),
  said('ambient', { ambient: true }, 'ambient'),
  said('usage', { usage: { tokens: 12 } }, 'usage'),
  said('ext', { ext: { 'example.org': 1 } }, 'ext'),
  {
    name: 'clear',
    events: [RUN, BEGUN, { type: 'operation.clear', session: SESSION, run: 'run-1', id: 'call-1', at: 2000 }],
    look: (index) => index.operations.size,
    expected: 0,
  },
];

function card(revision: number, body: CardEvent['card']): CardEvent {
  return { type: 'card', session: SESSION, run: 'run-1', revision, at: 1000 + revision, card: body };
}

const cards: readonly Probe[] = [
  ...STEP_STATES.map((status): Probe => ({
    name: `step ${status}`,
    events: [
      RUN,
      card(4, {
        plan: [
          { step: 'Build', status },
          { step: 'Ship', status: 'pending' },
        ],
      }),
    ],
    look: (index) => index.card.card?.plan?.[0]?.status,
    expected: status,
  })),
  {
    name: 'step text',
    events: [RUN, card(4, { plan: [{ step: 'Build', status: 'pending' }] })],
    look: (index) => index.card.card?.plan?.[0]?.step,
    expected: 'Build',
  },
  {
    name: 'note',
    events: [RUN, card(4, { markdown: '**Half** done' })],
    look: (index) => index.card.card?.markdown,
    expected: '**Half** done',
  },
  {
    name: 'revision',
    events: [RUN, card(4, { plan: [{ step: 'Build', status: 'pending' }] })],
    look: (index) => index.card.revision || undefined,
    expected: 4,
  },
  {
    name: 'clearing the card',
    events: [RUN, card(4, { plan: [{ step: 'Build', status: 'pending' }] }), card(5, null)],
    look: (index) => (index.card.card === null ? 'none' : 'stays'),
    expected: 'none',
  },
];

const runs: readonly Probe[] = RUN_STATES.map((state) =>
  state === 'running'
    ? { name: 'run running', events: [RUN], look: (index) => [...index.runs.values()][0]?.state, expected: state }
    : {
        name: `run ${state}`,
        events: [RUN, { type: 'run', session: SESSION, run: 'run-1', state, at: 2000 }],
        look: (index) => [...index.runs.values()][0]?.state,
        expected: state,
      },
);

const about: readonly Probe[] = [
  {
    name: 'session title',
    events: [{ type: 'session', session: SESSION, at: 1000, title: 'A chat' }],
    look: (index) => index.title,
    expected: 'A chat',
  },
  {
    name: 'session usage',
    events: [{ type: 'session', session: SESSION, at: 1000, usage: { tokens: 5 } }],
    look: (index) => index.usage,
    expected: { tokens: 5 },
  },
];

/** Everything that is looked for, by what it is about, in the order of the table. */
export const PROBES: Readonly<Record<string, readonly Probe[]>> = {
  'the place of an operation': place,
  'the states of an operation': states,
  'the details of an operation': fields,
  'the card': cards,
  runs,
  'the session': about,
};
