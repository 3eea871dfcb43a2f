import type { Lease, LeaseStore } from '../../store/lease-store.ts';
import type { Clock } from '../clock.ts';
import { MAX_LEASE } from './lease.ts';
import type { Log } from '../log.ts';

/** Milliseconds between two looks for leases that have run out. */
const SWEEP_MS = 1_000;
/** Looks that may be missed before it counts as having been away: stopped, suspended, or too busy to hear anybody. */
const MISSED = 2.5;
/** Milliseconds two clocks may differ without being corrected. */
const SKEW_MS = 500;
/** Leases that are ended in one look, about. */
const SWEEP_LIMIT = 1_000;

interface KeeperParts {
  readonly store: LeaseStore | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends what is held under a lease that has run out. */
  readonly end: (lease: Lease) => Promise<unknown>;
}

interface Waiting {
  readonly lease: Lease;
  readonly resolve: (held: number | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Renews leases and finds those that have run out. Nobody is taken for lost because of us: after a time in which this
 * gateway could not hear anybody (it was started, stopped, suspended, or its store was away) every producer has the whole
 * time of its lease to be heard of again.
 */
export class LeaseKeeper {
  readonly #parts: KeeperParts;
  readonly #stop: () => void;
  #wall: number;
  #steady: number;
  #time: number;
  /** When it looked last. */
  #ticked: number;
  /** How far the clock of the store is ahead of that, where it has one. */
  #ahead = 0;
  /** Since when it has been hearing everybody, by its own clock. */
  #awake: number;
  #sweeping: Promise<void> | undefined;
  #failing = false;
  #waiting: Waiting[] = [];
  #renewing = false;
  /** Leases to look at in one look. */
  #limit = SWEEP_LIMIT;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#wall = parts.clock.now();
    this.#steady = this.#monotonic();
    this.#time = this.#wall;
    this.#awake = this.#time;
    this.#ticked = this.#time;
    if (parts.store) void this.#compare(parts.store).catch(() => undefined);
    this.#stop = parts.store ? parts.clock.every(SWEEP_MS, () => this.#tick()) : () => undefined;
  }

  /** Epoch milliseconds by the clock of the store, as far as it is known, where it has one; else by our own. */
  now(): number {
    return this.#own() + this.#ahead;
  }

  /**
   * Epoch milliseconds that never go back: where the clock of the machine is set back they go on at the pace of its timers,
   * where it is set forward, or the machine slept, they follow.
   */
  #own(): number {
    const wall = this.#parts.clock.now();
    const steady = this.#monotonic();
    this.#time += Math.max(0, wall - this.#wall, steady - this.#steady);
    this.#wall = wall;
    this.#steady = steady;
    return this.#time;
  }

  /** A lease that begins now. */
  begin(session: string, { producer, ttl }: { readonly producer: string; readonly ttl: number }): Lease {
    return { session, producer, ttl, expiresAt: this.now() + ttl };
  }

  /** Renews a lease, together with others that are renewed at the same time. Answers how much is held under it; undefined where there is none. */
  renew(lease: Lease): Promise<number | undefined> {
    if (!this.#parts.store) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lease, resolve, reject });
      if (!this.#renewing) void this.#renew(this.#parts.store as LeaseStore);
    });
  }

  /** Looks no more; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stop();
    await this.#sweeping;
  }

  #monotonic(): number {
    const { clock } = this.#parts;
    return clock.monotonic?.() ?? clock.now();
  }

  async #renew(store: LeaseStore): Promise<void> {
    this.#renewing = true;
    while (this.#waiting.length > 0) {
      // What comes in the same turn shares one write.
      await new Promise((resolve) => setImmediate(resolve));
      const waiting = this.#waiting;
      this.#waiting = [];
      try {
        const held = await store.renew(waiting.map(({ lease }) => lease));
        for (const [n, { resolve }] of waiting.entries()) resolve(held[n]);
      } catch (error) {
        this.#awake = this.#own();
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#renewing = false;
  }

  /** Finds out how far the clock of the store is ahead. What an answer takes on its way is no difference. */
  async #compare(store: LeaseStore): Promise<void> {
    if (!store.time) return;
    const asked = this.#own();
    const time = await store.time();
    const ahead = time - (asked + this.#own()) / 2;
    if (Math.abs(ahead - this.#ahead) > SKEW_MS) this.#ahead = Math.round(ahead);
  }

  #tick(): void {
    const now = this.#own();
    if (now - this.#ticked > MISSED * SWEEP_MS) this.#awake = now;
    this.#ticked = now;
    this.#sweeping ??= this.#sweep(this.#parts.store as LeaseStore).finally(() => (this.#sweeping = undefined));
  }

  /** Never rejects. */
  async #sweep(store: LeaseStore): Promise<void> {
    try {
      await this.#compare(store);
      const now = this.now();
      const leases = await store.expired({ now, until: now + 2 * MAX_LEASE, limit: this.#limit });
      // A clock that was wrong gave it this end: it has its time from now on.
      const wrong = leases.filter(({ expiresAt }) => expiresAt > now).map((lease) => ({ ...lease, expiresAt: now + lease.ttl }));
      if (wrong.length > 0) await store.renew(wrong);
      const lost = leases.filter(({ expiresAt, ttl }) => expiresAt <= now && this.#own() - this.#awake >= ttl);
      // Leases whose time begins anew must not keep those behind them from being found.
      this.#limit = SWEEP_LIMIT + leases.length - lost.length;
      await Promise.all(lost.map((lease) => this.#parts.end(lease)));
      this.#failing = false;
    } catch (error) {
      // While the store is away nobody can renew: then nobody is lost either.
      this.#awake = this.#own();
      const reason = (error as Error).message;
      // Once for as long as it lasts: each look would say the same.
      if (!this.#failing) this.#parts.log(`Leases could not be looked at: ${reason}`, { event: 'leases_failed', reason });
      this.#failing = true;
    }
  }
}
