import type { Hold, Lease } from '../../store/lease-store.ts';

/** Of its time, how much a lease may be behind in the store: renewals that come with events need not all be written. */
const BEHIND = 1 / 6;

/** What is open in one session, by whom it is held, and what of that the store does not know yet. */
export class Held {
  /** Producers by key. Knows what was written since the session was read; the store knows the rest. */
  readonly #holders = new Map<string, string>();
  readonly #leases = new Map<string, Lease>();
  #changed = new Map<string, string | undefined>();
  #renewed = new Map<string, Lease>();

  /** True when the store does not know everything. */
  get dirty(): boolean {
    return this.#changed.size > 0 || this.#renewed.size > 0;
  }

  /** Who holds this, as far as it was written since the session was read. */
  holder(key: string): string | undefined {
    return this.#holders.get(key);
  }

  /** The lease of a producer as it was last heard of with an event. */
  lease(producer: string): Lease | undefined {
    return this.#leases.get(producer);
  }

  /** Something is open, and was just written under a lease. */
  hold(key: string, lease: Lease): void {
    if (this.#holders.get(key) !== lease.producer) this.pass(key, lease.producer);
    const known = this.#leases.get(lease.producer);
    if (known?.ttl === lease.ttl && lease.expiresAt - known.expiresAt < lease.ttl * BEHIND) return;
    this.#leases.set(lease.producer, lease);
    this.#renewed.set(lease.producer, lease);
  }

  /** Something open goes over to another producer. */
  pass(key: string, producer: string): void {
    this.#holders.set(key, producer);
    this.#changed.set(key, producer);
  }

  /** Something is open no more. `known` when the store may think it held though nothing here says so. */
  release(key: string, known: boolean): void {
    if (this.#holders.delete(key) || known) this.#changed.set(key, undefined);
  }

  /** Forgets a lease that has ended. */
  forget(producer: string): void {
    this.#leases.delete(producer);
    this.#renewed.delete(producer);
  }

  /** Nothing is held any more, and the store will know without being told. */
  clear(): void {
    for (const map of [this.#holders, this.#leases, this.#changed, this.#renewed]) map.clear();
  }

  /** What the store does not know. Forgets that it does not. */
  take(): { readonly leases?: readonly Lease[]; readonly holds?: readonly Hold[] } {
    if (!this.dirty) return {};
    const leases = [...this.#renewed.values()];
    const holds = [...this.#changed].map(([key, producer]) => ({ key, producer }));
    this.#changed = new Map();
    this.#renewed = new Map();
    return { leases, holds };
  }
}
