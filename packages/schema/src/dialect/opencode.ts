/**
 * OpenCode's bus, as `/event` and plugins hand it out: `{id?, type, properties}`, in its second API `{type, data, durable?}`.
 * The stream is that of a project; read is one session of it, and what that session starts. A prompt becomes a run with the
 * name of the person's message; tool parts become operations named by their call; sessions of subagents become operations
 * that hold what they do, under the call that started them; `todo.updated` becomes the card.
 *
 * In: `error` is failed, or denied where a person refused it. A call that something is asked about is blocked until the
 * answer, whatever else is said of it. `retry` is a wait on a machine with the time of the next try, in the turn itself or in
 * the subagent it happens to. `session.next.tool.progress` is a part of the output and no amount: its newest line is the
 * message. An aborted turn is cancelled; what still comes of it is for the ordering rules. Writing the list is the card and no
 * operation beside it. Lists of subagents, priorities of steps, messages and files yield no event.
 *
 * In only: the bus is OpenCode's own. Its plugin tools report through a reporter of the harness.
 */
import { isObject, isText } from '../check/guards.ts';
import { sessionEvent, shortText, sumOf } from './agent-stream.ts';
import { bodyOf, cardEvent, nextRevision } from './card-event.ts';
import type { Decoded, Dialect } from './dialect.ts';
import { entryOf, hasEntry } from './entries.ts';
import { finishAll, present, refuse } from './finish.ts';
import { timeOfMs } from './foreign-time.ts';
import { guarded } from './guarded.ts';
import { mendPlan, planWords } from './mend-plan.ts';
import { childBegan } from './opencode/children.ts';
import { toolCalled, toolEnded, toolOutput, toolPart } from './opencode/calls.ts';
import { recalled } from './opencode/memory.ts';
import type { OpenCodeContext, OpenCodeMemory, Reading } from './opencode/memory.ts';
import { answered, asked } from './opencode/requests.ts';
import { failed, idle, statusChanged } from './opencode/turns.ts';
import { LIMITS } from '../wire/limits.ts';
import { wordTable } from './word-table.ts';

export type { OpenCodeContext } from './opencode/memory.ts';

/** An event of the bus. */
export interface OpenCodeFrame {
  readonly id?: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const NAME = 'opencode';

/** What a reader is given: the members of the event, and the number it has where it is kept. */
type Reader = (reading: Reading, properties: Record<string, unknown>) => OpenCodeMemory | undefined;

/** What is read, by type. Each answers the memory as it is afterwards, or nothing when it is the same. */
const READERS = wordTable<Reader>({
  'session.created': described,
  'session.updated': described,
  'session.status': statusChanged,
  'session.idle': idle,
  'session.error': failed,
  'message.updated': prompted,
  'message.part.updated': toolPart,
  'todo.updated': listed,
  'permission.asked': (reading, properties) => asked(reading, properties, 'permission'),
  'permission.v2.asked': (reading, properties) => asked(reading, properties, 'permission'),
  'question.asked': (reading, properties) => asked(reading, properties, 'question'),
  'question.v2.asked': (reading, properties) => asked(reading, properties, 'question'),
  'permission.replied': (reading, properties) => answered(reading, properties, properties['reply'] === 'reject' ? 'denied' : 'running'),
  'permission.v2.replied': (reading, properties) => answered(reading, properties, properties['reply'] === 'reject' ? 'denied' : 'running'),
  'question.replied': (reading, properties) => answered(reading, properties, 'running'),
  'question.v2.replied': (reading, properties) => answered(reading, properties, 'running'),
  'question.rejected': (reading, properties) => answered(reading, properties, 'cancelled'),
  'question.v2.rejected': (reading, properties) => answered(reading, properties, 'cancelled'),
  'session.next.tool.called': toolCalled,
  'session.next.tool.progress': toolOutput,
  'session.next.tool.success': (reading, properties) => toolEnded(reading, properties, 'completed'),
  'session.next.tool.failed': (reading, properties) => toolEnded(reading, properties, 'failed'),
  'session.next.shell.started': toolCalled,
  'session.next.shell.ended': (reading, properties) => toolEnded(reading, properties, 'completed'),
});

const LIST = {
  text: 'content',
  status: planWords({ pending: 'pending', in_progress: 'in_progress', completed: 'completed', cancelled: 'cancelled' }),
};

function membersOf(frame: Record<string, unknown>): Record<string, unknown> | undefined {
  const { properties, data } = frame;
  return isObject(properties) ? properties : isObject(data) ? data : undefined;
}

function decode(frame: unknown, context: OpenCodeContext, memory: OpenCodeMemory = recalled(context)): Decoded<OpenCodeMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be an event with a type and properties.');
  // The stream of all projects wraps each event.
  if (isObject(frame['payload']) && frame['type'] === undefined) return decode(frame['payload'], context, memory);
  const { type } = frame;
  if (typeof type !== 'string') return refuse('/type', type === undefined ? 'required' : 'type', 'must be text.');
  const properties = membersOf(frame);
  if (properties === undefined) return refuse('/properties', 'type', 'must be an object.');
  const read = READERS[type];
  if (read === undefined) return finishAll([], []);
  const at = timeOfMs(properties['time'] ?? properties['timestamp']) ?? context.at;
  const known = withMain(memory, context, properties);
  const reading: Reading = { context: { ...context, at }, memory: known, events: [], mended: [], seq: seqOf(frame) };
  const session = sessionOf(properties);
  if (session === undefined && type !== 'session.error') return refuse('/properties/sessionID', 'required', 'must name a session.');
  if (session !== undefined && isForeign(known, session, properties)) return finishAll([], []);
  const after = read(reading, properties) ?? known;
  return finishAll<OpenCodeMemory>(reading.events, reading.mended, after === memory ? undefined : after);
}

function seqOf({ durable }: Record<string, unknown>): number | undefined {
  const seq = isObject(durable) ? durable['seq'] : undefined;
  return Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : undefined;
}

function sessionOf({ sessionID, info, part }: Record<string, unknown>): string | undefined {
  const named =
    sessionID ?? (isObject(part) ? part['sessionID'] : undefined) ?? (isObject(info) ? (info['sessionID'] ?? info['id']) : undefined);
  return isText(named, 1, LIMITS.id) ? named : undefined;
}

/** The session that is read: the one the caller names, else the first that is nobody's child. */
function withMain(memory: OpenCodeMemory, context: OpenCodeContext, properties: Record<string, unknown>): OpenCodeMemory {
  const main = context.sessionID ?? memory.main;
  if (main !== undefined) return memory.main === main ? memory : { ...memory, main };
  const first = parentOfInfo(properties) === undefined ? sessionOf(properties) : undefined;
  return first === undefined || hasEntry(memory.children, first) ? memory : { ...memory, main: first };
}

function parentOfInfo({ info }: Record<string, unknown>): string | undefined {
  return isObject(info) && typeof info['parentID'] === 'string' && info['role'] === undefined ? info['parentID'] : undefined;
}

function isForeign(memory: OpenCodeMemory, session: string, properties: Record<string, unknown>): boolean {
  const isOurs = (id: string): boolean => id === memory.main || entryOf(memory.children, id) !== undefined;
  if (isOurs(session)) return false;
  const parent = parentOfInfo(properties);
  return parent === undefined || !isOurs(parent);
}

/** `session.created` and `session.updated`: what it is called, what it has used, whose child it is. */
function described(reading: Reading, properties: Record<string, unknown>): OpenCodeMemory | undefined {
  const { info } = properties;
  const { context, memory, events } = reading;
  if (!isObject(info) || typeof info['id'] !== 'string') return undefined;
  if (info['id'] !== memory.main)
    return childBegan(reading, info['id'], { title: shortText(info['title']), parent: parentOfInfo(properties) });
  const title = shortText(info['title']);
  const usage = usageOf(info);
  const about = JSON.stringify([title, usage]);
  if (about === memory.about) return undefined;
  events.push(sessionEvent(context, { title, usage }));
  return { ...memory, about };
}

function usageOf({ tokens, cost }: Record<string, unknown>): { tokens?: number; cost?: { amount: number; currency: string } } | undefined {
  if (!isObject(tokens)) return undefined;
  const cache = isObject(tokens['cache']) ? tokens['cache'] : {};
  const counts = [tokens['input'], tokens['output'], tokens['reasoning'], cache['read'], cache['write']];
  const sum = sumOf(counts);
  const paid = Number.isFinite(cost) && (cost as number) > 0 ? { amount: cost as number, currency: 'USD' } : undefined;
  return sum === 0 && paid === undefined ? undefined : { tokens: sum, ...present({ cost: paid }) };
}

/** `message.updated`: a newer message of the person names the turn that comes next. Ids of OpenCode sort by age. */
function prompted({ memory }: Reading, { info }: Record<string, unknown>): OpenCodeMemory | undefined {
  if (!isObject(info) || info['role'] !== 'user' || !isText(info['id'], 1, LIMITS.id) || info['sessionID'] !== memory.main)
    return undefined;
  const { id } = info;
  const newest = [memory.next, memory.run, memory.last].reduce<string>(
    (held, each) => (each !== undefined && each > held ? each : held),
    '',
  );
  return id > newest ? { ...memory, next: id } : undefined;
}

function listed(reading: Reading, properties: Record<string, unknown>): OpenCodeMemory | undefined {
  const { context, memory, events, mended } = reading;
  if (properties['sessionID'] !== memory.main) return undefined;
  const plan = mendPlan(properties['todos'], '/properties/todos', mended, LIST);
  if (plan === undefined) return undefined;
  const revision = nextRevision(context, memory);
  events.push(cardEvent({ ...context, run: context.run ?? memory.run }, revision, context.at, bodyOf(plan, undefined)));
  return { ...memory, revision };
}

function isOwn(frame: unknown): boolean {
  if (!isObject(frame)) return false;
  if (isObject(frame['payload']) && frame['type'] === undefined) return isOwn(frame['payload']);
  const { type } = frame;
  const properties = membersOf(frame);
  if (typeof type !== 'string' || READERS[type] === undefined || properties === undefined) return false;
  return sessionOf(properties) !== undefined || type === 'session.error';
}

/** The dialect of OpenCode's bus. */
export const openCode: Dialect<OpenCodeFrame, OpenCodeContext> = guarded({
  name: NAME,
  whole: [],
  only: 'in',
  detect: isOwn,
  decode,
  encode: () => [],
});
