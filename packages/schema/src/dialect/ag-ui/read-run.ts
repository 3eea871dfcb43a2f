/** Runs and what they are handed over for. */
import { addIssue } from '../../check/issue-list.ts';
import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { BlockedKind, RunState } from '../../wire/states.ts';
import type { RunEvent } from '../../wire/run.ts';
import { present, refuse } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { readText } from '../reading.ts';
import { wordTable } from '../word-table.ts';
import { HANDED_OVER, NAME, slotOf, STOPPED } from './frames.ts';
import { interruptId, subagentId } from './ids.ts';
import { KEPT, remember } from './memory.ts';
import type { AgUiMemory, OpenInterrupt } from './memory.ts';
import { answer, operationOf, runOf, timeOf } from './reading-frame.ts';
import type { Frame, Reader, Reading } from './reading-frame.ts';
import { readResults } from './read-messages.ts';

const OUTCOMES = wordTable<RunState>({
  success: 'completed',
  cancelled: 'cancelled',
});

function runEvent(frame: Frame, reading: Reading, run: string, state: RunState, said: Partial<RunEvent> = {}): RunEvent {
  return { type: 'run', session: reading.context.session, run, state, at: timeOf(frame, reading.context), ...said };
}

export const readRunStarted: Reader = (frame, reading) => {
  const run = reading.context.run ?? frame['runId'];
  if (!isText(run, 1, LIMITS.id)) return refuse('/runId', 'required', `must be text of 1 to ${LIMITS.id} characters that names the run.`);
  const { memory } = reading;
  const parent = isText(frame['parentRunId'], 1, LIMITS.id) ? frame['parentRunId'] : undefined;
  const answers = resumed(frame);
  const goesOn = memory.handed.includes(run);
  const next: AgUiMemory = {
    ...memory,
    run,
    isAnnounced: true,
    interrupts: [],
    handed: memory.handed.filter((each) => each !== run),
    steps: memory.steps.map((step) => ({ ...step, isOpen: false })),
    chunk: undefined,
  };
  const events: ProgressEvent[] = [
    // Before the run: what is known of an answer goes before what a start implies.
    ...memory.interrupts.map((open) => takenUp(frame, reading, open, answers.get(open.id))),
    runEvent(frame, reading, run, 'running', goesOn ? { reason: null } : present({ parent })),
    ...(isObject(frame['input']) ? readResults(frame['input']['messages'], frame, { ...reading, memory: next }, '/input/messages') : []),
  ];
  return answer(reading, events, next);
};

/** What was answered, by the id of the question, where the run says what it was started with. */
function resumed(frame: Frame): ReadonlyMap<unknown, unknown> {
  const entries = isObject(frame['input']) ? frame['input']['resume'] : undefined;
  if (!Array.isArray(entries)) return new Map();
  return new Map(
    entries
      .slice(0, KEPT.interrupts)
      .filter(isObject)
      .map((entry) => [entry['interruptId'], entry['status']]),
  );
}

/** A thread only goes on once its questions are settled: answered, or given up. */
function takenUp(frame: Frame, reading: Reading, open: OpenInterrupt, status: unknown): OperationEvent {
  const { session } = reading.context;
  const isGivenUp = status === 'cancelled';
  return {
    type: 'operation',
    session,
    id: open.operation,
    ...(open.run === undefined ? undefined : { run: open.run }),
    at: timeOf(frame, reading.context),
    state: isGivenUp ? 'cancelled' : open.isCall ? 'running' : 'completed',
    blockedOn: null,
    native: nativeOf(NAME, 'resume', { interruptId: open.id, toolCallId: open.isCall ? open.operation : undefined }),
  };
}

export const readRunFinished: Reader = (frame, reading) => {
  const run = reading.context.run ?? frame['runId'] ?? reading.memory.run;
  if (!isText(run, 1, LIMITS.id)) return refuse('/runId', 'required', `must be text of 1 to ${LIMITS.id} characters that names the run.`);
  const { outcome } = frame;
  // Producers from before outcomes existed send none when all went well.
  const word = isObject(outcome) ? outcome['type'] : outcome === undefined || outcome === null ? 'success' : outcome;
  if (word === HANDED_OVER) return handedOver(frame, reading, run, (outcome as Frame)['interrupts']);
  const state = typeof word === 'string' ? OUTCOMES[word] : undefined;
  if (state === undefined) {
    addIssue(
      reading.mended,
      '/outcome/type',
      'enum',
      'must be one of success, interrupt, cancelled and was read as an end without outcome.',
    );
    return over(frame, reading, run, 'interrupted', isText(word, 1, LIMITS.word) ? word : undefined);
  }
  return over(frame, reading, run, state, undefined, state === 'cancelled' ? stopped(frame, reading, run) : []);
};

/** Whoever stopped a turn stopped the calls that were under way in it; nobody else will say so. */
function stopped(frame: Frame, reading: Reading, run: string): OperationEvent[] {
  const { calls, handed } = reading.memory;
  const isOfTurn = (each: string | undefined): boolean => each === run || (each !== undefined && handed.includes(each));
  return calls
    .filter((call) => call.isOver !== true && isOfTurn(call.run))
    .map((call) => {
      const context = { ...reading.context, run: call.run };
      return operationOf(
        { type: STOPPED, timestamp: frame['timestamp'], toolCallId: call.id },
        { ...reading, context },
        call.id,
        { state: 'cancelled' },
        ['toolCallId'],
      );
    });
}

export const readRunError: Reader = (frame, reading) => {
  const run = runOf(reading);
  if (run === undefined) return refuse('', 'conflict', 'ends a run, but none was seen to start and the caller names none.');
  const message = readText(frame['message'], LIMITS.message, '/message', reading.mended);
  const code = readText(frame['code'], LIMITS.word, '/code', reading.mended);
  // A run carries no text; an operation by its name says why it failed, for a person to read.
  const why = { message: message === undefined || message === '' ? 'Failed without a message.' : message, ...present({ code }) };
  const event = operationOf(
    frame,
    { ...reading, context: { ...reading.context, run } },
    run,
    { state: 'failed', kind: 'turn', error: why },
    [],
  );
  return over(frame, reading, run, 'failed', code, [event]);
};

/** The end of a run, and with it of the runs whose turn it finished. */
function over(
  frame: Frame,
  reading: Reading,
  run: string,
  state: RunState,
  reason?: string,
  before: readonly ProgressEvent[] = [],
): ReturnType<Reader> {
  const said = reason === undefined || reason === '' ? undefined : { reason };
  const waiting = reading.memory.handed.filter((each) => each !== run);
  const memory = { ...reading.memory, run: undefined, handed: [], interrupts: [], chunk: undefined };
  const events = [
    ...before,
    runEvent(frame, reading, run, state, said),
    ...waiting.map((each) => runEvent(frame, reading, each, state, said ?? { reason: null })),
  ];
  return answer(reading, events, memory);
}

/** A run that ends in questions is not over: its turn waits on a person, and so do the operations the questions are about. */
function handedOver(frame: Frame, reading: Reading, run: string, interrupts: unknown): ReturnType<Reader> {
  const open: OpenInterrupt[] = [];
  const events: ProgressEvent[] = [];
  for (const [index, each] of (Array.isArray(interrupts) ? interrupts.slice(0, KEPT.interrupts) : []).entries()) {
    // What is blocked here is an operation of ours, which says so itself.
    if (isObject(each) && typeof slotOf(each) === 'string') continue;
    const found = isObject(each) ? blocked(frame, reading, run, each, `/outcome/interrupts/${index}`) : undefined;
    if (found === undefined) {
      addIssue(reading.mended, `/outcome/interrupts/${index}`, 'required', 'must be an object with an id and was left out.');
      continue;
    }
    open.push(found.open);
    events.push(found.event);
  }
  events.push(runEvent(frame, reading, run, 'running', { reason: HANDED_OVER }));
  const { memory } = reading;
  const handed = remember(memory.handed, run, (each) => each === run, KEPT.handed);
  return answer(reading, events, { ...memory, run: undefined, handed, interrupts: open, chunk: undefined });
}

function blocked(
  frame: Frame,
  reading: Reading,
  run: string,
  interrupt: Frame,
  path: string,
): { readonly open: OpenInterrupt; readonly event: OperationEvent } | undefined {
  const { id, reason, toolCallId, subagentRunId } = interrupt;
  const call = isText(toolCallId, 1, LIMITS.id) ? toolCallId : undefined;
  const operation = call ?? interruptId(id);
  if (operation === undefined || !isText(id, 1, LIMITS.id)) return undefined;
  const known = reading.memory.calls.find((each) => each.id === call);
  const word = isText(reason, 1, LIMITS.word) ? reason : undefined;
  const owner = subagentId(subagentRunId);
  const event: OperationEvent = {
    type: 'operation',
    session: reading.context.session,
    id: operation,
    run: known?.run ?? run,
    at: timeOf(frame, reading.context),
    state: 'blocked',
    ...(call === undefined ? { kind: 'question', ...present({ parent: owner }) } : undefined),
    blockedOn: {
      kind: kindOf(word, call !== undefined),
      requestId: id,
      ...present({ prompt: readText(interrupt['message'], LIMITS.message, `${path}/message`, reading.mended) }),
    },
    native: nativeOf(NAME, HANDED_OVER, { interruptId: id, reason: word, toolCallId: call, subagentRunId }),
  };
  return { open: { id, operation, run: known?.run ?? run, isCall: call !== undefined }, event };
}

/** The protocol leaves the reason open; a question about a tool call is an approval whatever word stands there. */
function kindOf(reason: string | undefined, isCall: boolean): BlockedKind {
  if (reason === undefined) return isCall ? 'permission' : 'other';
  if (/approv|permission|confirm/i.test(reason)) return 'permission';
  if (/\b(?:oauth|auth|login|sign_?in|credential)/i.test(reason)) return 'auth';
  if (isCall) return 'permission';
  return /input|question|choice|form|elicit/i.test(reason) ? 'question' : 'other';
}
