import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { RUN_STATES } from './states.ts';
import { clearable, RunKey, SessionKey, text, time } from './scalars.ts';

/** One turn of the agent. It starts and ends; its end settles every operation of it that is still open. */

const State = Type.Enum([...RUN_STATES], { description: 'Where the run stands.' });
const parent = text(LIMITS.id, 'The run that started this one.');
const reason = text(LIMITS.word, 'Why it is in this state, as a stable word.');
const startedAt = time('When it began, epoch milliseconds.');
const endedAt = time('When it ended, epoch milliseconds.');

/** A run event. */
export const RunEvent = Type.Object(
  {
    type: Type.Literal('run'),
    session: SessionKey,
    run: RunKey,
    state: State,
    at: time('When this was written, epoch milliseconds.'),
    parent: clearable(parent),
    startedAt: clearable(startedAt),
    endedAt: clearable(endedAt),
    reason: clearable(reason),
  },
  { title: 'run', description: 'A run began, changed or ended.' },
);
export type RunEvent = Type.Static<typeof RunEvent>;

/** A run as it stands. */
export const Run = Type.Object(
  {
    run: RunKey,
    state: State,
    updatedAt: time('When the newest applied event was written, epoch milliseconds.'),
    parent: Type.Optional(parent),
    startedAt: Type.Optional(startedAt),
    endedAt: Type.Optional(endedAt),
    reason: Type.Optional(reason),
  },
  { title: 'run record', description: 'One run as it stands.' },
);
export type Run = Type.Static<typeof Run>;
