import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { cleanLine } from '../../check/text/clean-line.ts';
import { LIMITS } from '../../wire/limits.ts';
import { firstOf } from '../agent-stream.ts';
import { bodyOf, cardEvent, nextRevision } from '../card-event.ts';
import { present } from '../finish.ts';
import { mendNote, mendPlan, planWords } from '../mend-plan.ts';
import type { PlanWords } from '../mend-plan.ts';
import { runOf } from './memory.ts';
import type { ListItem, Reading } from './memory.ts';

/**
 * The list of the session. `TodoWrite` writes it whole, as does `update_plan` of Codex, whose hooks are given the same; the
 * Task tools write one task at a time, so what they said is kept until the next of them. A call counts once it has worked. A
 * word nobody knows is pending.
 */

const LIST_TOOLS = new Set(['TodoWrite', 'TodoRead', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList', 'update_plan']);
/** Tasks of the list that are remembered: more than a card can show. */
const MAX_TASKS = 200;
const WORDS = {
  text: 'content',
  status: planWords({ pending: 'pending', in_progress: 'in_progress', completed: 'completed', cancelled: 'cancelled', failed: 'failed' }),
};

const PLAN_WORDS = { text: 'step', status: WORDS.status };

/** True for a tool whose work is the list itself: it is no operation beside the card. */
export function isListTool(name: unknown): name is string {
  return typeof name === 'string' && LIST_TOOLS.has(name);
}

/**
 * What has to be kept of a call until it is known to have worked: of each text a little more than a card can show, so that
 * what is too long is still noted as that.
 */
export function keptInput(input: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(input)) return {};
  const { todos, plan, explanation, subject, taskId, status } = input;
  return present({
    todos: keptSteps(todos, WORDS.text),
    plan: keptSteps(plan, PLAN_WORDS.text),
    explanation: typeof explanation === 'string' ? explanation.slice(0, LIMITS.noteBytes + 1) : undefined,
    subject: keptStep(subject),
    taskId: isText(taskId, 1, LIMITS.id) ? taskId : undefined,
    status: keptWord(status),
  });
}

/** Null stands for whatever was no text. */
function keptSteps(value: unknown, text: string): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, LIMITS.planSteps + 1).map((item: unknown) => {
    const step = isObject(item) ? { [text]: item[text] ?? null, status: item['status'] ?? null } : { [text]: item, status: 'pending' };
    return { [text]: keptStep(step[text]) ?? null, status: keptWord(step['status']) ?? null };
  });
}

function keptStep(value: unknown): string | undefined {
  return typeof value === 'string' ? cleanLine(value.slice(0, 8 * LIMITS.stepBytes)).slice(0, LIMITS.stepBytes + 1) : undefined;
}

function keptWord(value: unknown): string | undefined {
  return isText(value, 0, LIMITS.word) ? value : undefined;
}

function written(reading: Reading, value: unknown, path: string, words: PlanWords = WORDS, note?: unknown): void {
  const { context, memory, events, mended } = reading;
  const plan = mendPlan(value, path, mended, words);
  if (plan === undefined) return;
  const revision = nextRevision(context, memory);
  events.push(cardEvent({ ...context, run: runOf(reading) }, revision, context.at, bodyOf(plan, mendNote(note, '/explanation', mended))));
  reading.memory = { ...memory, revision };
}

function changed(reading: Reading, list: readonly ListItem[]): void {
  reading.memory = { ...reading.memory, list };
  written(reading, list, '/tasks');
}

/** A call of one of the tools has worked. `result` is the structured answer, `text` the one the model reads. */
export function listCalled(reading: Reading, name: string, input: Readonly<Record<string, unknown>>, result: unknown, text?: string): void {
  const answer = isObject(result) ? result : {};
  switch (name) {
    case 'TodoWrite':
      return written(reading, input['todos'], '/todos');
    case 'update_plan':
      return written(reading, input['plan'], '/plan', PLAN_WORDS, input['explanation']);
    case 'TaskCreate': {
      const task = isObject(answer['task']) ? answer['task'] : {};
      const id = task['id'] ?? /#(\S{1,64}) created/.exec(text ?? '')?.[1];
      return taskCreated(reading, id, task['subject'] ?? input['subject']);
    }
    case 'TaskUpdate':
      if (answer['success'] !== false) taskUpdated(reading, input);
      return undefined;
    case 'TaskList':
      return Array.isArray(answer['tasks']) ? listRead(reading, answer['tasks']) : undefined;
    default:
      return undefined;
  }
}

/** A task was added. One that is known already is the same one. */
export function taskCreated(reading: Reading, id: unknown, subject: unknown, status = 'pending'): void {
  const content = keptStep(subject);
  const list = reading.memory.list ?? listHeld(reading, id, content);
  if (!isText(id, 1, LIMITS.id) || content === undefined)
    return addIssue(reading.mended, '/task', 'type', 'must have an id and a subject and was left out.');
  const known = list.find((item) => item.id === id);
  if (known !== undefined) {
    if (status !== 'pending' && known.status !== status)
      changed(
        reading,
        list.map((item) => (item === known ? { ...item, status } : item)),
      );
    return undefined;
  }
  if (list.length >= MAX_TASKS) return addIssue(reading.mended, '/task', 'too_many', `must be among ${MAX_TASKS} tasks and was left out.`);
  return changed(reading, [...list, { id, content, status }]);
}

/**
 * The list as the session's card shows it. Tasks are numbered, so where this one is the next, or stands under its number, none
 * was deleted and the others are in their places. Else nothing is known of them.
 */
function listHeld({ context }: Reading, id: unknown, content: string | undefined): readonly ListItem[] {
  const plan = context.held?.card.card?.plan ?? [];
  const place = typeof id === 'string' ? Number(id) : Number.NaN;
  if (place !== plan.length + 1 && plan[place - 1]?.step !== content) return [];
  return plan.map(({ step, status }, index) => ({ id: String(index + 1), content: step, status }));
}

function taskUpdated(reading: Reading, { taskId, subject, status }: Readonly<Record<string, unknown>>): void {
  const list = reading.memory.list ?? [];
  const known = list.find((item) => item.id === taskId);
  if (known === undefined)
    return addIssue(reading.mended, '/taskId', 'conflict', 'must be a task that was created before and was left out.');
  if (status === 'deleted')
    return changed(
      reading,
      list.filter((item) => item !== known),
    );
  const next = {
    ...known,
    content: typeof subject === 'string' ? subject : known.content,
    status: typeof status === 'string' ? status : known.status,
  };
  if (next.content === known.content && next.status === known.status) return undefined;
  return changed(
    reading,
    list.map((item) => (item === known ? next : item)),
  );
}

/** The whole list was read: it is what stands. */
function listRead(reading: Reading, tasks: readonly unknown[]): void {
  const list = firstOf(tasks, MAX_TASKS, '/tasks', reading.mended).flatMap((task): ListItem[] => {
    const content = isObject(task) ? keptStep(task['subject']) : undefined;
    if (!isObject(task) || !isText(task['id'], 1, LIMITS.id) || content === undefined) return [];
    return [{ id: task['id'], content, status: keptWord(task['status']) ?? 'pending' }];
  });
  if (JSON.stringify(list) !== JSON.stringify(reading.memory.list ?? [])) changed(reading, list);
}
