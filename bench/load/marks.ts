/**
 * Events that can be followed through any transport: each holds `"n":<number>,"sent":<milliseconds>`, and nothing else is read of
 * what comes. Times are of the machine's one steady clock, so that processes can compare them.
 */

const NUMBER = '"n":';
const SENT = ',"sent":';
/** Characters a mark has at most: so many are kept of what came last, in case one was cut. */
const LONGEST = 48;

/** Milliseconds of the steady clock, the same in every process. */
export function steadyNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What an event carries so that its readers can tell which it is and when it was sent. */
export function mark(n: number): { readonly n: number; readonly sent: number } {
  return { n, sent: Math.round(steadyNow() * 1_000) / 1_000 };
}

/** Finds the marks in what one connection brings, cut anywhere. */
export class MarkReader {
  #rest = '';
  readonly #found: (n: number, sent: number) => void;

  constructor(found: (n: number, sent: number) => void) {
    this.#found = found;
  }

  take(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1');
    let done = 0;
    for (let at = text.indexOf(NUMBER); at >= 0; at = text.indexOf(NUMBER, at + 1)) {
      const sent = text.indexOf(SENT, at);
      if (sent < 0) break;
      const end = endOfNumber(text, sent + SENT.length);
      if (end < 0) break;
      done = end;
      const n = Number(text.slice(at + NUMBER.length, sent));
      if (Number.isInteger(n)) this.#found(n, Number(text.slice(sent + SENT.length, end)));
    }
    this.#rest = text.slice(Math.max(done, text.length - LONGEST));
  }
}

/** Where a number ends; -1 when the text ends first. */
function endOfNumber(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 46 && (code < 48 || code > 57)) return at;
  }
  return -1;
}
