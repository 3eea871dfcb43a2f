/** A producer's word that it will be heard of again: what it has open in a session stays open until then. */
export interface Lease {
  readonly session: string;
  /** The producer's own name: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ : -`. */
  readonly producer: string;
  /** Milliseconds from one renewal to the end of the lease. */
  readonly ttl: number;
  /** When it runs out, epoch milliseconds by the clock of the store, where it has one, else by the gateway's. */
  readonly expiresAt: number;
}

/** What one producer has open. */
export interface Hold {
  /** `operationKey` of an operation, `runKey` of a run. */
  readonly key: string;
  /** Who wrote it last under a lease; undefined when it is open no more. */
  readonly producer: string | undefined;
}

/** The leases of one session, and what is held by whom. */
export interface SessionLeases {
  readonly leases: readonly Lease[];
  /** Producers by key. What has ended may still be in it. */
  readonly holds: ReadonlyMap<string, string>;
}

/**
 * Keeps leases, so that a gateway that was started again, or another one, knows whose they are. They begin with a commit
 * that names them; a session that is let go takes its own along.
 */
export interface LeaseStore {
  /** Moves the ends of leases that are there. Answers for each how much is held under it; undefined where there is no such lease. */
  renew(leases: readonly Lease[]): Promise<readonly (number | undefined)[]>;
  /** Leases that ran out before `now`, and those that end after `until`, which no clock that is right can have given; at most `limit`. */
  expired(options: { readonly now: number; readonly until: number; readonly limit: number }): Promise<readonly Lease[]>;
  /** All of one session. */
  of(session: string): Promise<SessionLeases>;
  /**
   * Epoch milliseconds by a clock that all who use this store have in common: where several machines do, their own may differ by more
   * than a lease lives. Default: there is one machine, and its clock is used.
   */
  readonly time?: (() => Promise<number>) | undefined;
  /** Lets a lease go with all that is held under it, unless it was renewed: unless its end is another one. */
  drop(lease: Lease): Promise<void>;
}
