/** Of the time, how much may go into reading the whole list: one part in so many. */
const SHARE = 4;
/** Milliseconds one waits for it at most. */
const MAX_WAIT_MS = 1_000;

/**
 * Reads a list that is long, of which each of those who ask may see a part: those who ask while it is not yet their turn
 * share one reading, and after one that took long there is a pause, so that no number of them stops everything else.
 */
export class PacedList<T> {
  readonly #read: () => Promise<T>;
  #next: Promise<T> | undefined;
  /** The reading that is under way; it does not reject. */
  #reading: Promise<unknown> = Promise.resolve();
  /** By the steady clock. */
  #free = -Infinity;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** The list as it is now, or in a moment; never as it was before this was asked. */
  get(): Promise<T> {
    this.#next ??= this.#turn();
    return this.#next;
  }

  async #turn(): Promise<T> {
    await this.#reading;
    const wait = Math.max(0, this.#free - performance.now());
    // Whoever asks in the same turn of the loop joins in.
    await new Promise((resolve) => (wait > 0 ? setTimeout(resolve, wait) : setImmediate(resolve)));
    this.#next = undefined;
    const began = performance.now();
    const list = this.#read();
    const pause = (): void => {
      const now = performance.now();
      this.#free = now + Math.min(MAX_WAIT_MS, (now - began) * (SHARE - 1));
    };
    this.#reading = list.then(pause, pause);
    return list;
  }
}
