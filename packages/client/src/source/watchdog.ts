import type { Clock } from '../clock.ts';

/** Silence of this many heartbeat intervals means that the connection is dead. */
const INTERVALS = 2.5;
const LEARNT_MIN = 1_000;
const LEARNT_MAX = 300_000;

/** Notices a connection on which nothing arrives any more, though nobody closed it. */
export interface Watchdog {
  /** Starts watching one connection. Without a beat within 2.5 heartbeat intervals, `onSilence` is called once. */
  arm(onSilence: () => void): void;
  /** Something arrived. `heartbeat`: it was the named heartbeat, whose spacing is learnt. */
  beat(heartbeat: boolean): void;
  /** Stops watching. */
  disarm(): void;
}

/** A watchdog that nothing appeases: `ms` milliseconds for the whole connection. `Infinity` never raises an alarm. */
export function createDeadline(clock: Clock, ms: number): Pick<Watchdog, 'arm' | 'disarm'> {
  let timer: unknown;
  return {
    arm(onSilence) {
      if (ms < Infinity) timer = clock.setTimeout(onSilence, ms);
    },
    disarm() {
      clock.clearTimeout(timer);
    },
  };
}

/**
 * A watchdog that begins with `interval` milliseconds between heartbeats and learns the true spacing: the larger of the
 * last two gaps on one connection, within 1 s and 5 min. Two, because after a frozen tab or a stalled link late
 * heartbeats arrive in a burst and a single short gap says nothing. An alarm forgets what was learnt, so that a wrong
 * lesson costs one reconnect and no more. `Infinity` or 0 never raises an alarm.
 */
export function createWatchdog(clock: Clock, interval: number): Watchdog {
  let expected = interval;
  let lastBeat = 0;
  let lastHeartbeat: number | undefined;
  let lastGap: number | undefined;
  let timer: unknown;

  const limit = () => expected * INTERVALS;
  return {
    arm(onSilence) {
      this.disarm();
      lastBeat = clock.now();
      lastHeartbeat = lastGap = undefined;
      if (!(interval > 0 && interval < Infinity)) return;
      const watch = (ms: number) => {
        timer = clock.setTimeout(() => {
          // A clock that jumped back must not keep a dead connection for longer than one more limit.
          const left = Math.min(limit() - (clock.now() - lastBeat), limit());
          if (left > 0) return watch(left);
          expected = interval;
          onSilence();
        }, ms);
      };
      watch(limit());
    },
    beat(heartbeat) {
      lastBeat = clock.now();
      if (!heartbeat) return;
      if (lastHeartbeat !== undefined) {
        const gap = lastBeat - lastHeartbeat;
        if (lastGap !== undefined) expected = Math.min(Math.max(gap, lastGap, LEARNT_MIN), LEARNT_MAX);
        lastGap = gap;
      }
      lastHeartbeat = lastBeat;
    },
    disarm() {
      clock.clearTimeout(timer);
    },
  };
}
