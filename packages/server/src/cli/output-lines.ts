import { StringDecoder } from 'node:string_decoder';

/** One line of output as it was written, escape sequences included. */
export interface OutputLine {
  readonly text: string;
  /** True when it ended with a carriage return: it is redrawn in place, as progress bars are. */
  readonly redrawn: boolean;
}

/** Characters of one chunk that are looked at: what came before is superseded by them. */
const WINDOW = 16_384;

/**
 * Cuts the bytes of a stream into lines. Costs a bounded amount per chunk: of a flood only the newest lines are seen.
 */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** The lines that ended within this chunk, oldest first. */
  push(chunk: Buffer): OutputLine[] {
    const text = this.#decoder.write(chunk);
    const all = text.length > WINDOW ? text.slice(-WINDOW) : this.#rest + text;
    const lines: OutputLine[] = [];
    let start = 0;
    for (const { 0: ending, index } of all.matchAll(/\r\n|\r(?=.)|\n/gs)) {
      lines.push({ text: all.slice(start, index), redrawn: ending === '\r' });
      start = index + ending.length;
    }
    this.#rest = all.slice(start).slice(-WINDOW);
    return lines;
  }

  /** What has been written since the last line ended. */
  get rest(): string {
    return this.#rest;
  }
}
