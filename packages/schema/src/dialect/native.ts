import { isText } from '../check/guards.ts';
import type { Native } from '../wire/parts.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState } from '../wire/states.ts';
import { LIMITS } from '../wire/limits.ts';
import { present } from './finish.ts';

/** The peer's words as they came. A word or identifier too long for the wire is left out. */
export function nativeOf(protocol: string, state: unknown, ids: Readonly<Record<string, unknown>>): Native {
  const kept: Record<string, string | number> = {};
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id === 'number' ? Number.isFinite(id) : isText(id, 0, LIMITS.id)) kept[name] = id as string | number;
  }
  const word = isText(state, 0, LIMITS.word) ? state : undefined;
  return {
    protocol,
    ...present({ state: word }),
    ...(Object.keys(kept).length === 0 ? undefined : { ids: kept }),
  };
}

/** The peer's own word for the state, as long as ours is still what that word means. */
export function nativeState(event: OperationEvent, protocol: string, meaning: (word: string) => OperationState): string | undefined {
  const { native, state } = event;
  if (native?.protocol !== protocol || native.state === undefined) return undefined;
  return meaning(native.state) === (state ?? 'pending') ? native.state : undefined;
}

/** One identifier of the peer, by the peer's name for it. */
export function nativeId(event: OperationEvent, protocol: string, name: string): string | number | undefined {
  return event.native?.protocol === protocol ? event.native.ids?.[name] : undefined;
}
