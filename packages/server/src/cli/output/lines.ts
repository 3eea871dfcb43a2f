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
/** A return to the first column is written in either way. To another screen, or back from it, is an end too. */
// oxlint-disable-next-line no-control-regex -- looks for control characters
const ENDING = /\r\n|\r(?=.)|\n|\u001B\[1?G|\u001B\[\?(?:1049|1047|47)[hl]/gs;
/** How a program comes back from the screen of its own that editors and pagers open. */
const BACK = ['1049', '1047', '47'].map((mode) => Buffer.from(`\u001B[?${mode}l`));
// oxlint-disable-next-line no-control-regex -- looks for control characters
const CURSOR = /\u001B\[\d*[AF]/;

/**
 * Cuts the bytes of a stream into lines. Costs a bounded amount per chunk: of a flood only the newest lines are seen.
 */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #restRedraws = false;
  /** On a screen of its own a program shows where somebody is in it, and nothing of that is how far its work is. */
  #away = false;

  /** The lines that ended within this chunk, oldest first. */
  push(chunk: Buffer): OutputLine[] {
    const text = this.#decoder.write(chunk);
    const all = text.length > WINDOW ? text.slice(-WINDOW) : this.#rest + text;
    const lines: OutputLine[] = [];
    let start = 0;
    for (const { 0: ending, index } of all.matchAll(ENDING)) {
      const switches = ending.startsWith('\u001B[?');
      const returned = ending === '\r' || (ending.startsWith('\u001B') && !switches);
      if (!this.#away) lines.push(this.#line(all.slice(start, index), returned));
      if (switches) this.#away = ending.endsWith('h');
      this.#restRedraws = returned;
      start = index + ending.length;
    }
    this.#rest = all.slice(start).slice(-WINDOW);
    return lines;
  }

  /** Goes over a chunk of a flood that is not looked at otherwise. */
  skip(chunk: Buffer): void {
    if (this.#away && BACK.some((back) => chunk.includes(back))) this.#away = false;
  }

  /** What has been written since the last line ended, when it draws over what stood there: it may already be the whole of it. */
  get redrawing(): OutputLine | undefined {
    return !this.#away && this.#restRedraws && this.#rest !== '' ? { text: this.#rest, redrawn: true, open: true } : undefined;
  }

  /** What has been written since the last line ended. */
  get rest(): string {
    return this.#rest;
  }

  #line(text: string, returned: boolean): OutputLine {
    return { text, redrawn: returned || this.#restRedraws || CURSOR.test(text) };
  }
}
