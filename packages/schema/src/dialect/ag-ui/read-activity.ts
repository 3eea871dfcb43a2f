/** Activities: ours carry our events; of the peer's own, lists become the card, and what has a state becomes an operation. */
import { checkEvent } from '../../check/check-event.ts';
import { isNumber, isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { jsonFault } from '../../check/json-size.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { OperationState } from '../../wire/states.ts';
import { bodyOf, cardEvent, nextRevision } from '../card-event.ts';
import { refuse } from '../finish.ts';
import { applyJsonPatch, PATCHED_SIZE } from '../json-patch.ts';
import { mendNote, mendPlan, planWords } from '../mend-plan.ts';
import { readText } from '../reading.ts';
import { rebound } from '../whole-event.ts';
import { isOwnActivity, NAME, textOf } from './frames.ts';
import { activityId, readOperationId } from './ids.ts';
import { KEPT, remember } from './memory.ts';
import type { AgUiMemory } from './memory.ts';
import { fieldsOf } from './patch-fields.ts';
import { answer, operationOf, runOf, timeOf } from './reading-frame.ts';
import type { Frame, Reader, Reading } from './reading-frame.ts';

export const readActivity: Reader = (frame, reading) => {
  const { messageId, content } = frame;
  if (typeof messageId !== 'string') return refuse('/messageId', 'required', 'must be text that names the activity.');
  if (!isObject(content)) return refuse('/content', 'type', 'must be an object.');
  if (isOwnActivity(frame['activityType'])) return own(content, reading, '/content');
  const held = reading.memory.activities.find((activity) => activity.id === messageId);
  // The peer leaves what is there alone.
  if (held !== undefined && frame['replace'] === false) return answer(reading, []);
  return shown(frame, reading, messageId, content);
};

export const readActivityDelta: Reader = (frame, reading) => {
  const { messageId, activityType, patch } = frame;
  if (typeof messageId !== 'string') return refuse('/messageId', 'required', 'must be text that names the activity.');
  if (isOwnActivity(activityType)) return ownPatch(messageId, patch, reading);
  const held = reading.memory.activities.find((activity) => activity.id === messageId);
  if (held === undefined) return refuse('/messageId', 'conflict', 'names an activity whose content is not known here.');
  const patched = applyJsonPatch(held.content, patch);
  if (!patched.ok) return refuse(patched.index < 0 ? '/patch' : `/patch/${patched.index}`, 'conflict', patched.rule);
  if (!isObject(patched.value)) return refuse('/patch', 'type', 'must leave an object.');
  return shown(frame, reading, messageId, patched.value);
};

function own(content: unknown, reading: Reading, path: string): ReturnType<Reader> {
  const checked = checkEvent(content);
  if (!checked.ok) return { ok: false, issues: checked.issues.map((issue) => ({ ...issue, path: path + issue.path })) };
  return answer(reading, [rebound(checked.value, reading.context)]);
}

/** A patch of an activity of ours: its operations are the fields that changed. */
function ownPatch(messageId: string, patch: unknown, reading: Reading): ReturnType<Reader> {
  const fields = fieldsOf(patch);
  if (fields === undefined) return refuse('/patch', 'type', 'must add or remove fields of the event.');
  const place = readOperationId(messageId);
  const { session } = reading.context;
  return own(
    place === undefined ? { ...fields, type: 'session', session } : { ...fields, type: 'operation', session, ...place },
    reading,
    '/patch',
  );
}

function shown(frame: Frame, reading: Reading, id: string, content: Frame): ReturnType<Reader> {
  const memory = withContent(reading, id, content);
  const card = asCard(frame, reading, content);
  if (card !== undefined) return answer(reading, [card], { ...memory, revision: card.revision });
  const operation = asOperation(frame, reading, id, content);
  return answer(reading, operation === undefined ? [] : [operation], memory);
}

function withContent({ memory, mended }: Reading, id: string, content: Frame): AgUiMemory {
  const isSame = (known: { readonly id: string }): boolean => known.id === id;
  if (jsonFault(content, PATCHED_SIZE) === undefined && id.length <= LIMITS.id)
    return { ...memory, activities: remember(memory.activities, { id, content }, isSame, KEPT.activities) };
  addIssue(mended, '/content', 'too_long', `must be at most ${PATCHED_SIZE} characters as JSON to be patched later.`);
  return { ...memory, activities: memory.activities.filter((known) => !isSame(known)) };
}

/** Members under which a list of steps is found, and the members a step's text may have. */
const LISTS = ['steps', 'plan', 'todos', 'tasks', 'entries'];
const TEXTS = ['step', 'title', 'text', 'content', 'description', 'name', 'task'];
const STATUS = planWords({
  pending: 'pending',
  in_progress: 'in_progress',
  inProgress: 'in_progress',
  running: 'in_progress',
  active: 'in_progress',
  completed: 'completed',
  complete: 'completed',
  done: 'completed',
  failed: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
});

/** A list of steps makes an activity a card, whatever the producer calls its type: the protocol leaves that open. */
function asCard(frame: Frame, reading: Reading, content: Frame): Extract<ProgressEvent, { type: 'card' }> | undefined {
  const member = LISTS.find((name) => Array.isArray(content[name]));
  if (member === undefined) return undefined;
  const { context, memory, mended } = reading;
  const list = (content[member] as readonly unknown[]).slice(0, LIMITS.planSteps + 1).map(asStep);
  const plan = mendPlan(list, `/content/${member}`, mended, { text: 'step', status: STATUS });
  const note = mendNote(content['markdown'] ?? content['note'], '/content/markdown', mended);
  const run = runOf(reading);
  return cardEvent({ ...context, run }, nextRevision(context, memory), timeOf(frame, context), bodyOf(plan, note));
}

function asStep(item: unknown): unknown {
  if (!isObject(item)) return item;
  const member = TEXTS.find((name) => typeof item[name] === 'string');
  return { step: member === undefined ? undefined : item[member], status: item['status'] ?? item['state'] ?? 'pending' };
}

const STATES: Readonly<Record<string, OperationState>> = Object.freeze({
  __proto__: null,
  pending: 'pending',
  queued: 'pending',
  running: 'running',
  in_progress: 'running',
  inProgress: 'running',
  active: 'running',
  waiting: 'waiting',
  paused: 'paused',
  completed: 'completed',
  complete: 'completed',
  done: 'completed',
  success: 'completed',
  failed: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
}) as never;

/** Without a word for where it stands an activity is a picture, not work: nothing is made up. */
function asOperation(frame: Frame, reading: Reading, messageId: string, content: Frame): OperationEvent | undefined {
  const word = textOf(content, 'status') ?? textOf(content, 'state');
  const id = activityId(messageId);
  if (word === undefined || id === undefined) return undefined;
  const { mended } = reading;
  const state = STATES[word];
  if (state === undefined) addIssue(mended, '/content/status', 'enum', 'is a word nobody knows here and was read as pending.');
  const event = operationOf(
    frame,
    reading,
    id,
    {
      state: state ?? 'pending',
      kind: 'activity',
      title: readText(content['title'] ?? content['name'] ?? frame['activityType'], LIMITS.title, '/content/title', mended),
      message: readText(content['message'] ?? content['description'], LIMITS.message, '/content/message', mended),
      ...amounts(content),
    },
    ['messageId', 'activityType', 'subagentRunId'],
  );
  return { ...event, native: { ...event.native, protocol: NAME, ...(isText(word, 1, LIMITS.word) ? { state: word } : undefined) } };
}

/** Amounts only where their scale is certain: done of a total, a part of 1, or what is named a percentage. */
function amounts(content: Frame): Pick<OperationEvent, 'current' | 'total' | 'fraction'> {
  const { progress, total } = content;
  const current = content['current'] ?? content['completed'] ?? progress;
  if (isNumber(total, Number.MIN_VALUE, Number.MAX_VALUE) && Number.isFinite(current)) return { current: current as number, total };
  if (isNumber(progress, 0, 1)) return { fraction: progress };
  const percent = content['percent'] ?? content['percentage'];
  return isNumber(percent, 0, 100) ? { fraction: percent / 100 } : {};
}
