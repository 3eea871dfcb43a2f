import { isObject } from '../check/guards.ts';
import { EVENT_TYPES } from '../wire/states.ts';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';

/** What a frame can turn out to be: our own event, the name of a dialect, or neither. */
export type DetectedName = keyof typeof dialects | 'sitrep' | 'unknown';

const OWN: ReadonlySet<unknown> = new Set(EVENT_TYPES);
const EACH = Object.entries(dialects) as readonly [keyof typeof dialects, Dialect<unknown>][];

/**
 * Names the dialect of a frame by what stands in it. `sitrep` for an event of ours; `unknown` when no dialect is sure of it,
 * or when two are: a guess would be read as the truth. Never throws. Loads every dialect; who knows the peer imports its
 * dialect alone.
 */
export function detect(frame: unknown): DetectedName {
  if (isOwn(frame)) return 'sitrep';
  let found: DetectedName = 'unknown';
  for (const [name, dialect] of EACH) {
    if (!dialect.detect(frame)) continue;
    if (found !== 'unknown') return 'unknown';
    found = name;
  }
  return found;
}

/** Our types are words that a peer could use too; ours also name a session, or as control of a stream an epoch. */
function isOwn(frame: unknown): boolean {
  try {
    if (!isObject(frame) || !OWN.has(frame['type'])) return false;
    if (frame['type'] === 'end') return typeof frame['reason'] === 'string' && Object.keys(frame).length === 2;
    return typeof frame['session'] === 'string' || typeof frame['epoch'] === 'string';
  } catch {
    return false;
  }
}
