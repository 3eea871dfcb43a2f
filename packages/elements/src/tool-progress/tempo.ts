import { addSample, estimate, pace, percent } from '@sitrep/schema/select';
import type { AmountSample, Language } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';

/** What must not change between two samples of one piece of work. */
const SAME = ['run', 'id', 'attempt', 'unit'] as const;

/** How fast an operation goes and how long it will still take, by what was seen of it. Keeps 32 samples at most. */
export class Tempo {
  #samples: readonly AmountSample[] = [];
  #last: Operation | undefined;
  /** When the newest sample was taken, by the reader's clock: the producer's may be another. */
  #heardAt = 0;

  /**
   * "3.2 MiB/s", "about 25 sec left", as far as both can be relied on. A part without amounts has no rate; what does not run has
   * none either, and when it goes on it is measured afresh.
   */
  words(operation: Operation, now: number, language: Language): readonly string[] {
    const { current, total, fraction, updatedAt: at, unit } = operation;
    const last = this.#last;
    const counted = current !== undefined;
    const before =
      last && counted === (last.current !== undefined) && SAME.every((key) => last[key] === operation[key]) ? this.#samples : [];
    this.#last = operation;
    if (operation.state !== 'running') {
      this.#samples = [];
      return [];
    }
    this.#samples = addSample(before, counted ? { at, current, total } : { at, current: (fraction ?? NaN) * 100, total: 100 });
    if (this.#samples !== before) this.#heardAt = now;
    const seenAt = (this.#samples.at(-1)?.at ?? 0) + Math.max(0, now - this.#heardAt);
    const said = percent(operation) === 100 ? undefined : pace(estimate(this.#samples, seenAt), unit, language);
    return [counted && said?.rate, said?.left].filter((text) => !!text) as string[];
  }
}
