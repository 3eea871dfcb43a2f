/** How long a request to cancel is taken to be on its way, milliseconds. After that the reader may ask again. */
const ANSWER = 10_000;

/** Whether somebody has asked to cancel and may still expect an answer: a button must not stay dead for want of one. */
export class CancelWatch {
  #of: string | undefined;
  #since: number | undefined;

  /** The reader asks, now. */
  ask(now: number): void {
    this.#since = now;
  }

  /** True while an answer may still come. `of` names the attempt; what its record says counts from when that is first seen. */
  isWaiting(of: string, requested: boolean | undefined, now: number): boolean {
    if (of !== this.#of) this.#since = undefined;
    this.#of = of;
    if (requested) this.#since ??= now;
    return this.#since !== undefined && Math.abs(now - this.#since) < ANSWER;
  }
}
