import { announcePresence, subscribePush, unsubscribePush } from '@sitrep/client';
import type { PushResult } from '@sitrep/client';

declare global {
  interface Window {
    push: {
      /** What the button came to. */
      readonly results: PushResult[];
      /** What the browser's own `subscribe` is to answer, as its push service would. */
      subscription: { readonly endpoint: string; readonly keys: Record<string, string> } | undefined;
      readonly asked: unknown[];
      readonly stop: () => void;
      readonly unsubscribe: typeof unsubscribePush;
    };
  }
}

const session = new URL(location.href).searchParams.get('session') ?? '';
const results: PushResult[] = [];
const asked: unknown[] = [];
const stop = session === '' ? () => undefined : announcePresence({ session });
window.push = { results, asked, subscription: undefined, stop, unsubscribe: unsubscribePush };

// The push service of a browser is out of reach here: the subscription is one of the service the test runs.
const made = (): PushSubscription | null => {
  const given = window.push.subscription;
  if (!given) return null;
  return Object.assign(
    Object.create(PushSubscription.prototype) as PushSubscription,
    {},
    {
      toJSON: () => given,
    },
  ) as PushSubscription;
};
for (const [name, read] of [
  ['endpoint', () => window.push.subscription?.endpoint],
  ['options', () => ({ applicationServerKey: null })],
] as const)
  Object.defineProperty(PushSubscription.prototype, name, { configurable: true, get: read });
PushSubscription.prototype.unsubscribe = async () => {
  window.push.subscription = undefined;
  return true;
};
let isSubscribed = false;
PushManager.prototype.getSubscription = async () => (isSubscribed ? made() : null);
PushManager.prototype.subscribe = async (options) => {
  asked.push(options);
  isSubscribed = true;
  return made() as PushSubscription;
};

const button = document.body.appendChild(document.createElement('button'));
button.textContent = 'Tell me';
button.addEventListener('click', () => {
  void subscribePush({ open: '/push-page?session={session}' }).then((result) => results.push(result));
});
