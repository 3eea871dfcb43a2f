import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Issue } from '../../check/issue.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { OperationState } from '../../wire/states.ts';
import type { Decoded } from '../dialect.ts';
import { finishAll, present, refuse } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { readId, readText } from '../reading.ts';
import { callOf, withCall, withChild } from './memory.ts';
import type { AcpMemory, Call } from './memory.ts';
import { callAfter, placeOf } from './read-update.ts';
import type { Reading } from './read-update.ts';
import { outcomeOf } from './turn.ts';

/** What a child session says of itself, which must not be taken for its parent's. */
const OF_THE_SESSION: ReadonlySet<unknown> = new Set([
  'plan',
  'plan_update',
  'plan_removed',
  'state_update',
  'session_info_update',
  'usage_update',
]);

/** True for an update of a child session that speaks of the session as a whole: the parent is told by `subagent_update`. */
export function isOfChild({ memory, sessionId }: Reading, word: string): boolean {
  return OF_THE_SESSION.has(word) && isChild(memory, sessionId);
}

/** True for a session that was announced as the child of one we hear. */
export function isChild({ children }: AcpMemory, sessionId: string | undefined): boolean {
  return sessionId !== undefined && children.includes(sessionId);
}

/** A session that another one owns: an operation, in which the calls of that session are. */
export function readSubagent(reading: Reading): Decoded<AcpMemory> {
  const { body, path, sessionId, context, memory, words } = reading;
  const child = readId(body['sessionId']);
  if (typeof child !== 'string')
    return refuse(`${path}/sessionId`, 'required', 'must be text that names the child session.') as Decoded<AcpMemory>;
  const mended: Issue[] = [];
  const known = callOf(memory, child);
  const state = stateOf(body['state'], known === undefined, path, mended);
  const held = known?.over === true && (state === 'running' || state === 'blocked') ? again(known) : known;
  const title = readText(body['title'] ?? body['description'], LIMITS.title, `${path}/title`, mended);
  const event: OperationEvent = {
    type: 'operation',
    ...placeOf(context, held, child),
    ...present({ state, title, reason: state === 'failed' || state === 'interrupted' ? reasonOf(body['state']) : undefined }),
    kind: 'subagent',
    ...(state === 'blocked' ? { blockedOn: { kind: 'other' as const } } : undefined),
    // Its word is none for the state of a call, which is what would be written.
    native: nativeOf(words.name, undefined, { sessionId, subagentSessionId: child }),
  };
  const after = withCall(withChild(memory, child), callAfter(memory, held, placeOf(context, held, child), child, event));
  return finishAll([event], mended, after);
}

/** A child that was at rest and is at work again: a further attempt. */
function again(call: Call): Call {
  return { ...call, over: undefined, attempt: (call.attempt ?? 1) + 1 };
}

/** Why it stopped, in the peer's word. */
function reasonOf(state: unknown): string | undefined {
  return isObject(state) && isText(state['stopReason'], 1, LIMITS.word) ? state['stopReason'] : undefined;
}

/** What the child does. At rest without a reason it says nothing of how it went. */
function stateOf(value: unknown, isFirst: boolean, path: string, mended: Issue[]): OperationState | undefined {
  const state = isObject(value) ? value : {};
  switch (state['state']) {
    case 'running':
      return 'running';
    case 'requires_action':
      return 'blocked';
    case 'idle':
      if (typeof state['stopReason'] === 'string') return outcomeOf(state['stopReason'], `${path}/state/stopReason`, mended);
      return isFirst ? 'pending' : undefined;
    default:
      return isFirst ? 'pending' : undefined;
  }
}
