import { isText } from '../../check/guards.ts';
import type { Step } from '../../wire/card.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { CardMemory } from '../card-event.ts';

/** A call the agent told of, by the peer's name for it. */
export interface Call {
  readonly toolCallId: string;
  readonly id: string | number;
  readonly run?: string | undefined;
  /** Above 1 for a name that was used up in an earlier turn and announced again. */
  readonly attempt?: number | undefined;
  /** The peer's name of the session it was told of in. */
  readonly sessionId?: string | undefined;
  /** The turn it was told of in. */
  readonly turn?: string | undefined;
  /** Told of while a session was told once more: nothing of that is still at work. */
  readonly replayed?: boolean | undefined;
  readonly over?: boolean | undefined;
  /** The newest word for its state, which stays the peer's while a patch says nothing of it. */
  readonly word?: string | undefined;
  /** Told of by a whole event of ours that names a run: whoever sent it also says when that ends. */
  readonly own?: boolean | undefined;
}

/** A permission that was asked for and not yet answered. */
export interface Asked {
  readonly rpc: string | number | undefined;
  readonly id: string;
  readonly sessionId: string | undefined;
  /** What may be answered, by what it means. */
  readonly allows: readonly string[];
  readonly rejects: readonly string[];
  /** True when the request is all there is of the operation, so that its answer ends it. */
  readonly alone?: boolean;
  /** True when a person was asked for an answer, not for leave. */
  readonly question?: boolean;
}

/** A turn that is under way. */
export interface Turn {
  readonly run: string;
  readonly rpc: string | number | undefined;
  /** True once the turn itself, and no call of it, waited on a person. */
  readonly asks?: boolean;
}

/** What a connection says once and refers to later. Plain data, bounded, never changed in place. */
export interface AcpMemory extends CardMemory {
  readonly calls: readonly Call[];
  readonly asked: readonly Asked[];
  readonly turns: readonly Turn[];
  /** Sessions that are owned by the one we hear, and tell over the same connection. */
  readonly children: readonly string[];
  /** Requests about something else that have no answer yet: each side numbers its own, so that an answer alone does not say whose it is. */
  readonly others: readonly (string | number)[];
  /** The request that has a session told once more, until its answer says that this is done. */
  readonly loading?: string | number | undefined;
  /** How many turns began, so that two of one instant have two names. */
  readonly begun: number;
  /** The plan's parts, which the second version sends one by one, each with the name it was sent under. */
  readonly steps?: { readonly planId: string; readonly plan: readonly Step[] } | undefined;
  readonly note?: { readonly planId: string; readonly markdown: string } | undefined;
}

/** Nothing heard yet. */
export const NOTHING_HEARD: AcpMemory = Object.freeze({ calls: [], asked: [], turns: [], children: [], others: [], begun: 0 });

const MOST_ASKED = 64;
const MOST_TURNS = 16;
const MOST_OTHERS = 64;
const MOST_CHILDREN = 256;

/**
 * A name for what the peer has no name for. Its request alone does not do: requests are numbered anew on each connection,
 * so the time of receipt stands in it.
 */
export function minted(what: string, at: number, rpc: string | number | undefined, count: number): string {
  const name = `${what}-${at}-${rpc ?? `n${count}`}`;
  return isText(name, 1, LIMITS.id) ? name : `${what}-${at}-n${count}`;
}

/** The call of this name. */
export function callOf({ calls }: AcpMemory, toolCallId: unknown): Call | undefined {
  return calls.findLast((call) => call.toolCallId === toolCallId);
}

/** The turn under way, the newest if several are. */
export function currentTurn({ turns }: AcpMemory): Turn | undefined {
  return turns.at(-1);
}

/** With this call as it now stands; ended calls are forgotten first. */
export function withCall(memory: AcpMemory, call: Call): AcpMemory {
  const index = memory.calls.findLastIndex(({ toolCallId }) => toolCallId === call.toolCallId);
  const held = memory.calls[index];
  if (held !== undefined) return sameCall(held, call) ? memory : { ...memory, calls: memory.calls.with(index, call) };
  const calls = [...memory.calls, call];
  if (calls.length > LIMITS.operations) {
    const ended = calls.findIndex(({ over }) => over === true);
    calls.splice(Math.max(0, ended), 1);
  }
  return { ...memory, calls };
}

function sameCall(a: Call, b: Call): boolean {
  return (['id', 'run', 'attempt', 'sessionId', 'turn', 'replayed', 'over', 'word', 'own'] as const).every((name) => a[name] === b[name]);
}

/** With a request about something else. */
export function withOther(memory: AcpMemory, rpc: string | number): AcpMemory {
  return { ...memory, others: [...memory.others, rpc].slice(-MOST_OTHERS) };
}

/** Without the request that was answered; the memory itself where there was none. */
export function withoutOther(memory: AcpMemory, rpc: string | number | undefined): AcpMemory {
  const index = memory.others.findIndex((other) => other === rpc);
  return index < 0 ? memory : { ...memory, others: memory.others.toSpliced(index, 1) };
}

/** With a session that is being told once more, or no longer is. */
export function withLoading(memory: AcpMemory, loading: string | number | undefined): AcpMemory {
  return { ...memory, loading };
}

/** With a permission that is now asked for. */
export function withAsked(memory: AcpMemory, asked: Asked): AcpMemory {
  return { ...memory, asked: [...memory.asked, asked].slice(-MOST_ASKED) };
}

/** Without a permission that was answered. */
export function withoutAsked(memory: AcpMemory, asked: Asked): AcpMemory {
  return { ...memory, asked: memory.asked.filter((each) => each !== asked) };
}

/** Without what was asked about this call: it went on, so somebody answered, and not where we could hear it. */
export function withAnswered(memory: AcpMemory, toolCallId: string): AcpMemory {
  const asked = memory.asked.filter(({ id }) => id !== toolCallId);
  return asked.length === memory.asked.length ? memory : { ...memory, asked };
}

/** With a session that is owned by the one we hear. */
export function withChild(memory: AcpMemory, child: string): AcpMemory {
  return memory.children.includes(child) ? memory : { ...memory, children: [...memory.children, child].slice(-MOST_CHILDREN) };
}

/** With a turn that began, or as it now stands. */
export function withTurn(memory: AcpMemory, turn: Turn): AcpMemory {
  return { ...memory, turns: [...memory.turns.filter(({ run }) => run !== turn.run), turn].slice(-MOST_TURNS) };
}

/** Without a turn that ended. */
export function withoutTurn(memory: AcpMemory, run: string): AcpMemory {
  return { ...memory, turns: memory.turns.filter((turn) => turn.run !== run) };
}

/** Without these calls' ends still to come, nor answers about them. */
export function withOver(memory: AcpMemory, ended: readonly Call[]): AcpMemory {
  if (ended.length === 0) return memory;
  const gone = new Set(ended);
  return {
    ...memory,
    calls: memory.calls.map((call) => (gone.has(call) ? { ...call, over: true } : call)),
    asked: memory.asked.filter((asked) => !ended.some(({ toolCallId }) => toolCallId === asked.id)),
  };
}
