import { cleanLine } from '@sitrep/schema/check';
import { OutputLines } from './lines.ts';
import type { OutputLine } from './lines.ts';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { OscReader } from './osc.ts';
import type { Place } from './osc.ts';
import { recogniserOf } from './tools.ts';
import type { Recogniser, Said } from './types.ts';

/** Milliseconds between two looks at the output. */
const LOOK_MS = 100;
/** Bytes of one stream that are looked at each time: of a flood, the newest. */
const WINDOW = 65_536;
const END_OF_LINE = Buffer.from('\n');
/** Bytes of a flood that are looked at: what was counted in it is lost anyway. */
const FLOOD_WINDOW = 16_384;
/** Something to read, not a spinner, a bar or a bare number. */
const WORDS = /\p{L}/u;

/** Where the chunks of one stream go. */
export interface OutputStream {
  push(chunk: Buffer): void;
}

/** What a reader needs besides the command. */
export interface ReaderOptions {
  /** The operation that is the command. */
  readonly place?: Place;
  /** Takes what the command says of operations inside it. */
  readonly emit?: (event: ProgressEvent) => void;
  /** Default: a timer. */
  readonly later?: Later;
}

/** Runs something later; answers how not to. */
export type Later = (ms: number, run: () => void) => () => void;

const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Reads what the output of a command says of its work. Passing the output on must not wait for that, so chunks are only
 * put aside, and looked at a few times a second.
 */
export class OutputReader {
  readonly #recogniser: Recogniser;
  readonly #report: (said: Said) => void;
  readonly #later: Later;
  readonly #osc: OscReader;
  /** What sequences said since the last look. */
  #announced: Said = {};
  readonly #streams: HeldStream[] = [];
  #cancel: (() => void) | undefined;

  constructor(command: readonly string[], report: (said: Said) => void, options: ReaderOptions = {}) {
    this.#recogniser = recogniserOf(command);
    this.#osc = new OscReader(options.place ?? { session: 'default', id: 'command' }, options.emit ?? ((): void => undefined));
    this.#report = report;
    this.#later = options.later ?? later;
  }

  /** Another stream of the same command. */
  stream(): OutputStream {
    const stream = new HeldStream(() => this.#wake());
    this.#streams.push(stream);
    return {
      push: (chunk) => {
        const announced = this.#osc.push(chunk);
        if (announced) this.#announced = { ...this.#announced, ...announced };
        stream.push(chunk);
      },
    };
  }

  /** Looks at what has come, now. With `last`, nothing more will come, so that a line without an end is one too. */
  look(last = false): void {
    this.#cancel?.();
    this.#cancel = undefined;
    let said: Said = {};
    for (const stream of this.#streams) {
      const { lines, missed } = stream.take(last);
      if (missed) this.#recogniser.missed?.();
      for (const line of lines) said = { ...said, ...this.#line(line) };
    }
    said = { ...said, ...this.#announced };
    this.#announced = {};
    if (last) this.#osc.end();
    if (Object.keys(said).length > 0) this.#report(said);
  }

  #wake(): void {
    this.#cancel ??= this.#later(LOOK_MS, () => {
      this.#cancel = undefined;
      this.look();
    });
  }

  #line({ text: raw, redrawn, open = false }: OutputLine): Said | undefined {
    // Bytes that are no text can look like anything.
    if (raw.includes('\uFFFD')) return undefined;
    const text = cleanLine(raw).trim();
    if (text === '') return undefined;
    const read = this.#recogniser.read({ text, redrawn, open });
    const said = read && this.#osc.speaks ? wordsOf(read) : read;
    if (open) return said === undefined ? undefined : amountsOf(said);
    return said?.message === undefined && WORDS.test(text) ? { message: text, ...said } : said;
  }
}

/** Where the program shows an amount by itself, of its lines only the words. */
function wordsOf({ message, waiting }: Said): Said {
  return { ...(message === undefined ? undefined : { message }), ...(waiting === undefined ? undefined : { waiting }) };
}

/** Of a line that is not whole yet only what cannot be half: its words may be. */
function amountsOf(said: Said): Said {
  const { message, ...amounts } = said;
  return message === undefined ? said : amounts;
}

class HeldStream implements OutputStream {
  readonly #lines = new OutputLines();
  readonly #wake: () => void;
  #held: Buffer[] = [];
  #size = 0;
  #missed = false;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  push(chunk: Buffer): void {
    this.#held.push(chunk);
    this.#size += chunk.length;
    while (this.#held.length > 1 && this.#size - (this.#held[0] as Buffer).length >= WINDOW) {
      const skipped = this.#held.shift() as Buffer;
      this.#size -= skipped.length;
      this.#lines.skip(skipped);
      this.#missed = true;
    }
    this.#wake();
  }

  take(last: boolean): { readonly lines: readonly OutputLine[]; readonly missed: boolean } {
    if (this.#size === 0 && !last) return { lines: [], missed: false };
    if (last) this.#held.push(END_OF_LINE);
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    const missed = this.#missed || all.length > WINDOW;
    this.#held = [];
    this.#size = 0;
    this.#missed = false;
    if (missed) this.#lines.skip(all.subarray(0, -FLOOD_WINDOW));
    const lines = this.#lines.push(missed ? all.subarray(-FLOOD_WINDOW) : all);
    const { redrawing } = this.#lines;
    return { lines: redrawing ? [...lines, redrawing] : lines, missed };
  }
}
