/**
 * AG-UI 1.0: runs, steps, tool calls, activities, subagents, conversations.
 *
 * In: one decoder for one thread, through all its runs. A tool call is pending while its arguments come, runs from
 * TOOL_CALL_END on (the arguments are complete, not the work), and is completed by its RESULT; that it failed stands only
 * in a conversation. What was never announced is refused once a run was seen to start, and nothing is made up for it. Steps
 * have only names: the times a name was used tell them apart. A run that ends in an interrupt is not over: it stays running
 * with the reason `interrupt`, what it asks about is blocked, and it ends with the run that takes it up. A run that was
 * stopped stops the calls it left without a result. Activities with a list of steps become the card; others that say where
 * they stand become operations, patched by RFC 6902; the rest are pictures. An error of a run counts for the run that is
 * under way, and an operation by that run's name carries its text.
 *
 * Out: our whole event is the content of an activity (`sitrep/operation`, `sitrep/card`, `sitrep/session`), a patch of it
 * where the peer holds the rest; runs carry it in `metadata`; what has neither place is a CUSTOM event. Beside it stands
 * what any client knows: a step by the operation's title, a subagent for the kind `subagent`, the start and the end of runs.
 * What was the protocol's own goes back as it came while it says all there is. No tool call is written that was not one of
 * its own: it would become part of the conversation the model reads. With the session at hand the strict verifier takes
 * every frame: a step name is open once, the end of a run closes what is open, the next opens what still goes on, and what
 * there is to say between two runs is a small run of its own. Who reports no runs writes their frames himself.
 *
 * Lost on the way out to a client that does not know ours: everything but names, beginnings and ends; that a step failed;
 * which of two operations of one title a step is; a run inside another. Not read, so not given back: arguments, results,
 * texts, reasoning, state, usage, which calls a client is still to make.
 */
import { isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { RunEvent } from '../wire/run.ts';
import { isFinal } from '../wire/states.ts';
import type { DecodeContext, Decoded, Dialect, Encoded, SessionView } from './dialect.ts';
import { refuse } from './finish.ts';
import { operationOfKey } from './record-key.ts';
import { guarded } from './guarded.ts';
import { between } from './ag-ui/carry.ts';
import { AG_UI_EVENT_KEY, NAME, slotOf } from './ag-ui/frames.ts';
import type { AgUiFrame } from './ag-ui/frames.ts';
import { NOTHING } from './ag-ui/memory.ts';
import type { AgUiMemory } from './ag-ui/memory.ts';
import { isBetween } from './ag-ui/open-run.ts';
import { readActivity, readActivityDelta } from './ag-ui/read-activity.ts';
import { readMessagesSnapshot } from './ag-ui/read-messages.ts';
import { readRunError, readRunFinished, readRunStarted } from './ag-ui/read-run.ts';
import { readStepFinished, readStepStarted, readSubagentError, readSubagentFinished, readSubagentStarted } from './ag-ui/read-step.ts';
import { chunkEnd, readToolArgs, readToolChunk, readToolEnd, readToolResult, readToolStart } from './ag-ui/read-tool.ts';
import { answer } from './ag-ui/reading-frame.ts';
import type { Reader, Reading } from './ag-ui/reading-frame.ts';
import { writeRun } from './ag-ui/write-run.ts';
import { writeOperation, writeOther } from './ag-ui/write.ts';
import { wholeEvent } from './whole-event.ts';
import { wordTable } from './word-table.ts';

export { AG_UI_ACTIVITY, AG_UI_EVENT_KEY } from './ag-ui/frames.ts';
export type { AgUiFrame } from './ag-ui/frames.ts';
export type { AgUiMemory } from './ag-ui/memory.ts';

const silent: Reader = (_, reading) => answer(reading, []);

const readCustom: Reader = (frame, reading) => {
  if (frame['name'] !== AG_UI_EVENT_KEY) return answer(reading, []);
  const event = wholeEvent(frame['value'], '/value', reading.context, reading.mended, () => true);
  return answer(reading, event === undefined ? [] : [event]);
};

/** Every type of the protocol. Those without progress in them are known and say nothing. */
const READERS = wordTable<Reader>({
  RUN_STARTED: readRunStarted,
  RUN_FINISHED: readRunFinished,
  RUN_ERROR: readRunError,
  STEP_STARTED: readStepStarted,
  STEP_FINISHED: readStepFinished,
  TOOL_CALL_START: readToolStart,
  TOOL_CALL_ARGS: readToolArgs,
  TOOL_CALL_END: readToolEnd,
  TOOL_CALL_CHUNK: readToolChunk,
  TOOL_CALL_RESULT: readToolResult,
  SUBAGENT_STARTED: readSubagentStarted,
  SUBAGENT_FINISHED: readSubagentFinished,
  SUBAGENT_ERROR: readSubagentError,
  ACTIVITY_SNAPSHOT: readActivity,
  ACTIVITY_DELTA: readActivityDelta,
  MESSAGES_SNAPSHOT: readMessagesSnapshot,
  CUSTOM: readCustom,
  ...Object.fromEntries(
    [
      // As producers from before 1.0 call their reasoning.
      'THINKING_START',
      'THINKING_END',
      'THINKING_TEXT_MESSAGE_START',
      'THINKING_TEXT_MESSAGE_CONTENT',
      'THINKING_TEXT_MESSAGE_END',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT',
      'TEXT_MESSAGE_END',
      'TEXT_MESSAGE_CHUNK',
      'STATE_SNAPSHOT',
      'STATE_DELTA',
      'RAW',
      'REASONING_START',
      'REASONING_MESSAGE_START',
      'REASONING_MESSAGE_CONTENT',
      'REASONING_MESSAGE_END',
      'REASONING_MESSAGE_CHUNK',
      'REASONING_END',
      'REASONING_ENCRYPTED_VALUE',
    ].map((type) => [type, silent]),
  ),
});

function readerOf(frame: unknown): Reader | undefined {
  return isObject(frame) && typeof frame['type'] === 'string' ? READERS[frame['type']] : undefined;
}

function decode(frame: unknown, context: DecodeContext, memory: AgUiMemory = NOTHING): Decoded<AgUiMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be an object with a type.');
  const reader = readerOf(frame);
  if (reader === undefined) {
    const { type } = frame;
    return refuse('/type', type === undefined ? 'required' : 'unknown_type', 'must be one of the event types of AG-UI 1.0.');
  }
  const mended: Issue[] = [];
  const slot = slotOf(frame);
  if (typeof slot === 'string') return shownOnly(frame, slot, { context, memory, mended }, reader);
  const own = slot === undefined ? undefined : ownRun(frame, slot, context, mended, reader);
  const reading = { context: own === undefined ? context : { ...context, run: own.run }, memory, mended };
  const read = reader(frame, reading);
  if (!read.ok) return read;
  const ended = chunkEnd(frame, reading);
  const events = [...(ended === undefined ? [] : [ended]), ...(own === undefined ? read.events : [own])];
  let after = read.memory ?? memory;
  // What one of our runs was handed over for is told by our own events.
  if (own !== undefined) after = { ...after, handed: memory.handed, interrupts: memory.interrupts };
  if (ended !== undefined && after.chunk === memory.chunk) after = { ...after, chunk: undefined };
  return answer(reading, events, after === memory ? undefined : after);
}

/** What is only shown here is carried whole elsewhere; but a call that is shown to start has started, in the run it is named by. */
function shownOnly(frame: Record<string, unknown>, key: string, reading: Reading, reader: Reader): Decoded<AgUiMemory> {
  if (frame['type'] !== 'TOOL_CALL_START') return answer(reading, []);
  const { context } = reading;
  const read = reader(frame, { ...reading, context: { ...context, run: context.run ?? operationOfKey(key)?.run }, mended: [] });
  return answer(reading, [], read.ok ? read.memory : undefined);
}

/** The run event beside a frame, if it says what the frame says. */
function ownRun(
  frame: Record<string, unknown>,
  slot: unknown,
  context: DecodeContext,
  mended: Issue[],
  reader: Reader,
): RunEvent | undefined {
  const path = `/metadata/${AG_UI_EVENT_KEY.replace('/', '~1')}`;
  const fits = (event: ProgressEvent): boolean => {
    if (event.type !== 'run') return false;
    const read = reader(frame, { context: { ...context, run: event.run }, memory: NOTHING, mended: [] });
    return read.ok && isSameRun(event, read.events);
  };
  const event = wholeEvent(slot, path, context, mended, fits);
  return event?.type === 'run' ? event : undefined;
}

/** An end is not a start, and nothing but a success is one. */
function isSameRun(event: RunEvent, read: readonly ProgressEvent[]): boolean {
  const run = read.find((each) => each.type === 'run');
  if (run === undefined || isFinal(event.state) !== isFinal(run.state)) return false;
  return (event.state === 'completed') === (run.state === 'completed');
}

/** Reads one frame alone, as a stranger would. */
function readBack(frame: AgUiFrame, run: string | undefined): readonly ProgressEvent[] {
  const read = decode(frame, { session: 'session', at: 0, run });
  return read.ok && read.mended === undefined ? read.events : [];
}

function encode(event: ProgressEvent, before?: SessionView): Encoded<AgUiFrame> {
  if (event.type === 'run') return writeRun(event, before, readBack);
  const frames = event.type === 'operation' ? writeOperation(event, before, readBack) : writeOther(event, before);
  return isBetween(before) ? between(event, frames) : frames;
}

/** The dialect of AG-UI. */
export const agUi: Dialect<AgUiFrame, DecodeContext, AgUiMemory> = guarded({
  name: NAME,
  whole: ['operation', 'operation.clear', 'card', 'run', 'session'],
  detect: (frame) => readerOf(frame) !== undefined && isObject(frame) && Object.keys(frame).length > 1,
  decode,
  encode,
});
