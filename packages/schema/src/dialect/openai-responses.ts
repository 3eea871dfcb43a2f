/**
 * The stream of OpenAI's Responses: `response.*` events with `sequence_number`, and the response itself, as it is answered to
 * a request that asks again (`object: "response"`). A response becomes a run with its id; what the service runs itself
 * (searches, code, images, MCP calls, containers, compaction) becomes operations named by the item; sub-phases are the reason
 * of `running`.
 *
 * In: sequence numbers order what is said of an item, so a stream that is resumed says nothing twice. `incomplete` is failed
 * with that reason. A call that the client is to run is not over when its arguments are: it waits on the client, outlives the
 * response, and ends with its output; where the next response begins without one, nobody said how. A request for an approval
 * blocks, and outlives the response too. A partial image is no amount. Text, reasoning and arguments yield no event. Tokens
 * of the responses of one stream are added up for the session.
 *
 * In only: nobody but the service writes this.
 */
import { isObject, isText } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import { LIMITS } from '../wire/limits.ts';
import type { RunState } from '../wire/states.ts';
import { firstOf, runEvent, sessionEvent, shortText, sumOf, turnEnd } from './agent-stream.ts';
import type { DecodeContext, Decoded, Dialect } from './dialect.ts';
import { finishAll, refuse } from './finish.ts';
import { timeOfSeconds } from './foreign-time.ts';
import { guarded } from './guarded.ts';
import { clientCallsOver, itemMoved, itemPhase } from './openai-responses/items.ts';
import { recalled } from './openai-responses/memory.ts';
import type { Reading, ResponsesMemory } from './openai-responses/memory.ts';
import { wordTable } from './word-table.ts';

/** An event of the stream. */
export interface OpenaiResponsesFrame {
  readonly type: string;
  readonly sequence_number: number;
  readonly [member: string]: unknown;
}

const NAME = 'openai-responses';

const STATES = wordTable<RunState>({
  queued: 'running',
  in_progress: 'running',
  completed: 'completed',
  failed: 'failed',
  incomplete: 'failed',
  cancelled: 'cancelled',
});

/** Items of a whole response that are read. */
const MAX_ITEMS = 500;

const PHASE = /^response\.([a-z_]+)\.(in_progress|searching|interpreting|generating|compacting|partial_image|completed|failed)$/;

function decode(frame: unknown, context: DecodeContext, memory: ResponsesMemory = recalled(context)): Decoded<ResponsesMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be an event of the stream, or a response.');
  const mended: Issue[] = [];
  const events: ProgressEvent[] = [];
  const reading: Reading = { context, memory, events, mended, seq: seqOf(frame) };
  const { type } = frame;
  if (frame['object'] === 'response') responseStands(reading, frame);
  else if (typeof type !== 'string') return refuse('/type', type === undefined ? 'required' : 'type', 'must be text.');
  else if (type === 'error') streamFailed(reading, frame);
  else if (isObject(frame['response'])) responseMoved(reading, frame['response'], type);
  else if (type === 'response.output_item.added' || type === 'response.output_item.done')
    itemMoved(reading, frame['item'], type.endsWith('done'), '/item');
  else {
    const phase = PHASE.exec(type);
    if (phase !== null) itemPhase(reading, frame, phase[1] as string, phase[2] as string);
  }
  return finishAll<ResponsesMemory>(events, mended, reading.memory === memory ? undefined : reading.memory);
}

function seqOf({ sequence_number: seq }: Record<string, unknown>): number | undefined {
  return Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : undefined;
}

/** `response.queued`, `created`, `in_progress`, `completed`, `failed`, `incomplete`. */
function responseMoved(reading: Reading, response: Record<string, unknown>, type: string): void {
  const { id, status } = response;
  if (!isText(id, 1, LIMITS.id)) return;
  const word = typeof status === 'string' ? status : type.slice('response.'.length);
  if (reading.memory.response !== id) {
    clientCallsOver(reading);
    reading.memory = { ...reading.memory, response: id };
  }
  settle(reading, response, word);
}

/** A whole response: where it stands, and all its items. */
function responseStands(reading: Reading, response: Record<string, unknown>): void {
  responseMoved(reading, { ...response, status: 'in_progress' }, '');
  const { output, status } = response;
  const items: readonly unknown[] = Array.isArray(output) ? firstOf(output, MAX_ITEMS, '/output', reading.mended) : [];
  for (const [index, item] of items.entries()) itemMoved(reading, item, true, `/output/${index}`);
  settle(reading, response, typeof status === 'string' ? status : 'in_progress');
}

function settle(reading: Reading, response: Record<string, unknown>, word: string): void {
  const { context, events, mended } = reading;
  const state = STATES[word];
  const run = context.run ?? (response['id'] as string);
  if (state === undefined)
    addIssue(mended, '/response/status', 'enum', `must be one of ${Object.keys(STATES).join(', ')} and was read as in_progress.`);
  const times = { startedAt: timeOfSeconds(response['created_at']), endedAt: timeOfSeconds(response['completed_at']) };
  if (state === undefined || state === 'running') {
    events.push(runEvent(context, run, 'running', { startedAt: times.startedAt, reason: word === 'queued' ? word : null }));
    return;
  }
  tokensCounted(reading, response['usage']);
  const { error, incomplete_details: details } = response;
  const cause = isObject(error) ? error : {};
  const why = isObject(details) ? shortText(details['reason'], LIMITS.word) : undefined;
  const reason = word === 'incomplete' ? word : shortText(cause['code'], LIMITS.word);
  events.push(
    ...turnEnd(context, run, state, {
      message: shortText(cause['message'], LIMITS.message) ?? (word === 'incomplete' ? (why ?? word) : undefined),
      code: shortText(cause['code'], LIMITS.word) ?? why,
      reason: reason ?? null,
      ...times,
    }),
  );
}

function tokensCounted(reading: Reading, usage: unknown): void {
  const total = isObject(usage) ? usage['total_tokens'] : undefined;
  if (typeof total !== 'number' || !(total > 0) || reading.memory.counted === reading.memory.response) return;
  const tokens = sumOf([reading.memory.tokens, total]);
  reading.memory = { ...reading.memory, tokens, counted: reading.memory.response };
  reading.events.push(sessionEvent(reading.context, { usage: { tokens } }));
}

/** `error`: the stream broke off, and the response with it. */
function streamFailed(reading: Reading, frame: Record<string, unknown>): void {
  const { context, memory, events } = reading;
  const run = context.run ?? memory.response;
  if (run === undefined) return;
  const code = shortText(frame['code'], LIMITS.word);
  events.push(
    ...turnEnd(context, run, 'failed', { message: shortText(frame['message'], LIMITS.message) ?? 'error', code, reason: code ?? 'error' }),
  );
}

function isOwn(frame: unknown): boolean {
  if (!isObject(frame)) return false;
  if (frame['object'] === 'response') return typeof frame['id'] === 'string' && typeof frame['status'] === 'string';
  const { type } = frame;
  if (typeof type !== 'string' || seqOf(frame) === undefined) return false;
  return type === 'error' ? typeof frame['message'] === 'string' : type.startsWith('response.');
}

/** The dialect of OpenAI's Responses stream. */
export const openaiResponses: Dialect<OpenaiResponsesFrame> = guarded({
  name: NAME,
  whole: [],
  only: 'in',
  detect: isOwn,
  decode,
  encode: () => [],
});
