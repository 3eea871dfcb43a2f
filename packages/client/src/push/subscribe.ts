import { askGateway, gatewayAddress } from './api.ts';
import type { GatewayOptions } from './api.ts';
import { keepSetup } from './memory.ts';

/** Options of `subscribePush`. */
export interface SubscribePushOptions extends GatewayOptions {
  /** The session to be told of, besides those before. Default: every session the token reaches. */
  readonly session?: string | undefined;
  /** Address of the service worker, or its registration. Default: `/push-worker.js`. */
  readonly worker?: string | URL | ServiceWorkerRegistration | undefined;
  /** Address of a session's page, with `{session}` for its name, relative to the worker's scope. Default: the scope itself. */
  readonly open?: string | undefined;
}

/** Where the worker is, unless it is said. */
const WORKER = '/push-worker.js';

/** Why a browser is not subscribed. */
export type PushRefusal =
  /** The browser cannot, or not here: pushes need a secure page, and on iOS one that was added to the home screen. */
  | 'unsupported'
  /** The permission has to be asked for in a click, say. */
  | 'gesture'
  /** The user said no; the browser does not ask again. */
  | 'denied'
  /** The user said nothing, and may be asked again another time. */
  | 'dismissed'
  /** The gateway sends no pushes. */
  | 'off'
  /** Something failed: see `message`. */
  | 'failed';

/** What became of it. */
export type PushResult =
  { readonly ok: true; readonly endpoint: string } | { readonly ok: false; readonly reason: PushRefusal; readonly message: string };

/**
 * Subscribes this browser to what a gateway tells by push, or renews its subscription. Never rejects. The first time it must
 * be called by a user's click, because the browser asks; once that was allowed, a page may call it whenever it is loaded, and should: an
 * endpoint may change, and the gateway forgets those that no page renews.
 */
export async function subscribePush(options: SubscribePushOptions = {}): Promise<PushResult> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis)) {
    return refused('unsupported', 'This browser has no push here: it needs a secure page, and on iOS one on the home screen.');
  }
  // First of all, before anything is waited for: a click is forgotten soon.
  const asked = await permission();
  if (asked) return asked;
  try {
    return await subscribe(options);
  } catch (error) {
    const { name, message } = error as Error;
    // In a private window Chromium answers as if something had gone wrong on the way.
    if (name === 'NotAllowedError' || /permission denied/i.test(message))
      return refused('denied', `The browser allows no pushes here, as in a private window: ${message}`);
    return refused('failed', message);
  }
}

/**
 * Takes back what `subscribePush` did: for one session where it is named, else for this browser, whose subscription ends.
 * Never rejects; false when the gateway could not be told.
 */
export async function unsubscribePush(options: SubscribePushOptions = {}): Promise<boolean> {
  try {
    const { worker = WORKER } = options;
    // That of this page may be another one.
    const registration = isRegistration(worker)
      ? worker
      : await navigator.serviceWorker.getRegistration(new URL(worker, location.href).href);
    const subscription = await registration?.pushManager.getSubscription();
    if (!subscription) return true;
    const { endpoint } = subscription;
    const { session } = options;
    const answer = await askGateway(options, 'DELETE', '/v1/push/subscriptions', {
      endpoint,
      ...(session === undefined ? {} : { session }),
    });
    if (session === undefined) {
      await subscription.unsubscribe();
      await keepSetup(caches, null);
    }
    return answer.ok;
  } catch {
    return false;
  }
}

async function permission(): Promise<PushResult | undefined> {
  if (Notification.permission === 'denied') return refused('denied', 'Notifications are blocked for this page in the browser.');
  if (Notification.permission === 'granted') return undefined;
  if ((navigator as { readonly userActivation?: { readonly isActive: boolean } }).userActivation?.isActive === false) {
    return refused('gesture', 'Call subscribePush in a click: the browser asks for the permission then only.');
  }
  const answer = await Notification.requestPermission();
  if (answer === 'granted') return undefined;
  return answer === 'denied' ? refused('denied', 'The user refused.') : refused('dismissed', 'The user did not answer.');
}

async function subscribe(options: SubscribePushOptions): Promise<PushResult> {
  const answer = await askGateway(options, 'GET', '/v1/push/key');
  if (answer.status === 404) return refused('off', 'This gateway sends no pushes.');
  if (!answer.ok) return refused('failed', `The gateway does not give its key: ${answer.status}.`);
  const { key } = (await answer.json()) as { readonly key: string };
  const { session, open = '' } = options;
  const subscription = await ownSubscription(await registrationOf(options.worker), key);
  const { endpoint } = subscription;
  const { keys } = subscription.toJSON();
  const put = await askGateway(options, 'PUT', '/v1/push/subscriptions', { endpoint, keys, ...(session === undefined ? {} : { session }) });
  if (!put.ok) return refused('failed', `The gateway does not take the subscription: ${await sentenceOf(put)}`);
  await keepSetup(caches, { gateway: gatewayAddress(options.gateway), key, endpoint, auth: keys?.['auth'] ?? '', open });
  return { ok: true, endpoint };
}

/** The subscription there is, unless it is bound to another key than the gateway's. */
async function ownSubscription({ pushManager }: ServiceWorkerRegistration, key: string): Promise<PushSubscription> {
  const held = await pushManager.getSubscription();
  if (held && (held.options.applicationServerKey === null || textOf(held.options.applicationServerKey) === key)) return held;
  await held?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function registrationOf(worker: string | URL | ServiceWorkerRegistration = WORKER): Promise<ServiceWorkerRegistration> {
  const registration = isRegistration(worker) ? worker : await navigator.serviceWorker.register(worker);
  const rising = registration.active ?? registration.waiting ?? registration.installing;
  if (!rising || rising.state === 'activated') return registration;
  await new Promise<void>((resolve, reject) => {
    rising.addEventListener('statechange', () => {
      if (rising.state === 'activated') resolve();
      if (rising.state === 'redundant') reject(new Error('The service worker was not installed.'));
    });
  });
  return registration;
}

function isRegistration(worker: SubscribePushOptions['worker']): worker is ServiceWorkerRegistration {
  return typeof worker === 'object' && 'pushManager' in worker;
}

/** Bytes in base64url. */
function textOf(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

async function sentenceOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => undefined)) as { readonly error?: { readonly message?: string } } | undefined;
  return body?.error?.message ?? String(answer.status);
}

function refused(reason: PushRefusal, message: string): PushResult {
  return { ok: false, reason, message };
}
