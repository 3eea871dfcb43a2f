/**
 * Where the bar stands: to be seen `soon`, `seen`, or `held` for a moment after the end; `never` if the work was over before it
 * was to be seen. Only the eye is spared: names, states and values are told at once.
 */
export type BarPhase = 'soon' | 'seen' | 'held' | 'never';

/** Before any page was opened; small whole numbers take no place of their own. */
const LONG_AGO = -1e9;

/** Keeps the bars of fast work from flashing. */
export class BarTiming {
  #firstAt = 0;
  #seenAt: number | undefined;
  /** Milliseconds until the phase changes by itself; undefined if it does not. */
  again: number | undefined;

  /** Another attempt is shown. */
  begin(ended: boolean, now: number): void {
    this.#firstAt = now;
    // What had ended before anybody looked needs no sparing.
    this.#seenAt = ended ? LONG_AGO : undefined;
  }

  /**
   * The phase now. `worked` is how long it has been at work as far as that is known, `delay` how long it
   * has to be before the bar is seen, `least` how long it is then seen at least; all in milliseconds.
   */
  phase(ended: boolean, worked: number | undefined, delay: number, least: number, now: number): BarPhase {
    const waited = Math.max(now - this.#firstAt, worked ?? 0);
    if (!ended && waited >= delay) this.#seenAt ??= now;
    const seenAt = this.#seenAt;
    const left = seenAt === undefined ? (ended ? 0 : delay - waited) : ended ? seenAt + least - now : 0;
    this.again = left > 0 ? left : undefined;
    return seenAt === undefined ? (ended ? 'never' : 'soon') : left > 0 ? 'held' : 'seen';
  }
}
