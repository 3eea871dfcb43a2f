import type { Clock } from '../clock.ts';
import type { McpTimeLimits } from './types.ts';

/** Which limit a call has reached. */
export type Reached = 'idle' | 'unchanged' | 'total';

/** Milliseconds until progress that only repeats itself is no longer taken for work. */
export function unchangedMs({ idleMs, unchangedMs: given }: McpTimeLimits): number {
  return given ?? 5 * idleMs;
}

/** What timers take; more makes them fire at once. */
const LONGEST = 2_000_000_000;

/** Throws a TypeError for limits no timer could keep, so that a mistake is no call given up at once. */
export function checkLimits(limits: McpTimeLimits | undefined): void {
  for (const name of ['idleMs', 'totalMs', 'unchangedMs'] as const) {
    const value = limits?.[name];
    if (limits === undefined || (name === 'unchangedMs' && value === undefined)) continue;
    if (typeof value !== 'number' || !(value > 0 && value <= LONGEST))
      throw new TypeError(`limits.${name} must be milliseconds above 0 and at most ${LONGEST}, not ${String(value)}.`);
  }
}

/** A timer that comes this much too late, milliseconds, says that this side stood still, not that the server did. */
const STALLED = 50;

/** Keeps the time of one call. It ends by `expire`, once, or by `stop`. */
export class CallLimit {
  readonly #clock: Clock;
  readonly #limits: McpTimeLimits;
  readonly #unchangedMs: number;
  readonly #expire: (reached: Reached) => void;
  readonly #stopTotal: () => void;
  #stopIdle: (() => void) | undefined;
  #heard: number;
  #changed: number;
  #held = 0;
  #waiting = false;

  constructor(clock: Clock, limits: McpTimeLimits, expire: (reached: Reached) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#unchangedMs = unchangedMs(limits);
    this.#expire = expire;
    this.#heard = this.#changed = clock.now();
    this.#stopTotal = clock.after(limits.totalMs, () => this.#end('total'), true);
    this.#arm();
  }

  /** Something was heard of the call; `isNew` when it says something else than before. */
  heard(isNew: boolean): void {
    this.#heard = this.#clock.now();
    if (isNew) this.#changed = this.#heard;
  }

  /** Silence is ours while somebody on this side is asked. Holds add up. */
  hold(): void {
    this.#held += 1;
    this.#stopIdle?.();
    this.#stopIdle = undefined;
  }

  /** Takes one hold back; what was silence until now does not count. */
  release(): void {
    if (this.#held === 0) return;
    this.#held -= 1;
    if (this.#held > 0) return;
    this.heard(true);
    this.#arm();
  }

  /** Holds while the server itself says that it waits for a person. */
  waits(isWaiting: boolean): void {
    if (isWaiting === this.#waiting) return;
    this.#waiting = isWaiting;
    if (isWaiting) this.hold();
    else this.release();
  }

  stop(): void {
    this.#stopTotal();
    this.#stopIdle?.();
    this.#stopIdle = undefined;
  }

  /** Set once and looked at again when it is due: a call may report thousands of times. */
  #arm(): void {
    const now = this.#clock.now();
    const rest = Math.max(0, this.#due - now);
    this.#stopIdle = this.#clock.after(rest, () => this.#look(now + rest), true);
  }

  /** What is repeated puts the end off, until it has been repeated for too long; it never brings the end nearer. */
  get #due(): number {
    const { idleMs } = this.#limits;
    return Math.max(this.#changed + idleMs, Math.min(this.#heard + idleMs, this.#changed + this.#unchangedMs));
  }

  #look(expected: number): void {
    this.#stopIdle = undefined;
    const now = this.#clock.now();
    if (now < this.#due) return this.#arm();
    // What the server has said meanwhile may lie unread: it is read before the next timer.
    if (now - expected > STALLED) this.#stopIdle = this.#clock.after(1, () => this.#look(now + STALLED), true);
    else this.#end(now >= this.#heard + this.#limits.idleMs ? 'idle' : 'unchanged');
  }

  #end(reached: Reached): void {
    this.stop();
    this.#expire(reached);
  }
}
