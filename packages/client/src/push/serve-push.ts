import { keepSetup, noteTold, setupOf } from './memory.ts';
import { readPushMessage } from './message.ts';
import type { PushMessage } from './message.ts';
import { pageShowing } from './questions.ts';
import { carried, isAlert, isNewer } from './standing.ts';
import type { Carried } from './standing.ts';
import type {
  NotificationEventLike,
  PageLike,
  PushEventLike,
  PushSubscriptionLike,
  PushWorkerScope,
  SubscriptionChangeLike,
} from './worker-types.ts';

/** How a service worker shows what it is sent. */
export interface ServePushOptions {
  /**
   * Address of a session's page, relative to the worker's scope. Default: what the page that subscribed said, else the scope itself. An
   * address of another origin is not opened.
   */
  readonly open?: ((session: string) => string) | undefined;
  /** More members of every notification, such as `icon` and `badge`. Default: none. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** What is shown for a push that is none of ours: a browser that sees nothing shows a sentence of its own. */
const UNKNOWN = { title: 'Something has changed', tag: 'sitrep' };

/**
 * Shows pushes of a gateway in a service worker. To be called while the worker's script runs for the first time. Every push
 * shows something; the same tag replaces, noticed only where it is an alert that was not noticed before; what an open page
 * shows and somebody looks at is shown to nobody else. A click brings the session's page to the fore, or opens it.
 */
export function servePush(scope: PushWorkerScope, options: ServePushOptions = {}): void {
  let last: Promise<void> = Promise.resolve();
  // One after the other: each looks at what the one before has left.
  const inTurn: InTurn = (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
  scope.addEventListener('push', (event) => event.waitUntil(show(scope, options, event, inTurn)));
  scope.addEventListener('notificationclick', (event) => event.waitUntil(follow(scope, options, event)));
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(scope, event)));
}

type InTurn = (task: () => Promise<void>) => Promise<void>;

async function show(scope: PushWorkerScope, given: ServePushOptions, event: PushEventLike, inTurn: InTurn): Promise<void> {
  const { options, open } = given;
  const { registration } = scope;
  const message = readPushMessage(event.data?.text());
  if (!message) return registration.showNotification(UNKNOWN.title, { ...options, tag: UNKNOWN.tag, silent: true });
  const isLookedAt = (await pageOf(scope, message.session, { visible: true, open })) !== undefined;
  await inTurn(() => place(scope, options, message, isLookedAt));
}

async function place(
  { registration, caches }: PushWorkerScope,
  options: ServePushOptions['options'],
  message: PushMessage,
  isLookedAt: boolean,
): Promise<void> {
  const standing = (await registration.getNotifications({ tag: message.tag })).at(-1);
  const isBehind = standing !== undefined && isNewer(standing.data, message);
  const isNews = message.alert && !isLookedAt && !(await noteTold(caches, message.id).catch(() => false));
  // An end that progress has overtaken was not noticed yet; one that a later end has is no news any more.
  const isOld = isBehind && (!isNews || isAlert(standing.data));
  const alert = isNews && !isOld;
  await registration.showNotification(isOld ? standing.title : message.title, {
    ...options,
    body: isOld ? standing.body : message.body,
    tag: message.tag,
    data: isOld ? standing.data : carried(message),
    renotify: alert,
    silent: !alert,
    requireInteraction: message.slot === 'attention',
    timestamp: message.at,
  });
  // Where a tag does not replace, the older ones go.
  const shown = await registration.getNotifications({ tag: message.tag });
  for (const older of isLookedAt ? shown : shown.slice(0, -1)) older.close();
  for (const tag of message.close) {
    if (tag !== message.tag) for (const notification of await registration.getNotifications({ tag })) notification.close();
  }
}

async function follow(scope: PushWorkerScope, { open }: ServePushOptions, { notification }: NotificationEventLike): Promise<void> {
  notification.close();
  const { session } = (notification.data ?? {}) as Partial<Carried>;
  if (typeof session !== 'string') return void (await scope.clients.openWindow(scope.registration.scope));
  const page = await pageOf(scope, session, { visible: false, open });
  if (page?.focus) await page.focus();
  else await scope.clients.openWindow(await addressOf(scope, session, open));
}

/** A new endpoint takes the place of the old one. What cannot be done now the next page does that subscribes. */
async function renew(scope: PushWorkerScope, { newSubscription }: SubscriptionChangeLike): Promise<void> {
  const setup = await setupOf(scope.caches);
  if (!setup) return;
  const { gateway, key, endpoint, auth } = setup;
  const made: PushSubscriptionLike =
    newSubscription ?? (await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  const subscription = made.toJSON();
  const answer = await fetch(`${gateway}/v1/push/subscriptions`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...subscription, old: { endpoint, auth } }),
  });
  if (!answer.ok) throw new Error(`The gateway did not take the new subscription: ${answer.status}.`);
  await keepSetup(scope.caches, { ...setup, endpoint: made.endpoint, auth: subscription.keys?.['auth'] ?? '' });
}

/** The page that shows a session: the one at its address, else the one that says so. */
async function pageOf(
  scope: PushWorkerScope,
  session: string,
  { visible, open }: { readonly visible: boolean; readonly open: ServePushOptions['open'] },
): Promise<PageLike | undefined> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const address = await addressOf(scope, session, open);
  const there = address === scope.registration.scope ? undefined : pages.find(({ url }) => url.split('#')[0] === address.split('#')[0]);
  if (there && (!visible || there.visibilityState === 'visible')) return there;
  return pageShowing(pages, session, visible);
}

async function addressOf(scope: PushWorkerScope, session: string, open: ServePushOptions['open']): Promise<string> {
  const base = scope.registration.scope;
  try {
    const template = open ? undefined : (await setupOf(scope.caches))?.open;
    const address = new URL(open?.(session) ?? template?.replaceAll('{session}', () => encodeURIComponent(session)) ?? '', base);
    return address.origin === new URL(base).origin ? address.href : base;
  } catch {
    return base;
  }
}
