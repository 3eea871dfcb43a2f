import type { Operation } from '@sitrep/schema';
import { liveness } from '@sitrep/schema/select';
import type { Activity, View } from '@sitrep/schema/select';
import type { Phrase } from '../locales/phrases.ts';

/** Everything a pill can say: the operation's own states, what is derived from them, and the sum of a session. */
export type ShownState = Operation['state'] | Activity | 'connecting' | 'quiet' | 'stale' | 'reconnecting' | 'lost';

const RING = 'M8 2.5a5.5 5.5 0 1 1-.1 0';
const DOT = 'M8 6a2 2 0 1 1-.1 0';
const ARC = 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5';
const CHECK = 'M3 9l3 3 7-7';
const PERSON = 'M8 2.5a2.5 2.5 0 1 1-.1 0M3 13c0-4 10-4 10 0';
const TURN = 'M13 8a5 5 0 1 1-2-4V1m0 3H8';

/** One drawing per meaning, so that no two differ by colour alone; the colour family; and the word where it is not the state's own. */
const LOOKS: Readonly<Record<ShownState, readonly [path: string, tone?: string, word?: Phrase]>> = {
  pending: [DOT],
  idle: [DOT],
  running: [ARC, 'accent'],
  working: [ARC, 'accent'],
  waiting: ['M4 3h8L4 13h8z'],
  blocked: [PERSON, 'attention', 'needs you'],
  'needs-you': [PERSON, 'attention', 'needs you'],
  paused: ['M6 4v8m4-8v8'],
  completed: [CHECK, 'success'],
  done: [CHECK, 'success'],
  failed: ['M4 4l8 8m0-8l-8 8', 'danger'],
  cancelled: [`${RING}M4 12l8-8`],
  denied: [`${RING}M5 8h6`, 'danger'],
  interrupted: ['M9 2L4 9h4l-1 5 5-7H8z'],
  quiet: ['M2.5 8.5h1m4 0h1m4 0h1'],
  stale: [`${RING}M8 5v3l2 2`, '', 'out of date'],
  connecting: [TURN],
  reconnecting: [TURN],
  lost: ['M2 8h4m4 0h4M7 12l2-8', 'attention', 'connection lost'],
};

/**
 * How a state looks: the data of a path in a square of 16, the class of its colour family (`accent` goes on, `success`,
 * `danger`, `attention` needs a person; none is neutral), and its word in English.
 */
export function look(state: ShownState): readonly [path: string, tone: string, word: Phrase] {
  const [path = '', tone = '', word = state as Phrase] = LOOKS[state] ?? [];
  return [path, tone, word];
}

/** What to show for an operation: its own state, unless the run, the connection or a long silence says otherwise. */
export function shownState(operation: Operation, view: View): ShownState {
  const life = liveness(operation, view);
  return life === 'moving' || life === 'settled' || (life === 'quiet' && operation.state !== 'running') ? operation.state : life;
}

/** True once an operation's attempt is over, whatever came of it. */
export const hasEnded = (operation: Operation): boolean => liveness(operation, { now: 0 }) === 'settled';

/** True for a word of a session that time alone does not change. */
export const isSettled = (state: ShownState | undefined): boolean =>
  ['done', 'failed', 'idle', 'cancelled', 'interrupted'].includes(state!);
