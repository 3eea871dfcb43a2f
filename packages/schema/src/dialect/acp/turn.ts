import { addIssue } from '../../check/issue-list.ts';
import { isText } from '../../check/guards.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import type { RunState } from '../../wire/states.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finishAll, present } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { isTakenBack } from './envelope.ts';
import { currentTurn, minted, withLoading, withOver, withoutTurn, withTurn } from './memory.ts';
import type { AcpMemory, Call, Turn } from './memory.ts';
import { dropped, passOver } from './read-update.ts';
import type { Reading } from './read-update.ts';
import { wordTable } from '../word-table.ts';

/** How a turn ended, by the peer's word for why it stopped. A word not among them says that it ended, and not how. */
const STOPS: Readonly<Record<string, Exclude<RunState, 'running'>>> = wordTable<Exclude<RunState, 'running'>>({
  end_turn: 'completed',
  max_tokens: 'failed',
  max_turn_requests: 'failed',
  refusal: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
});

/** The words for a turn that stopped short; they are our reason too. */
const SHORT: ReadonlySet<unknown> = new Set(['max_tokens', 'max_turn_requests', 'refusal']);

/** True for a word that certainly says why a turn stopped. */
export function isStopReason(value: unknown): boolean {
  return typeof value === 'string' && STOPS[value] !== undefined;
}

/** The peer's word for how a run ended; undefined when it ended without an outcome. */
export function stopReasonOf({ state, reason }: RunEvent): string | undefined {
  if (state === 'completed') return 'end_turn';
  if (state === 'cancelled') return 'cancelled';
  if (state !== 'failed') return undefined;
  return SHORT.has(reason) ? (reason ?? undefined) : 'error';
}

/** A turn began. */
export function begin(context: DecodeContext, memory: AcpMemory, rpc: string | number | undefined): { event: RunEvent; memory: AcpMemory } {
  const run = context.run ?? minted('turn', context.at, rpc, memory.begun);
  const event: RunEvent = { type: 'run', session: context.session, run, state: 'running', at: context.at };
  return { event, memory: withTurn({ ...memory, begun: memory.begun + 1 }, { run, rpc }) };
}

/** A prompt was sent: in the first version that is where a turn begins. */
export function readPrompt({ context, memory, words }: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  if (words.version === 2) return passOver();
  const begun = begin(context, memory, rpc);
  return finishAll([begun.event], [], begun.memory);
}

/** How it ended, by why it stopped. */
export function outcomeOf(word: string, path: string, mended: Issue[]): Exclude<RunState, 'running'> {
  const state = STOPS[word];
  if (state === undefined)
    addIssue(mended, path, 'enum', `must be one of ${Object.keys(STOPS).join(', ')} and was read as an end without an outcome.`);
  return state ?? 'interrupted';
}

/** A turn ended, and why. */
export function end(context: DecodeContext, turn: string, stopReason: unknown, path: string, mended: Issue[]): RunEvent {
  const { session, at } = context;
  const word = isText(stopReason, 1, LIMITS.word) ? stopReason : undefined;
  const state = word === undefined ? 'interrupted' : outcomeOf(word, path, mended);
  const reason = state === 'completed' || state === 'cancelled' ? undefined : word;
  return { type: 'run', session, run: turn, state, at, ...present({ reason }) };
}

/**
 * The turn a result belongs to: that of its request, or the one under way when it came without an envelope. The newest, because
 * a new connection numbers its requests anew.
 */
export function turnOf(memory: AcpMemory, rpc: string | number | undefined): Turn | undefined {
  return rpc === undefined ? currentTurn(memory) : memory.turns.findLast((turn) => turn.rpc === rpc);
}

/** The result of a prompt ends its turn. */
export function readStop(reading: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  const { body, path, sessionId, context, memory } = reading;
  // Without a request that was heard, it is the caller's turn, unless it may as well be that of another session.
  const isOurs = rpc === undefined || (memory.turns.length === 0 && sessionId === undefined);
  const run = turnOf(memory, rpc)?.run ?? (isOurs ? context.run : undefined);
  if (run === undefined) return dropped(`${path}/stopReason`, 'ends a turn that nobody began; it was dropped.');
  const mended: Issue[] = [];
  const event = end(context, run, body['stopReason'], `${path}/stopReason`, mended);
  return ended(
    reading,
    event,
    leftBy(memory, ({ turn }) => turn === run),
    mended,
  );
}

/** A prompt that was refused or broke ends its turn as well. */
export function readPromptError(reading: Reading, { run }: Turn): Decoded<AcpMemory> {
  const { session, at } = reading.context;
  const { code } = reading.body;
  const reason = typeof code === 'number' || isText(code, 1, LIMITS.word) ? String(code) : 'error';
  const how: Pick<RunEvent, 'state' | 'reason'> = isTakenBack(reading.body) ? { state: 'cancelled' } : { state: 'failed', reason };
  const event: RunEvent = { type: 'run', session, run, ...how, at };
  return ended(
    reading,
    event,
    leftBy(reading.memory, ({ turn }) => turn === run),
    [],
  );
}

/** The calls that have no end yet, and nobody else to give them one. */
export function leftBy({ calls }: AcpMemory, isOfIt: (call: Call) => boolean): Call[] {
  return calls.filter((call) => call.over !== true && call.own !== true && isOfIt(call));
}

/** The end of a turn, after the ends of what it leaves open: cancelled with it, else ended and nobody said how. */
export function ended(reading: Reading, run: RunEvent, left: readonly Call[], mended: Issue[], asks?: OperationEvent): Decoded<AcpMemory> {
  const events = endsOf(reading, left, run.state === 'cancelled' ? 'cancelled' : 'interrupted');
  const memory = withoutTurn(withOver(reading.memory, left), run.run);
  return finishAll([...events, ...(asks === undefined ? [] : [asks]), run], mended, memory);
}

function endsOf(reading: Reading, left: readonly Call[], state: 'cancelled' | 'interrupted'): OperationEvent[] {
  return left.map((call) => ({ ...aboutCall(reading, call), state, reason: 'run_ended' }));
}

/** A session is to be told once more, from its beginning. The second version says by its state what is at work. */
export function readLoad({ memory, words }: Reading, rpc: string | number | undefined): Decoded<AcpMemory> {
  return rpc === undefined || words.version === 2 ? passOver() : finishAll([], [], withLoading(memory, rpc));
}

/** All of it has been told: a call without an end was at work in a turn that is long over. */
export function readLoaded(reading: Reading): Decoded<AcpMemory> {
  const left = leftBy(reading.memory, ({ replayed }) => replayed === true);
  return finishAll(endsOf(reading, left, 'interrupted'), [], withOver(withLoading(reading.memory, undefined), left));
}

/** An event about a call that was heard of before. */
function aboutCall({ context, words }: Reading, { id, run, attempt, toolCallId, sessionId, word }: Call): OperationEvent {
  const { session, at } = context;
  const native = nativeOf(words.name, word, { sessionId, toolCallId });
  return { type: 'operation', session, id, ...present({ run, attempt }), at, native };
}

/** Somebody asked to stop: the work may still end well, and says so itself. */
export function readCancel(reading: Reading, wanted: (call: Call) => boolean): Decoded<AcpMemory> {
  const asked = reading.memory.calls.filter((call) => call.over !== true && wanted(call));
  return finishAll(
    asked.map((call): OperationEvent => ({ ...aboutCall(reading, call), cancelRequested: true })),
    [],
  );
}

/** A request is taken back; if it is that of a prompt, what its turn does is asked to stop. The agent numbers its own alike. */
export function readCancelRequest(reading: Reading, requestId: unknown): Decoded<AcpMemory> {
  const { turns, asked } = reading.memory;
  const turn = turns.findLast(({ rpc }) => rpc !== undefined && rpc === requestId);
  if (turn === undefined || asked.some(({ rpc }) => rpc === requestId)) return passOver();
  return readCancel(reading, (call) => call.turn === turn.run);
}
