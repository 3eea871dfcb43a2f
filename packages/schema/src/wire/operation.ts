import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { OPERATION_STATES } from './states.ts';
import { Attempt, BlockedOn, Ext, Failure, Native, Sequence, Tool, Usage, WaitingOn } from './parts.ts';
import { clearable, Id, number, RunKey, SessionKey, text, time } from './scalars.ts';

/**
 * One invocation of anything that takes time, and the event that moves it. Sent by whoever runs the work; a receiver
 * merges it into the record with the same session, run and id, unless the ordering rules say it came too late.
 */

const State = Type.Enum([...OPERATION_STATES], { description: 'Where the operation stands. Only final states end it.' });
const title = text(LIMITS.title, 'What is being done, in a few words.');
const activeTitle = text(LIMITS.title, 'The same while it is going on: "Building project".');
const message = text(LIMITS.message, 'What it does right now. Stands beside the title, never instead of it.');
const current = number('Amount done, in `unit`.');
const total = number('Amount to do, in `unit`. Zero or less is read as unknown.');
const fraction = number('Part done, 0 to 1. Only where the source has no amounts.');
const unit = text(LIMITS.word, 'What is counted: "files", "bytes". Bytes are shown in the reader\'s own form.');
const kind = text(LIMITS.word, 'What sort of work it is: "tool", "task", "command", or another word.');
const reason = text(LIMITS.word, 'Why it is in this state, as a stable word: "timeout", "run_ended".');
const startedAt = time("When work began, epoch milliseconds by the producer's clock.");
const endedAt = time("When it ended, epoch milliseconds by the producer's clock.");
const cancellable = Type.Boolean({ description: 'True when a request to cancel would be honoured.' });
const cancelRequested = Type.Boolean({ description: 'True once somebody asked to cancel; the work may still finish.' });
const ambient = Type.Boolean({ description: 'True for background work that must not count as activity.' });

/** An operation event: what changed. Absent keeps, `null` clears. */
export const OperationEvent = Type.Object(
  {
    type: Type.Literal('operation'),
    session: SessionKey,
    id: Id,
    run: Type.Optional(RunKey),
    attempt: Type.Optional(Attempt),
    seq: Type.Optional(Sequence),
    at: time('When the producer wrote this, epoch milliseconds.'),
    state: Type.Optional(State),
    title: clearable(title),
    activeTitle: clearable(activeTitle),
    message: clearable(message),
    current: clearable(current),
    total: clearable(total),
    fraction: clearable(fraction),
    unit: clearable(unit),
    kind: clearable(kind),
    tool: clearable(Tool),
    parent: clearable(Id),
    reason: clearable(reason),
    error: clearable(Failure),
    blockedOn: clearable(BlockedOn),
    waitingOn: clearable(WaitingOn),
    startedAt: clearable(startedAt),
    endedAt: clearable(endedAt),
    cancellable: clearable(cancellable),
    cancelRequested: clearable(cancelRequested),
    ambient: clearable(ambient),
    usage: clearable(Usage),
    native: clearable(Native),
    ext: clearable(Ext),
  },
  { title: 'operation', description: 'What changed about one operation. Absent fields keep their value, null clears it.' },
);
export type OperationEvent = Type.Static<typeof OperationEvent>;

/** An operation as it stands: the reduced record, also inside a snapshot. */
export const Operation = Type.Object(
  {
    id: Id,
    run: Type.Optional(RunKey),
    attempt: Attempt,
    seq: Type.Optional(Sequence),
    state: State,
    updatedAt: time('When the newest applied event was written, epoch milliseconds.'),
    title: Type.Optional(title),
    activeTitle: Type.Optional(activeTitle),
    message: Type.Optional(message),
    current: Type.Optional(current),
    total: Type.Optional(total),
    fraction: Type.Optional(fraction),
    unit: Type.Optional(unit),
    kind: Type.Optional(kind),
    tool: Type.Optional(Tool),
    parent: Type.Optional(Id),
    reason: Type.Optional(reason),
    error: Type.Optional(Failure),
    blockedOn: Type.Optional(BlockedOn),
    waitingOn: Type.Optional(WaitingOn),
    startedAt: Type.Optional(startedAt),
    endedAt: Type.Optional(endedAt),
    cancellable: Type.Optional(cancellable),
    cancelRequested: Type.Optional(cancelRequested),
    ambient: Type.Optional(ambient),
    usage: Type.Optional(Usage),
    native: Type.Optional(Native),
    ext: Type.Optional(Ext),
  },
  { title: 'operation record', description: 'One operation as it stands.' },
);
export type Operation = Type.Static<typeof Operation>;
