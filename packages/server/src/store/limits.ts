import { STORE_LIMITS } from './store.ts';
import type { SessionChange, StoreLimits } from './store.ts';

/** Milliseconds between two looks for sessions that are too old. */
const AGE_CHECK_MS = 60_000;

/** Limits with their defaults in place. */
export type ResolvedStoreLimits = { readonly [K in keyof StoreLimits]-?: number };

/** Fills in the defaults. Throws a RangeError for a limit that is not a positive number. */
export function resolveLimits(limits: StoreLimits): ResolvedStoreLimits {
  const resolved = { ...STORE_LIMITS } as Record<keyof StoreLimits, number>;
  for (const name of Object.keys(STORE_LIMITS) as (keyof StoreLimits)[]) {
    const value = limits[name] ?? STORE_LIMITS[name];
    if (!(value > 0)) throw new RangeError(`${name} must be a number above 0.`);
    resolved[name] = value;
  }
  return resolved;
}

/** Says now and then, as time goes by in the writes, before which time a session has become too old. */
export class AgeCheck {
  readonly #age: number;
  #last = -Infinity;

  constructor(age: number) {
    this.#age = age;
  }

  /** Sessions last written before this are too old; undefined while it is not yet time to look again. */
  due(changes: readonly SessionChange[]): number | undefined {
    const now = changes[0]?.updatedAt ?? -Infinity;
    if (this.#age === Infinity || Math.abs(now - this.#last) < AGE_CHECK_MS) return undefined;
    this.#last = now;
    return now - this.#age;
  }
}

/** True for a change that says nothing about the session itself. */
export function isReceiptOnly({ events, reset, receipts, records, leases, holds }: SessionChange): boolean {
  if (events.length > 0 || reset === true || (receipts?.length ?? 0) === 0) return false;
  return (records?.length ?? 0) + (leases?.length ?? 0) + (holds?.length ?? 0) === 0;
}
