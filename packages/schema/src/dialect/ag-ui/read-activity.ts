/** Activities: ours carry our events; of the peer's own, lists become the card, and what has a state becomes an operation. */
import { checkEvent } from '../../check/check-event.ts';
import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { jsonFault } from '../../check/json-size.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { CardEvent } from '../../wire/card.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { cardEvent, nextRevision } from '../card-event.ts';
import { refuse } from '../finish.ts';
import { applyJsonPatch, PATCHED_SIZE } from '../json-patch.ts';
import { looseCard, looseOperation } from '../loose-content.ts';
import { nativeOf } from '../native.ts';
import { operationOfKey } from '../record-key.ts';
import { rebound } from '../whole-event.ts';
import { isOwnActivity, NAME } from './frames.ts';
import { activityId } from './ids.ts';
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
  const place = operationOfKey(messageId);
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

/** A list of steps makes an activity a card, whatever the producer calls its type: the protocol leaves that open. */
function asCard(frame: Frame, reading: Reading, content: Frame): CardEvent | undefined {
  const { context, memory, mended } = reading;
  const card = looseCard(content, '/content', mended);
  if (card === undefined) return undefined;
  return cardEvent({ ...context, run: runOf(reading) }, nextRevision(context, memory), timeOf(frame, context), card);
}

/** Without a word for where it stands an activity is a picture, not work: nothing is made up. */
function asOperation(frame: Frame, reading: Reading, messageId: string, content: Frame): OperationEvent | undefined {
  const loose = looseOperation(content, frame['activityType'], '/content', reading.mended);
  const id = activityId(messageId);
  if (loose === undefined || id === undefined) return undefined;
  const event = operationOf(frame, reading, id, { kind: 'activity', ...loose.said }, ['messageId', 'activityType', 'subagentRunId']);
  return { ...event, native: { ...event.native, ...nativeOf(NAME, loose.word, event.native?.ids ?? {}) } };
}
