/**
 * How fast counted work goes and how long what is left will take.
 *
 * Method. Samples of the amount are kept, at most 32, thinned in time. The rate is the amount gained by the time taken over
 * all intervals between them, each weighted by `2^(-age / 20 s)`, so that it follows the work without jumping with every
 * report. How well the intervals agree with that one rate gives its relative standard error.
 *
 * Confidence. Nothing is given until there are 5 samples over at least 2 s, the standard error is at most a quarter of the
 * rate, and the amount still moves: a gap since the newest sample of 3 s and more, and of more than four times the mean
 * interval, is a stall. Time left moreover needs a total that stood still over the newest 5 samples and lies above the
 * amount. An amount that falls, or a clock that does, starts afresh: what was measured before was of other work.
 */

/** One amount at one time. */
export interface AmountSample {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly current: number;
  /** The total as it was known then; absent when unknown. */
  readonly total?: number | undefined;
}

/** What can be said. Without confidence there is nothing to show. */
export type Estimate =
  | { readonly confident: false }
  | {
      readonly confident: true;
      /** Units per second, above 0. */
      readonly rate: number;
      /** Milliseconds until the total is reached at this rate, from `now`; absent when there is no settled total above the amount. */
      readonly remainingMs?: number | undefined;
    };

const MAX_SAMPLES = 32;
/** Samples closer together than a sixteenth of what is measured are one, within these bounds. */
const LEAST_SPACING_MS = 200;
const MOST_SPACING_MS = 2000;
const SPACINGS = 16;
const HALF_LIFE_MS = 20_000;
const MIN_SAMPLES = 5;
const MIN_SPAN_MS = 2000;
const MAX_ERROR = 0.25;
const STALL_MS = 3000;
const STALL_INTERVALS = 4;
const NOT_YET: Estimate = Object.freeze({ confident: false });

/**
 * The samples with a newer one. The same list comes back when it says nothing new; otherwise a new list, never longer than
 * 32. Numbers that are not finite are ignored, and a total of 0 or less is unknown.
 */
export function addSample(samples: readonly AmountSample[], sample: AmountSample): readonly AmountSample[] {
  const { at, current } = sample;
  if (!Number.isFinite(at) || !Number.isFinite(current)) return samples;
  const total = Number.isFinite(sample.total) && (sample.total as number) > 0 ? sample.total : undefined;
  const next: AmountSample = total === undefined ? { at, current } : { at, current, total };
  const last = samples.at(-1);
  if (last === undefined) return [next];
  if (at < last.at || current < last.current) return [next];
  if (current === last.current) {
    // The clock runs on from when the amount was first reached.
    return total === last.total ? samples : [...samples.slice(0, -1), { ...next, at: last.at }];
  }
  const before = samples.at(-2);
  // The newest sample moves along until it is far enough from the one before; the first stays, as the origin.
  if (before !== undefined && at - before.at < spacing(at - (samples[0] ?? last).at)) return [...samples.slice(0, -1), next];
  return samples.length < MAX_SAMPLES ? [...samples, next] : [...samples.slice(1), next];
}

function spacing(span: number): number {
  return Math.min(MOST_SPACING_MS, Math.max(LEAST_SPACING_MS, span / SPACINGS));
}

/** What the samples say at `now` (epoch milliseconds). Pure; the samples come from `addSample`. */
export function estimate(samples: readonly AmountSample[], now: number): Estimate {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < MIN_SAMPLES) return NOT_YET;
  const span = last.at - first.at;
  if (!(span >= MIN_SPAN_MS) || !Number.isFinite(now)) return NOT_YET;
  const silence = Math.max(0, now - last.at);
  if (silence > Math.max(STALL_MS, (STALL_INTERVALS * span) / (samples.length - 1))) return NOT_YET;
  const { rate, error } = weightedRate(samples, last.at);
  if (!(rate > 0) || !Number.isFinite(rate) || !(error <= MAX_ERROR)) return NOT_YET;
  const total = settledTotal(samples);
  if (total === undefined || total <= last.current) return { confident: true, rate };
  return { confident: true, rate, remainingMs: Math.max(0, ((total - last.current) / rate) * 1000 - silence) };
}

/** Units per second over all intervals, newer ones counting more, and the relative standard error of that ratio. */
function weightedRate(samples: readonly AmountSample[], now: number): { rate: number; error: number } {
  const intervals = samples.slice(1).map((sample, index) => {
    const before = samples[index] as AmountSample;
    return { gain: sample.current - before.current, time: sample.at - before.at, weight: 2 ** ((sample.at - now) / HALF_LIFE_MS) };
  });
  let gain = 0;
  let time = 0;
  for (const each of intervals) {
    gain += each.weight * each.gain;
    time += each.weight * each.time;
  }
  const rate = gain / time;
  const count = intervals.length;
  const squares = intervals.reduce((sum, each) => sum + (each.weight * (each.gain - rate * each.time)) ** 2, 0);
  return { rate: rate * 1000, error: Math.sqrt((squares * count) / (count - 1)) / gain };
}

/** The total, if it has not moved lately. One that grows with the amount says nothing about the end. */
function settledTotal(samples: readonly AmountSample[]): number | undefined {
  const newest = samples.slice(-MIN_SAMPLES);
  const total = newest.at(-1)?.total;
  return newest.every((sample) => sample.total === total) ? total : undefined;
}
