/** Runs: their start and end, what is closed and opened with them, and what they are handed over for. */
import { isObject } from '../../check/guards.ts';
import { isFinal } from '../../wire/states.ts';
import type { Operation } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import type { SessionView } from '../dialect.ts';
import { leftOpen } from '../merged-operation.ts';
import { operationKey, recordKey } from '../record-key.ts';
import { bracketOf, closing, opening, ownId, parentIn } from './brackets.ts';
import type { Bracket } from './brackets.ts';
import { between, carried, custom, isCarried, isSaidByRun, RUN_ERROR, says, timestampOf } from './carry.ts';
import type { ReadBack } from './carry.ts';
import { AG_UI_EVENT_KEY, HANDED_OVER, NAME, PROTOCOL, shownOf, slotOf, STOPPED } from './frames.ts';
import type { AgUiFrame } from './frames.ts';
import { isOpen, openRun, writesRun } from './open-run.ts';

/** A run: the protocol has one at a time, and nothing may stand outside it. */
export function writeRun(event: RunEvent, before: SessionView | undefined, readBack: ReadBack): readonly AgUiFrame[] {
  if (isSaidByLater(event, before)) return [];
  const frame = writesRun(event, before) ? runFrame(event, before) : custom(event);
  if (frame.type === 'CUSTOM') {
    const frames = [...settled(event, before), frame];
    return openRun(before) === undefined ? between(event, frames) : [...closedInside(event, before), ...frames];
  }
  // An error names no run: whoever reads it alone cannot know which.
  const isError = frame.type === RUN_ERROR;
  const isAlone = !isError || failureOf(event, before)?.native?.state === RUN_ERROR;
  const isSaid =
    isAlone && !asksForOurs(frame) && !stopsMore(event, before) && says([frame], event, isError ? event.run : undefined, readBack);
  const whole = isSaid ? frame : { ...frame, metadata: { [AG_UI_EVENT_KEY]: event } };
  if (frame.type === 'RUN_STARTED') return [whole, ...reopened(event, before)];
  return [...(isError ? [] : closedBy(event, before)), ...settled(event, before), whole];
}

/** What a run leaves open ends with it: readers of ours know, but the contents that others draw from must say so. */
function settled(event: RunEvent, before: SessionView | undefined): AgUiFrame[] {
  if (!isFinal(event.state)) return [];
  return leftOpen(event, before)
    .filter(({ id, run }) => isCarried(before?.find(id, run)))
    .map((each) => shownOf(carried(each, before?.find(each.id, each.run) ?? {}), recordKey(each)));
}

/** A run that was handed over ends with the one that took it up, and readers know it from that. */
function isSaidByLater(event: RunEvent, before: SessionView | undefined): boolean {
  if (before?.runs.get(event.run)?.reason !== HANDED_OVER || !isFinal(event.state)) return false;
  const later = [...before.runs.values()].filter(
    ({ run, state, updatedAt }) => run !== event.run && state === event.state && updatedAt === event.at,
  );
  return later.some(({ reason }) => (event.reason ?? undefined) === reason);
}

/** True when calls are open that a run which was stopped would stop, and of which nobody said so. */
function stopsMore(event: RunEvent, before: SessionView | undefined): boolean {
  return event.state === STOPPED && leftOpen(event, before).some(({ id, run }) => before?.find(id, run)?.native?.protocol === NAME);
}

/** True when a run is handed over for operations of ours too, of which the frame alone would be misread. */
function asksForOurs({ outcome }: AgUiFrame): boolean {
  const asked = isObject(outcome) ? outcome['interrupts'] : undefined;
  return Array.isArray(asked) && asked.some((each) => isObject(each) && typeof slotOf(each) === 'string');
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
      return { type: RUN_ERROR, timestamp, ...failure(event, before) };
    case 'interrupted':
      return { type: RUN_ERROR, timestamp, message: event.reason || 'The run ended without an outcome.', code: 'interrupted' };
  }
}

/** Why a run failed, where an operation by its name says so. */
function failureOf({ run }: RunEvent, before: SessionView | undefined): Operation | undefined {
  return before?.find(run, run);
}

function failure(event: RunEvent, before: SessionView | undefined): { readonly message: string; readonly code?: string } {
  const code = event.reason || undefined;
  const message = failureOf(event, before)?.error?.message ?? code ?? 'The run failed.';
  return code === undefined ? { message } : { message, code };
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
    return shownOf(closing(bracket, goesOn ? operation : undefined, timestamp), operationKey(operation.id, operation.run));
  });
}

/** What a run inside another leaves open is closed with it, unless somebody else holds the same step open. */
function closedInside(event: RunEvent, before: SessionView | undefined): AgUiFrame[] {
  if (!isFinal(event.state)) return [];
  const all = [...openBrackets(before, ({ run }) => run === event.run)];
  const others = new Set([...openBrackets(before, ({ run }) => run !== event.run)].map(({ bracket }) => JSON.stringify(bracket)));
  return all
    .filter(({ bracket }) => !others.has(JSON.stringify(bracket)))
    .map(({ bracket, operation }) => shownOf(closing(bracket, undefined, timestampOf(event)), operationKey(operation.id, operation.run)));
}

/** What goes on from before the run is open in it too. */
function reopened(event: RunEvent, before: SessionView | undefined): AgUiFrame[] {
  const timestamp = timestampOf(event);
  const opened = new Set<Operation>();
  const frames: AgUiFrame[] = [];
  for (const { bracket, operation } of openBrackets(before)) {
    if (bracket.kind === 'call') continue;
    const parent = parentIn(operation, before);
    const known = parent !== undefined && opened.has(parent) ? parent : undefined;
    frames.push(shownOf(opening(bracket, operation, timestamp, known), operationKey(operation.id, operation.run)));
    opened.add(operation);
  }
  return frames;
}

function* openBrackets(
  before: SessionView | undefined,
  isMeant: (operation: Operation) => boolean = () => true,
): Generator<{ readonly bracket: Bracket; readonly operation: Operation }> {
  const seen = new Set<string>();
  for (const operation of before?.operations.values() ?? []) {
    const bracket = isMeant(operation) ? bracketOf(operation) : undefined;
    const key = JSON.stringify(bracket);
    if (bracket === undefined || seen.has(key)) continue;
    seen.add(key);
    yield { bracket, operation };
  }
}
