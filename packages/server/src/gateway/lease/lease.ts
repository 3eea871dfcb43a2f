import { GatewayError } from '../gateway-error.ts';

/** Why something was ended by the gateway: its producer was not heard of any more. */
export const PRODUCER_LOST = 'producer_lost' as const;
/** Why something was ended by the gateway: its producer said that it goes, and left it open. */
export const PRODUCER_ENDED = 'producer_ended' as const;

/** Bounds of the time a lease lives without being renewed, milliseconds. */
export const MIN_LEASE = 1_000;
export const MAX_LEASE = 120_000;
/** That time where nobody says it. */
export const DEFAULT_LEASE = 15_000;

/** Who writes, and how long what it leaves open may stand without a word of it. */
export interface LeaseClaim {
  /** The producer's own name, another one for each of its lives: 1 to 64 characters of `A-Z a-z 0-9 . _ ~ : -`. */
  readonly producer: string;
  /** Milliseconds, 1,000 to 120,000. Default 15,000. */
  readonly ttl?: number | undefined;
}

/** What a renewal came to. */
export interface LeaseRenewed {
  readonly producer: string;
  /** Milliseconds until it runs out. */
  readonly ttl: number;
  /** Operations and runs that are held under it. With none there is no lease: the next event that is applied begins one. */
  readonly held: number;
  /** False where there is no such lease: nothing was begun under it, it has ended, or the store has lost it. */
  readonly known: boolean;
}

/** A claim with every part in place. Throws a GatewayError for one that is none. */
export function checkLease({ producer, ttl = DEFAULT_LEASE }: LeaseClaim): Required<LeaseClaim> & { readonly ttl: number } {
  // No address can hold the two names that mean a folder: such a lease could be neither renewed nor given back.
  if (typeof producer !== 'string' || !/^(?!\.{1,2}$)[\w.~:-]{1,64}$/.test(producer)) {
    throw new GatewayError(
      'bad_request',
      'The producer of a lease must be named by 1 to 64 letters, digits or any of . _ ~ : -, not by dots alone.',
    );
  }
  if (typeof ttl !== 'number' || !(ttl >= MIN_LEASE && ttl <= MAX_LEASE)) {
    throw new GatewayError('bad_request', `A lease must live ${MIN_LEASE / 1_000} to ${MAX_LEASE / 1_000} seconds.`);
  }
  return { producer, ttl: Math.round(ttl) };
}
