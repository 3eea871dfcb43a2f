import { addSample, estimate } from '@sitrep/schema/select';
import type { AmountSample, Estimate } from '@sitrep/schema/select';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { openSubject } from '../reporter/subject.ts';
import type { Subject, SubjectOptions } from '../reporter/subject.ts';
import { reportThrown } from '../reporter/track.ts';
import type { Patch, Reporter } from '../reporter/types.ts';

/** Counts towards one invocation. Nothing in it throws or waits. */
export interface Meter {
  /** The invocation; undefined when there is nothing to report on. */
  readonly reporter: Reporter | undefined;
  /** How much was counted. */
  readonly current: number;
  /** Adds to the amount. Told at most once per throttle, the newest never lost; a patch is told with it. */
  add(amount: number, patch?: Patch): void;
  /** Changes the total; null when it turned out to be unknown. */
  setTotal(total: number | null): void;
  /** Rate and time left as the amounts so far allow. */
  estimate(): Estimate;
  /** All of it was counted. */
  complete(): void;
  /** What was thrown ended it: an abort cancels, everything else fails. */
  fail(error: unknown): void;
  /** It ended before all was counted, and nobody said why. */
  stop(reason: string): void;
  /** It was told to end. */
  cancel(reason: string): void;
}

/** How a meter is told to end. */
export type MeterEnd = Pick<Meter, 'complete' | 'fail' | 'cancel'>;

/** Makes a meter; the invocation begins now. */
export function createMeter(options: SubjectOptions): Meter {
  return meterOn(openSubject(options), options);
}

/** Makes a meter on an invocation that has begun. */
export function meterOn({ reporter, own }: Subject, options: SubjectOptions): Meter {
  const { clock: given = systemClock, throttleMs = 100, unit } = options;
  const clock = survived(given);
  let total = typeof options.total === 'number' ? options.total : undefined;
  let current = 0;
  let samples: readonly AmountSample[] = addSample([], { at: clock.now(), current, total });
  let told = Number.NEGATIVE_INFINITY;
  let toldAmount = 0;
  let cancelTimer: (() => void) | undefined;
  if (!own) {
    const { title, activeTitle, message } = options;
    reporter?.update({ title, activeTitle, message, unit, total: options.total, current });
  }

  function tell(now: number, patch?: Patch): void {
    cancelTimer?.();
    cancelTimer = undefined;
    told = now;
    toldAmount = current;
    samples = addSample(samples, { at: now, current, total });
    if (reporter?.ended === false) reporter.update({ ...patch, current });
  }

  /** Counts once and for all: what is held is told, and an own invocation takes its end. */
  function end(how: (reporter: Reporter, patch: Patch) => void): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (reporter === undefined || reporter.ended) return;
    if (own) how(reporter, { current });
    else if (current !== toldAmount) reporter.update({ current });
  }

  return {
    reporter,
    get current() {
      return current;
    },
    add(amount, patch) {
      current += amount;
      if (reporter === undefined) return;
      const now = clock.now();
      const since = now - told;
      // Below the throttle nothing is built: this runs once per item or chunk of whatever is counted.
      if (patch !== undefined || !(since >= 0 && since < throttleMs)) return tell(now, patch);
      cancelTimer ??= clock.after(throttleMs - since, () => tell(clock.now()));
    },
    setTotal(next) {
      total = next ?? undefined;
      if (reporter?.ended === false) reporter.update({ total: next, current });
    },
    estimate() {
      const now = clock.now();
      samples = addSample(samples, { at: now, current, total });
      return estimate(samples, now);
    },
    complete: () => end((it, patch) => it.complete(patch)),
    fail: (error) => end((it, patch) => reportThrown(it, error, patch)),
    stop: (reason) => end((it, patch) => it.interrupt(reason, patch)),
    cancel: (reason) => end((it, patch) => it.cancel(reason, patch)),
  };
}

/** A clock that throws costs the estimate, not the work: without a time everything is told at once. */
function survived(clock: Clock): Pick<Clock, 'now' | 'after'> {
  return {
    now() {
      try {
        return clock.now();
      } catch {
        return Number.NaN;
      }
    },
    after(ms, run) {
      try {
        return clock.after(ms, run);
      } catch {
        run();
        return () => {};
      }
    },
  };
}
