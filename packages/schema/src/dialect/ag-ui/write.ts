/** Our events as frames of AG-UI. */
import { isObject } from '../../check/guards.ts';
import { isFinal } from '../../wire/states.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import type { SessionView } from '../dialect.ts';
import { sameEvent } from '../same-event.ts';
import { operationKey, recordKey } from '../record-key.ts';
import { leftOpen, mergedOperation } from '../merged-operation.ts';
import { bracketOf, closing, isHeld, nativeWord, opening, ownId } from './brackets.ts';
import type { Bracket, Known } from './brackets.ts';
import { AG_UI_ACTIVITY, AG_UI_EVENT_KEY, HANDED_OVER, NAME, PROTOCOL, shownOf, slotOf } from './frames.ts';
import type { AgUiFrame } from './frames.ts';
import { isBetween, isOpen, openRun, writesRun } from './open-run.ts';
import { patchOf } from './patch-fields.ts';

/** Reads a frame back: what a frame alone says need not be carried beside it. */
export type ReadBack = (frame: AgUiFrame, run: string | undefined) => readonly ProgressEvent[];

type Timed = Pick<ProgressEvent, 'at'>;

/** The protocol's times are whole. */
function timestampOf({ at }: Timed): number {
  return Math.round(at);
}

/** True when the frame, read alone, is this very event. */
function says(frames: readonly AgUiFrame[], event: ProgressEvent, run: string | undefined, readBack: ReadBack): boolean {
  const [frame, ...others] = frames;
  if (frame === undefined || others.length > 0) return false;
  // What a run is handed over for stands in its frame as well, and was told before.
  const read = readBack(frame, run).filter(({ type }) => type === event.type);
  return read.length === 1 && read[0] !== undefined && sameEvent(read[0], { ...event, session: read[0].session });
}

/** The activity that carries an event whole: a new content, or the fields that changed where the peer holds the rest. */
function carried(event: ProgressEvent, isHeldThere: boolean): AgUiFrame {
  const activityType = AG_UI_ACTIVITY[event.type === 'card' ? 'card' : event.type === 'session' ? 'session' : 'operation'];
  const head = { timestamp: timestampOf(event), messageId: recordKey(event), activityType };
  if (isHeldThere) return { type: 'ACTIVITY_DELTA', ...head, patch: patchOf(event) };
  return { type: 'ACTIVITY_SNAPSHOT', ...head, content: event, replace: true };
}

function custom(event: ProgressEvent): AgUiFrame {
  return { type: 'CUSTOM', timestamp: timestampOf(event), name: AG_UI_EVENT_KEY, value: event };
}

/** An operation: what it opens or closes for any client, and the whole event for those who know it. */
export function writeOperation(event: OperationEvent, before: SessionView | undefined, readBack: ReadBack): readonly AgUiFrame[] {
  if (isSaidByRun(event)) return [];
  const held = before?.find(event.id, event.run);
  const isSameAttempt = held !== undefined && held.attempt === (event.attempt ?? 1);
  const now = mergedOperation(event, before);
  // Brackets live inside a run; the next one opens what still goes on.
  const shown = isBetween(before) ? [] : [...moved(held, now, before), ...resultOf(event)];
  if (says(shown, event, event.run, readBack)) return shown;
  const messageId = recordKey(event);
  return [...shown.map((frame) => shownOf(frame, messageId)), carried(event, isSameAttempt)];
}

/** Runs say what they were handed over for and that it was settled. */
function isSaidByRun(event: OperationEvent | Operation): boolean {
  const word = nativeWord(event);
  return (
    (word === HANDED_OVER && event.state === 'blocked') || (word === 'resume' && (event.state === 'running' || event.state === 'completed'))
  );
}

/** The brackets that change with an operation. `now` is undefined when it goes. */
function moved(held: Operation | undefined, now: (OperationEvent & Known) | undefined, before: SessionView | undefined): AgUiFrame[] {
  const was = held === undefined ? undefined : bracketOf(held);
  const is = now === undefined ? undefined : bracketOf(now);
  const of = now ?? held;
  if (of === undefined || isSame(was, is)) return [];
  const timestamp = timestampOf(now ?? { at: held?.updatedAt ?? 0 });
  const frames: AgUiFrame[] = [];
  const changes = (bracket: Bracket): boolean => bracket.kind !== 'step' || !isHeld(bracket, of, before);
  // What ends without its beginning having been told, as a stream picked up in the middle does, is closed only for a holder who knows no better.
  const closed = was ?? (before === undefined && now !== undefined ? endOf(now) : undefined);
  if (closed !== undefined && changes(closed)) frames.push(closing(closed, now, timestamp));
  if (is !== undefined && changes(is)) frames.push(opening(is, of, timestamp, parentOf(of, before)));
  return frames;
}

/** The bracket whose end the protocol's own word is. */
function endOf(now: OperationEvent & Known): Bracket | undefined {
  const id = ownId(now, 'subagentRunId');
  switch (nativeWord(now)) {
    case 'STEP_FINISHED': {
      const name = ownId(now, 'stepName');
      return name === undefined ? undefined : { kind: 'step', name, ...(id === undefined ? undefined : { owner: id }) };
    }
    case 'TOOL_CALL_END': {
      const call = ownId(now, 'toolCallId');
      return call === undefined ? undefined : { kind: 'call', id: call };
    }
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return id === undefined ? undefined : { kind: 'subagent', id };
    default:
      return undefined;
  }
}

function parentOf(of: Known, before: SessionView | undefined): Operation | undefined {
  const { parent } = of;
  return parent === undefined || parent === null ? undefined : before?.find(parent, of.run);
}

function isSame(a: Bracket | undefined, b: Bracket | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The result of one of the protocol's own calls. What it brought was not ours to keep. */
function resultOf(event: OperationEvent): AgUiFrame[] {
  const messageId = ownId(event, 'messageId');
  const toolCallId = ownId(event, 'toolCallId');
  if (nativeWord(event) !== 'TOOL_CALL_RESULT' || event.state !== 'completed' || messageId === undefined || toolCallId === undefined)
    return [];
  const owner = ownId(event, 'subagentRunId');
  return [
    {
      type: 'TOOL_CALL_RESULT',
      timestamp: timestampOf(event),
      ...(owner === undefined ? undefined : { subagentRunId: owner }),
      messageId,
      toolCallId,
      content: '',
      role: 'tool',
    },
  ];
}

/** What is no operation and no run. */
export function writeOther(
  event: Exclude<ProgressEvent, OperationEvent | RunEvent>,
  before: SessionView | undefined,
): readonly AgUiFrame[] {
  if (event.type === 'operation.clear') {
    const held = before?.find(event.id, event.run);
    const changed = isBetween(before) ? [] : moved(held, undefined, before);
    const frames = changed.map((frame) => ({ ...frame, timestamp: timestampOf(event) }));
    return [...frames.map((frame) => shownOf(frame, recordKey(event))), carried(event, false)];
  }
  return [carried(event, event.type === 'session' && before !== undefined && (before.title !== undefined || before.usage !== undefined))];
}

/** A run: the protocol has one at a time, and nothing may stand outside it. */
export function writeRun(event: RunEvent, before: SessionView | undefined, readBack: ReadBack): readonly AgUiFrame[] {
  if (isSaidByLater(event, before)) return [];
  const frame = writesRun(event, before) ? runFrame(event, before) : custom(event);
  if (frame.type === 'CUSTOM') {
    const frames = [...settled(event, before), frame];
    return openRun(before) === undefined ? between(event, frames) : frames;
  }
  // An error names no run: whoever reads it alone cannot know which.
  const isError = frame.type === 'RUN_ERROR';
  const isAlone = !isError || before !== undefined;
  const isSaid = isAlone && !asksForOurs(frame) && says([frame], event, isError ? event.run : undefined, readBack);
  const whole = isSaid ? frame : { ...frame, metadata: { [AG_UI_EVENT_KEY]: event } };
  if (frame.type === 'RUN_STARTED') return [whole, ...reopened(event, before)];
  return [...(isError ? [] : closedBy(event, before)), ...settled(event, before), whole];
}

/** What a run leaves open ends with it: readers of ours know, but the contents that others draw from must say so. */
function settled(event: RunEvent, before: SessionView | undefined): AgUiFrame[] {
  if (!isFinal(event.state)) return [];
  return leftOpen(event, before)
    .filter(({ id, run }) => before?.find(id, run)?.native?.protocol !== NAME)
    .map((each) => shownOf(carried(each, true), recordKey(each)));
}

/** A run that was handed over ends with the one that took it up, and readers know it from that. */
function isSaidByLater(event: RunEvent, before: SessionView | undefined): boolean {
  if (before?.runs.get(event.run)?.reason !== HANDED_OVER || !isFinal(event.state)) return false;
  const later = [...before.runs.values()].filter(
    ({ run, state, updatedAt }) => run !== event.run && state === event.state && updatedAt === event.at,
  );
  return later.some(({ reason }) => (event.reason ?? undefined) === reason);
}

/** True when a run is handed over for operations of ours too, of which the frame alone would be misread. */
function asksForOurs({ outcome }: AgUiFrame): boolean {
  const asked = isObject(outcome) ? outcome['interrupts'] : undefined;
  return Array.isArray(asked) && asked.some((each) => isObject(each) && typeof slotOf(each) === 'string');
}

/** Between two runs what there is to say is a small run of its own, which readers of ours pass by. */
export function between(event: ProgressEvent, frames: readonly AgUiFrame[]): readonly AgUiFrame[] {
  if (frames.length === 0) return frames;
  const head = { timestamp: timestampOf(event), threadId: event.session, runId: 'sitrep:between' };
  const messageId = recordKey(event);
  return [
    shownOf({ type: 'RUN_STARTED', ...head, protocolVersion: PROTOCOL }, messageId),
    ...frames,
    shownOf({ type: 'RUN_FINISHED', ...head, outcome: { type: 'success' } }, messageId),
  ];
}

function runFrame(event: RunEvent, before: SessionView | undefined): AgUiFrame {
  const timestamp = timestampOf(event);
  const head = { timestamp, threadId: event.session, runId: event.run };
  const held = before?.runs.get(event.run);
  switch (event.state) {
    case 'running': {
      if (event.reason === HANDED_OVER)
        return { type: 'RUN_FINISHED', ...head, outcome: { type: 'interrupt', interrupts: interrupts(event, before) } };
      if (held !== undefined && isOpen(held)) return custom(event);
      const parent = event.parent ?? undefined;
      return { type: 'RUN_STARTED', ...head, protocolVersion: PROTOCOL, ...(parent === undefined ? undefined : { parentRunId: parent }) };
    }
    case 'completed':
      return { type: 'RUN_FINISHED', ...head, outcome: { type: 'success' } };
    case 'cancelled':
      return { type: 'RUN_FINISHED', ...head, outcome: { type: 'cancelled' } };
    case 'failed':
      return { type: 'RUN_ERROR', timestamp, message: event.reason || 'The run failed.' };
    case 'interrupted':
      return { type: 'RUN_ERROR', timestamp, message: event.reason || 'The run ended without an outcome.', code: 'interrupted' };
  }
}

/** What the run waits for: its blocked operations, else the run itself, since the protocol wants at least one. */
function interrupts(event: RunEvent, before: SessionView | undefined): object[] {
  const blocked = [...(before?.operations.values() ?? [])].filter(({ state }) => state === 'blocked');
  const asked = blocked.filter(({ kind, native }) => kind !== 'subagent' || native?.state !== 'SUBAGENT_FINISHED').map(interruptOf);
  return asked.length > 0 ? asked : [{ id: event.run, reason: 'other', metadata: { [AG_UI_EVENT_KEY]: recordKey(event) } }];
}

const REASONS = { permission: 'tool_approval', question: 'input_required', auth: 'auth_required', other: 'other' } as const;

function interruptOf(operation: Operation): object {
  const { blockedOn } = operation;
  const toolCallId = ownId(operation, 'toolCallId');
  const owner = ownId(operation, 'subagentRunId');
  return {
    ...(owner === undefined ? undefined : { subagentRunId: owner }),
    id: blockedOn?.requestId ?? String(operation.id),
    reason: ownId(operation, 'reason') ?? REASONS[blockedOn?.kind ?? 'other'],
    ...(blockedOn?.prompt === undefined ? undefined : { message: blockedOn.prompt }),
    ...(toolCallId === undefined ? undefined : { toolCallId }),
    ...(isSaidByRun(operation) ? undefined : { metadata: { [AG_UI_EVENT_KEY]: operationKey(operation.id, operation.run) } }),
  };
}

/** The verifier takes no end of a run while something is open: each step once, each call, each subagent. */
function closedBy(event: RunEvent, before: SessionView | undefined): AgUiFrame[] {
  const timestamp = timestampOf(event);
  return [...openBrackets(before)].map(({ bracket, operation }) => {
    const goesOn = operation.run !== event.run || !isFinal(event.state);
    return shownOf(closing(bracket, goesOn ? operation : undefined, timestamp), recordKey(asEvent(operation, event)));
  });
}

/** What goes on from before the run is open in it too. */
function reopened(event: RunEvent, before: SessionView | undefined): AgUiFrame[] {
  const timestamp = timestampOf(event);
  return [...openBrackets(before)].flatMap(({ bracket, operation }) =>
    bracket.kind === 'call'
      ? []
      : [shownOf(opening(bracket, operation, timestamp, parentOf(operation, before)), recordKey(asEvent(operation, event)))],
  );
}

function* openBrackets(before: SessionView | undefined): Generator<{ readonly bracket: Bracket; readonly operation: Operation }> {
  const steps = new Set<string>();
  for (const operation of before?.operations.values() ?? []) {
    const bracket = bracketOf(operation);
    if (bracket === undefined) continue;
    const key = JSON.stringify(bracket);
    if (steps.has(key)) continue;
    steps.add(key);
    yield { bracket, operation };
  }
}

function asEvent({ updatedAt, ...record }: Operation, { session }: RunEvent): OperationEvent {
  return { type: 'operation', session, ...record, at: updatedAt };
}
