/**
 * ACP, the Agent Client Protocol, first version: what an agent tells its editor. Read are messages of the connection, both
 * directions (JSON-RPC, or their parameters alone): `session/update` with `plan`, `tool_call`, `tool_call_update` (a patch),
 * `usage_update`, `session_info_update`, `compaction_update` and `subagent_update`; `session/request_permission` and
 * `elicitation/create` with their answers; `session/prompt`, its result with a `stopReason`, `session/cancel` and
 * `$/cancel_request`; `session/load`, whose answer says that all of the session has been told. Whatever else is said is passed
 * over.
 *
 * In: a call is known by its `toolCallId`. A patch for one that was never announced is dropped and noted: it holds no
 * title and no kind, and none is made up; only what is asked of a person also announces. The last line of a call's text at
 * work is its message, that of a failed call its error; other output is no progress. A prompt begins a run, named after its
 * request and the time, and its result ends it. Calls belong to no run, so that a replay finds them again; those the turn
 * leaves open are cancelled with it or interrupted. A name announced again in a later turn is a further attempt. A child
 * session is an operation, and what happens in it is part of that; its plan and its title are not the session's. A plan
 * replaces the card; an entry with a word the version does not have is pending. So is a call with a status it does not
 * have, with the word kept.
 *
 * Out: our whole event travels in the update's `_meta` under `sitrep/event`, and comes back from there as long as the words
 * beside it still agree. What came from this peer and says no more than its words goes back in these words alone. The
 * encoder needs to know what the peer was told: the first update of a call must announce it. Amounts are written into the
 * text. Runs and clears have no words and travel in the `_meta` of an otherwise empty `session_info_update`.
 *
 * Never sent, because the peer's own library would drop the status, or the whole step: words of the second version.
 *
 * Lost on the way out to a peer that does not know the key: cancelled, denied and interrupted (failed, with the word in the
 * text); waiting, paused and blocked (in_progress; blocked on a permission is pending); steps that failed or were cancelled
 * (pending); the note of a card; priorities of entries; amounts as numbers; parents, units, times, usage, runs, attempts,
 * sequence; the origin of a tool and kinds the version does not list; the same id in two runs, and 7 beside "7", are one
 * call.
 */
import { isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import type { CardEvent } from '../wire/card.ts';
import type { OperationState, StepState } from '../wire/states.ts';
import { bodyOf, cardEvent, nextRevision } from './card-event.ts';
import type { Decoded, Dialect, Encoded } from './dialect.ts';
import { opens, readMessage } from './acp/envelope.ts';
import type { AcpMemory } from './acp/memory.ts';
import { readFrame } from './acp/read.ts';
import type { AcpContext } from './acp/read.ts';
import { readCallUpdate, remembered, wholeEvent } from './acp/read-update.ts';
import type { Reading } from './acp/read-update.ts';
import { isStopReason } from './acp/turn.ts';
import { ACP_EVENT_KEY, ACP_VERSION_KEY, metaOf } from './acp/words.ts';
import type { AcpWords } from './acp/words.ts';
import { notified, writeUpdate } from './acp/write.ts';
import type { AcpSessionInfoUpdate, AcpUpdateFrame } from './acp/write.ts';
import type { AcpCallUpdate } from './acp/write-call.ts';
import { entriesOf, sameEntries } from './acp/write-card.ts';
import type { AcpPlanEntry } from './acp/write-card.ts';
import { finishAll, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { mendPlan, planWords } from './mend-plan.ts';
import { wordTable } from './word-table.ts';

/** The whole plan. */
export interface AcpPlanUpdate {
  readonly sessionUpdate: 'plan';
  readonly entries: readonly AcpPlanEntry[];
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** A notification as it is written for a peer of the first version. */
export type AcpFrame = AcpUpdateFrame<AcpCallUpdate | AcpPlanUpdate | AcpSessionInfoUpdate>;

const OUT: Readonly<Record<OperationState, string>> = {
  pending: 'pending',
  running: 'in_progress',
  waiting: 'in_progress',
  blocked: 'in_progress',
  paused: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'failed',
  denied: 'failed',
  interrupted: 'failed',
};

const WORDS: AcpWords = {
  name: 'acp',
  version: 1,
  states: wordTable({ pending: 'pending', in_progress: 'running', completed: 'completed', failed: 'failed' }),
  out: (state, forPermission) => (forPermission ? 'pending' : OUT[state]),
  known: ['pending', 'running', 'waiting', 'completed', 'failed'],
  steps: planWords({ pending: 'pending', in_progress: 'in_progress', completed: 'completed' }),
  step: (state: StepState) => (state === 'failed' || state === 'cancelled' ? 'pending' : state),
  announces: true,
  nullClears: false,
};

function readOwn(reading: Reading, word: string): Decoded<AcpMemory> | undefined {
  if (word === 'tool_call') return readCallUpdate(reading);
  return word === 'plan' ? readPlan(reading) : undefined;
}

function readPlan({ body, path, context, memory }: Reading): Decoded<AcpMemory> {
  const mended: Issue[] = [];
  const { entries } = body;
  const whole = wholeEvent(
    { body, path, context },
    mended,
    (event) => event.type === 'card' && sameEntries(entries, entriesOf(event, WORDS)),
  );
  if (whole !== undefined) return finishAll([whole], mended, remembered(memory, whole));
  const plan = mendPlan(entries, `${path}/entries`, mended, { text: 'content', status: WORDS.steps });
  if (plan === undefined) return refuse(`${path}/entries`, 'type', 'must be a list of entries.') as Decoded<AcpMemory>;
  const event = cardEvent(context, nextRevision(context, memory), context.at, bodyOf(plan, undefined));
  return finishAll([inTurn(event, memory)], mended, remembered(memory, event));
}

/** A list belongs to the turn it was written in. */
function inTurn(event: CardEvent, { turns }: AcpMemory): CardEvent {
  const run = event.run ?? turns.at(-1)?.run;
  return run === undefined ? event : { ...event, run };
}

function detects(frame: unknown): boolean {
  const message = readMessage(frame);
  if (message === undefined) return false;
  if (opens(frame, 1)) return true;
  const { kind, body } = message;
  if (kind === 'result') return isStopReason(body['stopReason']);
  if (kind === 'permission') return isObject(body['toolCall']) && typeof body['toolCall']['toolCallId'] === 'string';
  if (kind !== 'update') return false;
  const meta = body['_meta'];
  if (isObject(meta) && meta[ACP_EVENT_KEY] !== undefined) return meta[ACP_VERSION_KEY] === undefined;
  return body['sessionUpdate'] === 'plan' ? Array.isArray(body['entries']) : body['sessionUpdate'] === 'tool_call';
}

/** The dialect of ACP, first version. */
export const acp: Dialect<AcpFrame, AcpContext, AcpMemory> = guarded({
  name: WORDS.name,
  whole: ['operation', 'operation.clear', 'card', 'run', 'session'],
  detect: detects,
  decode: (frame, context, memory) => readFrame(frame, context, memory, WORDS, readOwn),
  encode: (event, before): Encoded<AcpFrame> => {
    if (event.type !== 'card') return [notified(event, writeUpdate(event, before, WORDS), WORDS)];
    return [notified(event, { sessionUpdate: 'plan' as const, entries: entriesOf(event, WORDS), _meta: metaOf(event, WORDS) }, WORDS)];
  },
});

export { ACP_EVENT_KEY } from './acp/words.ts';
export type { AcpContext } from './acp/read.ts';
export type { AcpCallUpdate } from './acp/write-call.ts';
export type { AcpPlanEntry } from './acp/write-card.ts';
export type { AcpSessionInfoUpdate, AcpUpdateFrame } from './acp/write.ts';
