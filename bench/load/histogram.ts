/** Times in tenths of a millisecond up to ten seconds: as many as come, in memory that does not grow. */
export class Histogram {
  readonly #counts = new Uint32Array(100_000);
  #total = 0;

  add(ms: number): void {
    const at = Math.min(this.#counts.length - 1, Math.max(0, Math.floor(ms * 10)));
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#total += 1;
  }

  get total(): number {
    return this.#total;
  }

  /** The time that this share of all does not exceed, milliseconds; NaN without any. */
  at(share: number): number {
    let left = Math.ceil(this.#total * share);
    for (let n = 0; n < this.#counts.length; n += 1) {
      left -= this.#counts[n] ?? 0;
      if (left <= 0 && this.#total > 0) return (n + 1) / 10;
    }
    return Number.NaN;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }
}
