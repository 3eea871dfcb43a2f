/**
 * What producers put where a protocol lets them put anything: a list of steps, or an object that says where some work
 * stands. Read by the members that are common, and only where they say something certain.
 */
import { isNumber, isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { Card } from '../wire/card.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState } from '../wire/states.ts';
import { bodyOf } from './card-event.ts';
import { present } from './finish.ts';
import { mendNote, mendPlan, planWords } from './mend-plan.ts';
import { readText } from './reading.ts';
import { wordTable } from './word-table.ts';

type Content = Readonly<Record<string, unknown>>;

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

/** The body of a card, when the content holds a list of steps; undefined when it holds none. */
export function looseCard(content: Content, path: string, mended: Issue[]): Card | null | undefined {
  const member = LISTS.find((name) => Array.isArray(content[name]));
  if (member === undefined) return undefined;
  const list = (content[member] as readonly unknown[]).slice(0, LIMITS.planSteps + 1).map(asStep);
  const plan = mendPlan(list, `${path}/${member}`, mended, { text: 'step', status: STATUS });
  return bodyOf(plan, mendNote(content['markdown'] ?? content['note'], `${path}/markdown`, mended));
}

function asStep(item: unknown): unknown {
  if (!isObject(item)) return item;
  const member = TEXTS.find((name) => typeof item[name] === 'string');
  return { step: member === undefined ? undefined : item[member], status: item['status'] ?? item['state'] ?? 'pending' };
}

const STATES = wordTable<OperationState>({
  pending: 'pending',
  queued: 'pending',
  running: 'running',
  in_progress: 'running',
  inProgress: 'running',
  active: 'running',
  loading: 'running',
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
});

/** What the content says of an operation, and its own word for the state. */
export interface LooseOperation {
  readonly word: string;
  readonly said: { readonly [Key in keyof OperationEvent]?: OperationEvent[Key] };
}

/** Without a word for where it stands a content is a picture, not work: undefined. A word nobody knows is pending. */
export function looseOperation(content: Content, name: unknown, path: string, mended: Issue[]): LooseOperation | undefined {
  const word = [content['status'], content['state']].find((value) => typeof value === 'string');
  if (word === undefined) return undefined;
  const state = STATES[word];
  if (state === undefined) addIssue(mended, `${path}/status`, 'enum', 'is a word nobody knows here and was read as pending.');
  return {
    word,
    said: present({
      state: state ?? 'pending',
      title: readText(content['title'] ?? content['name'] ?? name, LIMITS.title, `${path}/title`, mended),
      message: readText(content['message'] ?? content['description'], LIMITS.message, `${path}/message`, mended),
      ...amounts(content),
    }),
  };
}

/** Amounts only where their scale is certain: done of a total, a part of 1, or what is named a percentage. */
function amounts(content: Content): Pick<OperationEvent, 'current' | 'total' | 'fraction'> {
  const { progress, total } = content;
  const current = content['current'] ?? content['completed'] ?? progress;
  if (isNumber(total, Number.MIN_VALUE, Number.MAX_VALUE) && Number.isFinite(current)) return { current: current as number, total };
  if (isNumber(progress, 0, 1)) return { fraction: progress };
  const percent = content['percent'] ?? content['percentage'];
  return isNumber(percent, 0, 100) ? { fraction: percent / 100 } : {};
}
