/**
 * What a stream of AG-UI is remembered by. Plain data, never changed in place, bounded: the oldest goes first. One decoder
 * is meant for one thread, through all its runs: what a run leaves to a person is taken up by the next.
 */
import { LIMITS } from '../../wire/limits.ts';
import type { Id } from '../../wire/scalars.ts';
import type { CardMemory } from '../card-event.ts';

/** A tool call that was announced. */
export interface KnownCall {
  readonly id: string;
  readonly run?: string | undefined;
  /** True once its result came. */
  readonly isOver?: boolean;
}

/** A step by name: how often it began, and whether it is under way. */
export interface KnownStep {
  readonly name: string;
  readonly owner?: string | undefined;
  readonly count: number;
  readonly isOpen: boolean;
}

/** Content of an activity of the peer's own, as its patches left it. */
export interface KnownActivity {
  readonly id: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** What a run was handed over to a person for. */
export interface OpenInterrupt {
  /** The peer's id of the question. */
  readonly id: string;
  /** The operation that is blocked on it. */
  readonly operation: Id;
  readonly run?: string | undefined;
  /** A call goes on once it is answered; a question of its own is then over. */
  readonly isCall: boolean;
}

/** See the top of this file. */
export interface AgUiMemory extends CardMemory {
  /** The run that is under way. */
  readonly run?: string | undefined;
  /** True once a run was seen to start: from then on everything announces itself. */
  readonly isAnnounced: boolean;
  /** Runs that ended in a question: the same turn goes on in the run that follows. */
  readonly handed: readonly string[];
  readonly interrupts: readonly OpenInterrupt[];
  readonly calls: readonly KnownCall[];
  readonly steps: readonly KnownStep[];
  readonly activities: readonly KnownActivity[];
  /** The tool call that is being told in chunks. */
  readonly chunk?: string | undefined;
}

/** Bounds of the lists. */
export const KEPT = Object.freeze({ calls: LIMITS.operations, steps: 200, activities: 50, interrupts: 50, handed: 10 });

/** Before the first frame. */
export const NOTHING: AgUiMemory = Object.freeze({
  isAnnounced: false,
  handed: [],
  interrupts: [],
  calls: [],
  steps: [],
  activities: [],
});

/** The list with `item` instead of the one that is the same thing, or behind the others; the first go over `max`. */
export function remember<T>(list: readonly T[], item: T, isSame: (known: T) => boolean, max: number): readonly T[] {
  const index = list.findIndex(isSame);
  return index < 0 ? [...list, item].slice(-max) : list.with(index, item);
}
