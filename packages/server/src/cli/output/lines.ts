import { StringDecoder } from 'node:string_decoder';

/** One line of output as it was written, escape sequences included. */
export interface OutputLine {
  readonly text: string;
  /** True when it is drawn over itself, as progress bars are: by a carriage return before or after it, or by moving the cursor. */
  readonly redrawn: boolean;
  /** Nothing has ended it yet. */
  readonly open?: boolean;
}

/** Characters of one chunk that are looked at: what came before is superseded by them. */
const WINDOW = 65_536;
/** A return to the first column is written in either way. */
// oxlint-disable-next-line no-control-regex -- looks for control characters
const ENDING = /\r\n|\r(?=.)|\n|\u001B\[1?G/gs;
// oxlint-disable-next-line no-control-regex -- looks for control characters
const CURSOR = /\u001B\[\d*[AF]/;

/**
 * Cuts the bytes of a stream into lines. Costs a bounded amount per chunk: of a flood only the newest lines are seen.
 */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #restRedraws = false;

  /** The lines that ended within this chunk, oldest first. */
  push(chunk: Buffer): OutputLine[] {
    const text = this.#decoder.write(chunk);
    const all = text.length > WINDOW ? text.slice(-WINDOW) : this.#rest + text;
    const lines: OutputLine[] = [];
    let start = 0;
    for (const { 0: ending, index } of all.matchAll(ENDING)) {
      const returned = ending === '\r' || ending.startsWith('\u001B');
      lines.push(this.#line(all.slice(start, index), returned));
      this.#restRedraws = returned;
      start = index + ending.length;
    }
    this.#rest = all.slice(start).slice(-WINDOW);
    return lines;
  }

  /** What has been written since the last line ended, when it draws over what stood there: it may already be the whole of it. */
  get redrawing(): OutputLine | undefined {
    return this.#restRedraws && this.#rest !== '' ? { text: this.#rest, redrawn: true, open: true } : undefined;
  }

  /** What has been written since the last line ended. */
  get rest(): string {
    return this.#rest;
  }

  #line(text: string, returned: boolean): OutputLine {
    return { text, redrawn: returned || this.#restRedraws || CURSOR.test(text) };
  }
}
