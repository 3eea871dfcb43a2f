import type { Definition } from './links.ts';
import type { Align } from './table.ts';

/** One block of a note: what kind, where it stands, and what is in it. */
export interface Block {
  readonly kind: 'root' | 'quote' | 'list' | 'item' | 'paragraph' | 'heading' | 'code' | 'html' | 'rule' | 'table';
  readonly children: Block[];
  /** Its lines as written, without the marks of what they stand in. */
  text: string[];
  /** First and last line. */
  readonly start: number;
  end: number;
  /** Level of a heading. */
  readonly level: number;
  readonly list: ListMark | undefined;
  readonly fence: Fence | undefined;
  /** What ends raw HTML; undefined: an empty line. */
  readonly until: RegExp | undefined;
  readonly columns: readonly Align[];
}

export interface ListMark {
  /** The character after which items are told apart: `-`, `+`, `*`, `.`, `)`. */
  readonly mark: string;
  /** Number of the first item; undefined where they are not numbered. */
  readonly first: number | undefined;
  /** Columns that the lines of an item are set in. */
  readonly inset: number;
  loose: boolean;
}

export interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly inset: number;
  closed: boolean;
}

/** A block of the note itself, with what it defines. It is read without regard to the others. */
export interface Unit {
  /** First line, and the first line of the next unit. */
  readonly start: number;
  readonly end: number;
  readonly blocks: readonly Block[];
  readonly definitions: readonly Definition[];
}

export function newBlock(kind: Block['kind'], start: number, over: Partial<Block> = {}): Block {
  return {
    kind,
    children: [],
    text: [],
    start,
    end: start,
    level: 0,
    list: undefined,
    fence: undefined,
    until: undefined,
    columns: [],
    ...over,
  };
}
