import { BLOCKED_KINDS } from '@sitrep/schema';
import type { BlockedOn } from '@sitrep/schema/wire';
import { asTold } from './patch.ts';
import type { Reporter } from './types.ts';

/** A kind alone, or the question itself: a text that is no kind is what a person is asked. */
export function blockedOnOf(on: Parameters<Reporter['block']>[0]): BlockedOn | undefined {
  if (typeof on !== 'string') return asTold(on);
  if (on.trim() === '') return { kind: 'other' };
  const kind = BLOCKED_KINDS.find((each) => each === on);
  return kind === undefined ? { kind: 'question', prompt: on } : { kind };
}
