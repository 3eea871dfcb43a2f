import { hugeText, jsonValue, KEYS, strangeValue, withKey } from './hostile.ts';
import type { Random } from './random.ts';

/** A frame that was made worse, and whether it could still have come as JSON. */
export interface Mutant {
  readonly frame: unknown;
  readonly isJson: boolean;
}

type Holder = Record<string, unknown>;
interface Place {
  readonly holder: Holder;
  readonly key: string;
}

const MAX_CHANGES = 4;
/** One frame in so many is not JSON at all, or holds a text of millions. */
const STRANGE = 50;
const HUGE = 20_000;

/** Changes a copy of the frame in one to four places. `others` give parts of other frames. */
export function mutate(frame: unknown, others: readonly unknown[], random: Random): Mutant {
  const root: Holder = { frame: structuredClone(frame) };
  for (let change = random.below(MAX_CHANGES) + 1; change > 0; change -= 1) {
    const place = random.of(places(root));
    if (random.once(HUGE)) withKey(place.holder, place.key, hugeText(random));
    else alter(place, others, random);
  }
  const isJson = !random.once(STRANGE);
  if (!isJson) {
    // Last, because reading it again to change more might throw.
    const { holder, key } = random.of(places(root));
    withKey(holder, key, strangeValue(random));
  }
  return { frame: root['frame'], isJson };
}

function alter(place: Place, others: readonly unknown[], random: Random): void {
  const { holder, key } = place;
  const value = holder[key];
  switch (random.below(8)) {
    case 0:
    case 1:
      withKey(holder, key, jsonValue(random));
      return;
    case 2:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (key !== 'frame') delete holder[key];
      return;
    case 3:
      if (isHolder(value) && !Array.isArray(value)) withKey(value, random.of(KEYS), jsonValue(random));
      return;
    case 4:
      if (Array.isArray(value) && value.length < 2_000) value.push(...structuredClone(value), ...structuredClone(value));
      else withKey(holder, key, [value]);
      return;
    case 5:
      withKey(holder, key, typeof value === 'number' ? String(value) : typeof value === 'string' ? Number(value) || 0 : value);
      return;
    case 6: {
      const part = random.of(places({ frame: random.of(others) }));
      withKey(holder, key, structuredClone(part.holder[part.key]));
      return;
    }
    default:
      if (typeof value === 'string') withKey(holder, key, spliced(value, random));
      else withKey(holder, key, jsonValue(random));
  }
}

function spliced(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const insert = jsonValue(random);
  return text.slice(0, at) + (typeof insert === 'string' ? insert : JSON.stringify(insert)) + text.slice(at);
}

/** Every place of a value, the value itself first; at most 400, which is more than a frame has. */
function places(root: Holder): Place[] {
  const found: Place[] = [];
  const open: Holder[] = [root];
  for (let holder = open.pop(); holder !== undefined && found.length < 400; holder = open.pop()) {
    for (const key of Object.keys(holder)) {
      found.push({ holder, key });
      const value = holder[key];
      if (isHolder(value)) open.push(value);
    }
  }
  return found;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
}
