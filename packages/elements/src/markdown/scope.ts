import type { Target } from './links.ts';

/** The words that a note is given besides its own. Whatever is in them, they are text. */
export interface Names {
  /** Names a bar that has no name of its own, with its numbers. */
  readonly title: string;
  readonly code: string;
  readonly table: string;
  /** What the box before a task says. */
  readonly done: string;
  readonly open: string;
}

/** What a note lets its lines do, and how much of it is left. */
export interface Scope {
  readonly definitions: ReadonlyMap<string, Target>;
  /** As HTML. */
  readonly names: Names;
  /** Pictures may pass, if their addresses do. */
  readonly pictures: boolean;
  /** Characters of HTML, elements and texts that may still be written. Below 0 writing ends with an error. */
  room: number;
  nodes: number;
  /** Characters of this unit that may still be looked at in search of the ends of links. */
  work: number;
}

/** Takes what is written off what may be. */
export function spend(scope: Scope, room: number, nodes: number): void {
  scope.room -= room;
  scope.nodes -= nodes;
  if (scope.room < 0 || scope.nodes < 0) throw new RangeError('The note is too large.');
}
