import type { Operation, OperationEvent } from '../wire/operation.ts';
import { attemptOf } from './ordering.ts';

/** A record that nobody has seen yet: its owner may change it in place until it is frozen and handed out. */
export type Draft = { -readonly [Field in keyof Operation]: Operation[Field] };

/**
 * Does in place what `reduceOperation` does by copy, for the event that streams are made of: the same attempt, still at
 * work, in the same state, with a new message or amount. `held` is live, not ended, and named by the event; `owned` says
 * that it is a draft. Answers the draft that took the event, a copy when there was none yet; false when nothing differs
 * (a `duplicate`); undefined for every other event. All is read before anything is written.
 */
export function advance(held: Operation, owned: boolean, event: OperationEvent): Draft | false | undefined {
  const { seq, at } = event;
  if (attemptOf(event) !== held.attempt || !Number.isFinite(at) || !keepsState(held, event)) return undefined;
  if (seq !== undefined && !(Number.isSafeInteger(seq) && (held.seq === undefined || seq > held.seq))) return undefined;
  let { message, current, total } = held;
  for (const name in event) {
    const value: unknown = event[name as keyof OperationEvent];
    if (value === undefined) continue;
    switch (name) {
      case 'type':
      case 'session':
      case 'id':
      case 'seq':
      case 'at':
      case 'state':
        break;
      case 'message':
        if (typeof value !== 'string') return undefined;
        message = value;
        break;
      case 'current':
        if (typeof value !== 'number') return undefined;
        current = value;
        break;
      case 'total':
        if (typeof value !== 'number') return undefined;
        total = value;
        break;
      case 'run':
      case 'attempt':
        break;
      default:
        if (value !== held[name as keyof Operation]) return undefined;
    }
  }
  const moved = seq !== undefined || at !== held.updatedAt;
  if (!moved && message === held.message && current === held.current && total === held.total) return false;
  const draft: Draft = owned ? held : { ...held };
  draft.updatedAt = at;
  if (seq !== undefined) draft.seq = seq;
  if (message !== undefined) draft.message = message;
  if (current !== undefined) draft.current = current;
  if (total !== undefined) draft.total = total;
  return draft;
}

/** True when the state does not change and brings nothing along: no wait that it ends, no time that it stamps. */
function keepsState(held: Operation, { state, startedAt }: OperationEvent): boolean {
  if (state === undefined) return true;
  if (state !== held.state || held.blockedOn !== undefined || held.waitingOn !== undefined) return false;
  return state !== 'running' || held.startedAt !== undefined || startedAt !== undefined;
}
