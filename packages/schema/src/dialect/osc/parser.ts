import type { OscSequence } from './sequence.ts';
import { readOsc } from './sequence.ts';

/** A part of a stream: text that is to be left as it is, or one of the commands that were looked for. */
export interface OscPiece {
  /** As it stood in the stream: all pieces together are what came in. */
  readonly text: string;
  /** Set when the piece is one command. */
  readonly osc?: OscSequence;
}

/** What to look for, and how far. */
export interface OscParserOptions {
  /** Codes of the commands that are split off. Default: 9, 99, 777 and 7501. */
  readonly codes?: readonly number[] | undefined;
  /** Characters a command may have; a longer one is text. Default: 8,192, more than any of these protocols allows. */
  readonly maxLength?: number | undefined;
}

const CODES = [9, 99, 777, 7501];
// oxlint-disable-next-line no-control-regex -- looks for control characters
const OPENING = /\u001b(?:\]|$)|\u009d/g;
/** Any control character ends the body of a command, one way or the other. */
// oxlint-disable-next-line no-control-regex -- looks for control characters
const ENDING = /[\u0000-\u001f\u007f-\u009f]/g;
const CODE = /^\d{0,5}$/;

/**
 * Finds commands for status and progress in what a program writes to its terminal, however the stream is cut into chunks.
 * Takes text: bytes are decoded first, by a decoder that keeps what is left of a character for the next chunk.
 *
 * What has begun and is not ended is held back until it is; so is a lone escape character at the end of a chunk. Other
 * commands, broken and over-long ones are text. Holds at most `maxLength` characters. Never throws.
 */
export class OscParser {
  readonly #codes: ReadonlySet<string>;
  readonly #maxLength: number;
  #held = '';
  /** Where the search for the end of what is held goes on. */
  #seen = 0;

  constructor(options: OscParserOptions = {}) {
    this.#codes = new Set((options.codes ?? CODES).map(String));
    this.#maxLength = Math.max(16, options.maxLength ?? 8192);
  }

  /** True while something has begun that is not ended: the next chunk belongs to it. */
  get isHolding(): boolean {
    return this.#held !== '';
  }

  /** The pieces that are complete after this chunk, in order. */
  push(chunk: string): OscPiece[] {
    const pieces: OscPiece[] = [];
    const all = this.#held + chunk;
    let from = 0;
    // A lone escape character that was held may turn out to open something else.
    let open = opening(all, 0);
    let search = open === 0 ? this.#seen : 0;
    for (;;) {
      if (open < 0) {
        this.#text(pieces, all.slice(from));
        this.#hold('', 0);
        return pieces;
      }
      const end = this.#endOf(all, open, search);
      if (end === undefined) {
        this.#text(pieces, all.slice(from, open));
        this.#hold(all.slice(open), all.length - open);
        return pieces;
      }
      const osc = end.whole ? readOsc(all.slice(open, end.at)) : undefined;
      if (osc !== undefined) {
        this.#text(pieces, all.slice(from, open));
        pieces.push({ text: all.slice(open, end.at), osc });
        from = end.at;
      }
      open = opening(all, end.at);
      search = 0;
    }
  }

  /** Gives up what is still held, as text. */
  end(): OscPiece[] {
    const pieces: OscPiece[] = [];
    this.#text(pieces, this.#held);
    this.#hold('', 0);
    return pieces;
  }

  #text(pieces: OscPiece[], text: string): void {
    if (text !== '') pieces.push({ text });
  }

  #hold(text: string, seen: number): void {
    this.#held = text;
    // The last character may be the first half of an ending.
    this.#seen = Math.max(0, seen - 1);
  }

  /**
   * Where what opens at `open` is over, and whether it came to a proper end; undefined while it may go on. `seen` counts
   * the characters of it that hold no ending.
   */
  #endOf(all: string, open: number, seen: number): { at: number; whole: boolean } | undefined {
    const bodyAt = open + (all[open] === '\u009d' ? 1 : 2);
    if (all.length < bodyAt) return undefined;
    const isWanted = this.#wants(all, bodyAt);
    if (isWanted === false) return { at: bodyAt, whole: false };
    ENDING.lastIndex = Math.max(bodyAt, open + seen);
    const ending = ENDING.exec(all);
    const stop = ending?.index ?? all.length;
    if (stop - open > this.#maxLength) return { at: bodyAt, whole: false };
    if (ending === null) return undefined;
    if (ending[0] !== '\u001b') return { at: ending[0] === '\u0007' || ending[0] === '\u009c' ? stop + 1 : stop, whole: true };
    if (stop + 1 >= all.length) return undefined;
    return all[stop + 1] === '\\' ? { at: stop + 2, whole: true } : { at: stop, whole: false };
  }

  /** Whether the code is one of those looked for; undefined while its digits may still be coming. */
  #wants(all: string, at: number): boolean | undefined {
    const head = all.slice(at, at + 6);
    const digits = /^\d*/.exec(head)?.[0] ?? '';
    if (at + digits.length < all.length || digits.length > 5) return this.#codes.has(digits);
    return CODE.test(digits) ? undefined : false;
  }
}

/** Where the next command may open, from `from` on; -1 when nowhere. */
function opening(all: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(all)?.index ?? -1;
}
