import { checkVapidKeys } from './vapid.ts';
import type { VapidKeys } from './vapid.ts';
import type { PosterOptions } from './post.ts';

/** Options of Web Push. Only the keys are required. */
export interface PushOptions extends Omit<PosterOptions, 'keys'> {
  /** The keys it names itself with, from `readVapidKeys` or `newVapidKeys`. Subscriptions are bound to them: change them and all are void. */
  readonly keys: VapidKeys;
  /** Milliseconds between two quiet messages of one session to one user, at least. Default 30,000. */
  readonly progressMs?: number | undefined;
  /** Subscriptions of one user; the one renewed longest ago goes first. Default 20. */
  readonly subscriptionsPerUser?: number | undefined;
  /** Subscriptions in all. Default 10,000. */
  readonly subscriptions?: number | undefined;
  /** Milliseconds a subscription lives after a page last renewed it. Default 60 days. */
  readonly subscriptionMs?: number | undefined;
}

/** Options with every default in place. */
export interface ResolvedPushOptions extends PosterOptions {
  readonly progressMs: number;
  readonly subscriptionsPerUser: number;
  readonly subscriptions: number;
  readonly subscriptionMs: number;
}

/** Fills in the defaults. Throws for keys that are none, and a RangeError for a number that is not above 0. */
export function resolvePushOptions(options: PushOptions): ResolvedPushOptions {
  const number = (name: keyof PushOptions, fallback: number): number => {
    const value = options[name] ?? fallback;
    if (typeof value !== 'number' || !(value > 0)) throw new RangeError(`push.${name} must be a number above 0.`);
    return value;
  };
  return {
    keys: checkVapidKeys(options.keys),
    hosts: options.hosts ?? [],
    privateHosts: options.privateHosts ?? [],
    ca: options.ca,
    timeoutMs: number('timeoutMs', 10_000),
    progressMs: number('progressMs', 30_000),
    subscriptionsPerUser: number('subscriptionsPerUser', 20),
    subscriptions: number('subscriptions', 10_000),
    subscriptionMs: number('subscriptionMs', 60 * 86_400_000),
  };
}
