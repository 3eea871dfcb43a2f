import type { Random } from './random.ts';

/** Values that break readers which trust what they read. */

/** Keys that mean something to the language. */
export const KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'length', 'then', '', '0', 'toJSON'];

/** Numbers at and beyond the edges; JSON text can bring all but NaN. */
const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1e-320,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  1e308,
  JSON.parse('1e400') as number,
  JSON.parse('-1e400') as number,
  8.64e15,
  8.64e15 + 1,
  4_102_444_800_001,
];

const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u001B[2J\u001B]0;x\u0007',
  '\u001B]9;4;1;50\u0007',
  'a\rb\rc',
  '\u202Eabc\u2066',
  '\uD800',
  'x\uDC00y',
  '👩‍👩‍👧',
  'a\u0301\u0301\u0301',
  '<img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '1e400',
  '9007199254740993',
  '2026-13-45T99:99:99Z',
  '2026-11-30T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  'TASK_STATE_COMPLETED',
  'completed',
  'toString',
  '../../x',
  'a/b/c/d/e/f/g/h/i/j',
];

const LONG = [1_000, 9_000, 70_000];

/** A value of JSON that was not meant to be where it is put. */
export function jsonValue(random: Random): unknown {
  switch (random.below(12)) {
    case 0:
      return null;
    case 1:
      return random.once(2);
    case 2:
    case 3:
      return random.of(NUMBERS);
    case 4:
    case 5:
    case 6:
      return random.of(TEXTS);
    case 7:
      return random.of(TEXTS).repeat(random.of(LONG)).slice(0, random.of(LONG));
    case 8:
      return deep(random, 100);
    case 9:
      return Array.from({ length: random.of([0, 1, 51, 1_001]) }, () => random.of<unknown>([null, 1, 'a', {}, []]));
    case 10:
      return { [random.of(TEXTS)]: random.of(NUMBERS) };
    default:
      return withKey({}, random.of(KEYS), random.of<unknown>([{ polluted: true }, 1, 'x', null, []]));
  }
}

/** What no JSON holds but a careless caller may pass on. */
export function strangeValue(random: Random): unknown {
  switch (random.below(9)) {
    case 0:
      return Number.NaN;
    case 1:
      return 10n;
    case 2:
      return Symbol('x');
    case 3:
      return () => 'x';
    case 4:
      return new Date(Number.NaN);
    case 5:
      return new Map([['state', 'completed']]);
    case 6:
      return Object.create({ type: 'operation', state: 'completed' });
    case 7: {
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      return cycle;
    }
    default:
      return Object.defineProperty({}, 'state', {
        enumerable: true,
        get() {
          throw new Error('read');
        },
      });
  }
}

/** Four million characters, for the one frame in many thousands. */
export function hugeText(random: Random): string {
  return random.of(['a', 'é', '🦊', '\u001B[', 'a\r', '\u200B', '<b>']).repeat(4_000_000).slice(0, 4_000_000);
}

/** Sets an OWN key, `__proto__` included, as JSON.parse does. */
export function withKey<T extends object>(object: T, key: string, value: unknown): T {
  return Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function deep(random: Random, depth: number): unknown {
  let value: unknown = random.of(NUMBERS);
  const list = random.once(2);
  for (let level = 0; level < depth; level += 1) value = list ? [value] : { value };
  return value;
}
