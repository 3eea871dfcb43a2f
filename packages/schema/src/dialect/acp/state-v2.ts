import type { Issue } from '../../check/issue.ts';
import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState, RunState } from '../../wire/states.ts';
import type { Decoded } from '../dialect.ts';
import { finishAll, present } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { currentTurn, withTurn } from './memory.ts';
import type { AcpMemory, Turn } from './memory.ts';
import { passOver, remembered, wholeEvent } from './read-update.ts';
import type { Reading } from './read-update.ts';
import { begin, end, ended, leftBy, stopReasonOf } from './turn.ts';
import { metaOf } from './words.ts';
import type { AcpWords } from './words.ts';

/** What the session does as a whole. */
export interface AcpStateUpdate {
  readonly sessionUpdate: 'state_update';
  readonly state: 'running' | 'idle';
  readonly stopReason?: string;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** A run as the state of the session it brings about. */
export function writeRun(event: RunEvent, words: AcpWords): AcpStateUpdate {
  return { sessionUpdate: 'state_update', ...stateOf(event), _meta: metaOf(event, words) };
}

function stateOf(event: RunEvent): Pick<AcpStateUpdate, 'state' | 'stopReason'> {
  return event.state === 'running' ? { state: 'running' } : { state: 'idle', ...present({ stopReason: stopReasonOf(event) }) };
}

function agrees(body: Record<string, unknown>, event: RunEvent): boolean {
  const { state, stopReason } = stateOf(event);
  return body['state'] === state && (body['stopReason'] ?? undefined) === stopReason;
}

/**
 * The state of the session as a whole. `running` and `requires_action` begin a run where none is under way, `idle` ends it;
 * said again they say nothing new. `requires_action` says that a person is waited for; where no call says so itself, an
 * operation of the turn does.
 */
export function readState(reading: Reading): Decoded<AcpMemory> {
  const { body, path, context, memory } = reading;
  const mended: Issue[] = [];
  const whole = wholeEvent({ body, path, context }, mended, (event) => event.type === 'run' && agrees(body, event));
  if (whole !== undefined) return finishAll([whole], mended, remembered(memory, whole));
  switch (body['state']) {
    case 'running':
      return atWork(reading, false, mended);
    case 'requires_action':
      return atWork(reading, memory.asked.length === 0, mended);
    case 'idle':
      return atRest(reading, mended);
    case 'unknown':
      return passOver(mended);
    default:
      addIssue(mended, `${path}/state`, 'enum', 'must be one of running, idle, requires_action and was passed over.');
      return passOver(mended);
  }
}

function atWork(reading: Reading, asks: boolean, mended: Issue[]): Decoded<AcpMemory> {
  const { context, memory } = reading;
  const held = currentTurn(memory);
  const begun = held === undefined ? begin(context, memory, undefined) : undefined;
  const turn = held ?? (currentTurn((begun as { memory: AcpMemory }).memory) as Turn);
  const events: ProgressEvent[] = begun === undefined ? [] : [begun.event];
  const after = begun?.memory ?? memory;
  if (asks) events.push(turnEvent(reading, turn, 'blocked'));
  else if (turn.asks === true) events.push(turnEvent(reading, turn, 'running'));
  if (!asks || turn.asks === true) return finishAll(events, mended, after === memory ? undefined : after);
  return finishAll(events, mended, withTurn(after, { ...turn, asks: true }));
}

/** The foreground is at rest. Calls that are not said to go on in the background have no outcome left to come. */
function atRest(reading: Reading, mended: Issue[]): Decoded<AcpMemory> {
  const { body, path, context, memory } = reading;
  const turn = currentTurn(memory);
  if (turn === undefined) return passOver(mended);
  const run = end(context, turn.run, body['stopReason'], `${path}/stopReason`, mended);
  const goesOn = background(body['background']);
  const left = leftBy(memory, ({ toolCallId }) => !goesOn.has(toolCallId));
  return ended(reading, run, left, mended, turn.asks === true ? turnEvent(reading, turn, run.state) : undefined);
}

/** The calls, terminals and child sessions that go on while the foreground rests. */
function background(value: unknown): ReadonlySet<unknown> {
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return new Set(items.flatMap(({ toolCallId, terminalId, sessionId }) => [toolCallId, terminalId, sessionId]));
}

/** The turn itself as an operation: only ever there because it waited on a person. */
function turnEvent({ sessionId, body, context, words }: Reading, { run }: Turn, state: OperationState | RunState): OperationEvent {
  const { session, at } = context;
  return {
    type: 'operation',
    session,
    id: 'requires-action',
    run,
    at,
    state,
    kind: 'turn',
    ...(state === 'blocked' ? { blockedOn: { kind: 'other' as const } } : isFinal(state) ? undefined : { blockedOn: null }),
    native: nativeOf(words.name, body['state'], { sessionId }),
  };
}
