import type { StoredSubscription } from './subscription.ts';

/** Subscriptions of each user. */
export function byUser(subscriptions: readonly StoredSubscription[]): ReadonlyMap<string, StoredSubscription[]> {
  const users = new Map<string, StoredSubscription[]>();
  for (const subscription of subscriptions) {
    const own = users.get(subscription.user);
    if (own) own.push(subscription);
    else users.set(subscription.user, [subscription]);
  }
  return users;
}

/** The push service of a subscription; of one that is gone, none. */
export function hostOf(subscription: StoredSubscription | undefined): string {
  return subscription ? new URL(subscription.endpoint).host : '';
}
