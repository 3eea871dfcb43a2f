/** Steps and subagents. */
import { LIMITS } from '../../wire/limits.ts';
import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { present, refuse } from '../finish.ts';
import { readText } from '../reading.ts';
import { textOf } from './frames.ts';
import { stepId, subagentId } from './ids.ts';
import { KEPT, remember } from './memory.ts';
import type { AgUiMemory, KnownStep } from './memory.ts';
import { answer, operationOf } from './reading-frame.ts';
import type { Frame, Reader, Reading } from './reading-frame.ts';

const STEP_IDS = ['stepName', 'subagentRunId'];
const SUBAGENT_IDS = ['subagentRunId', 'parentSubagentRunId', 'parentToolCallId', 'parentMessageId'];

function knownStep({ memory }: Reading, name: string, owner: string | undefined): KnownStep | undefined {
  return memory.steps.find((step) => step.name === name && step.owner === owner);
}

function withStep(memory: AgUiMemory, step: KnownStep): AgUiMemory {
  return { ...memory, steps: remember(memory.steps, step, ({ name, owner }) => name === step.name && owner === step.owner, KEPT.steps) };
}

const NO_NAME = `must be text of 1 to ${LIMITS.id} characters.`;

/** A step begins: its name is all it has, so the times the name was used tell one from the next. */
export const readStepStarted: Reader = (frame, reading) => {
  const { stepName } = frame;
  if (!isText(stepName, 1, LIMITS.id)) return refuse('/stepName', 'required', NO_NAME);
  const owner = textOf(frame, 'subagentRunId');
  const known = knownStep(reading, stepName, owner);
  if (known?.isOpen === true) return refuse('/stepName', 'conflict', 'names a step that is under way already.');
  const step: KnownStep = { name: stepName, ...present({ owner }), count: (known?.count ?? 0) + 1, isOpen: true };
  const title = readText(stepName, LIMITS.title, '/stepName', reading.mended);
  const said = { state: 'running' as const, kind: 'step', title };
  const event = operationOf(frame, reading, stepId(stepName, owner, step.count), said, STEP_IDS);
  return answer(reading, [event], withStep(reading.memory, step));
};

export const readStepFinished: Reader = (frame, reading) => {
  const { stepName } = frame;
  if (!isText(stepName, 1, LIMITS.id)) return refuse('/stepName', 'required', NO_NAME);
  const owner = textOf(frame, 'subagentRunId');
  const known = knownStep(reading, stepName, owner);
  if (known?.isOpen !== true && reading.memory.isAnnounced) return refuse('/stepName', 'conflict', 'names a step that is not under way.');
  const step: KnownStep = { name: stepName, ...present({ owner }), count: known?.count ?? 1, isOpen: false };
  const event = operationOf(frame, reading, stepId(stepName, owner, step.count), { state: 'completed' }, STEP_IDS);
  return answer(reading, [event], withStep(reading.memory, step));
};

function subagent(frame: Frame, reading: Reading, said: Parameters<typeof operationOf>[3]): ReturnType<Reader> {
  const id = subagentId(frame['subagentRunId']);
  if (id === undefined) return refuse('/subagentRunId', 'required', 'must be text that names the invocation.');
  return answer(reading, [operationOf(frame, reading, id, said, SUBAGENT_IDS)]);
}

export const readSubagentStarted: Reader = (frame, reading) => {
  const { parentToolCallId } = frame;
  const parent = subagentId(frame['parentSubagentRunId']) ?? (isText(parentToolCallId, 1, LIMITS.id) ? parentToolCallId : undefined);
  return subagent(frame, reading, {
    state: 'running',
    kind: 'subagent',
    title: readText(frame['name'], LIMITS.title, '/name', reading.mended),
    message: readText(frame['description'], LIMITS.message, '/description', reading.mended),
    ...present({ parent }),
  });
};

export const readSubagentFinished: Reader = (frame, reading) => {
  const { outcome } = frame;
  const word = isObject(outcome) ? outcome['type'] : outcome === undefined || outcome === null ? 'success' : outcome;
  if (word === 'success') return subagent(frame, reading, { state: 'completed' });
  if (word === 'suspended') return subagent(frame, reading, suspended(outcome));
  addIssue(reading.mended, '/outcome/type', 'enum', 'must be one of success, suspended and was read as an end without outcome.');
  return subagent(frame, reading, { state: 'interrupted', ...(isText(word, 1, LIMITS.word) ? { reason: word } : undefined) });
};

/** The subagent waits for an answer that the run asks for when it ends. */
function suspended(outcome: unknown): Pick<OperationEvent, 'state' | 'blockedOn'> {
  const ids: unknown = isObject(outcome) ? outcome['interruptIds'] : undefined;
  const requestId: unknown = Array.isArray(ids) ? ids[0] : undefined;
  return { state: 'blocked', blockedOn: { kind: 'other', ...(isText(requestId, 1, LIMITS.id) ? { requestId } : undefined) } };
}

export const readSubagentError: Reader = (frame, reading) => {
  const message = readText(frame['message'], LIMITS.message, '/message', reading.mended);
  const code = readText(frame['code'], LIMITS.word, '/code', reading.mended);
  const error = { message: message === undefined || message === '' ? 'Failed without a message.' : message, ...present({ code }) };
  return subagent(frame, reading, { state: 'failed', error });
};
