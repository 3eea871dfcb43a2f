// Shows pushes of a Sitrep gateway. Generated from src/push/worker.ts; serve it from the root of your site.
'use strict';
(() => {
  // packages/client/src/push/memory.ts
  var STORE = 'sitrep-push';
  var SETUP = '/sitrep-push/setup';
  var TOLD = '/sitrep-push/told';
  var MAX_TOLD = 50;
  async function keepSetup(caches, setup) {
    const store = await caches.open(STORE);
    if (setup) await store.put(SETUP, Response.json(setup));
    else await store.delete(SETUP);
  }
  async function setupOf(caches) {
    return read(caches, SETUP);
  }
  async function noteTold(caches, id) {
    const before = (await read(caches, TOLD)) ?? [];
    if (before.includes(id)) return true;
    const store = await caches.open(STORE);
    await store.put(TOLD, Response.json([...before, id].slice(-MAX_TOLD)));
    return false;
  }
  async function read(caches, name) {
    const found = await (await caches.open(STORE)).match(name);
    return found === void 0 ? void 0 : await found.json();
  }

  // packages/client/src/push/message.ts
  function readPushMessage(text) {
    let value;
    try {
      value = JSON.parse(text ?? '');
    } catch {
      return void 0;
    }
    if (typeof value !== 'object' || value === null || !('sitrep' in value)) return void 0;
    const { session, slot, tag, title, body, alert, id, at, close } = value;
    if (typeof session !== 'string' || typeof tag !== 'string' || tag === '' || typeof title !== 'string') return void 0;
    return {
      session,
      slot: slot === 'attention' ? 'attention' : 'status',
      tag,
      title,
      body: typeof body === 'string' ? body : '',
      alert: alert === true,
      id: String(id),
      at: typeof at === 'number' ? at : 0,
      close: Array.isArray(close) ? close.filter((each) => typeof each === 'string') : [],
    };
  }

  // packages/client/src/push/questions.ts
  var PATIENCE_MS = 500;
  async function pageShowing(pages, session, visible) {
    const answers = await Promise.all(
      pages.map(async (page) => {
        if (visible && page.visibilityState !== void 0 && page.visibilityState !== 'visible') return void 0;
        const answer = await ask(page, session);
        return answer && (!visible || answer.visible) ? page : void 0;
      }),
    );
    return answers.find((page) => page !== void 0);
  }
  function ask(page, session) {
    const { port1, port2 } = new MessageChannel();
    return new Promise((resolve) => {
      const timer = setTimeout(done, PATIENCE_MS, void 0);
      function done(answer) {
        clearTimeout(timer);
        port1.close();
        resolve(answer);
      }
      port1.onmessage = ({ data }) => done(data);
      const question = { sitrep: 'push', session };
      try {
        page.postMessage(question, [port2]);
      } catch {
        done(void 0);
      }
    });
  }

  // packages/client/src/push/standing.ts
  function carried({ session, at, id, alert }) {
    return { session, at, id, alert };
  }
  function isNewer(standing, message) {
    const { at, id } = standing ?? {};
    if (typeof at !== 'number') return false;
    if (id === void 0) return at > message.at;
    const [held, own] = [positionOf(id), positionOf(message.id)];
    if (!held || !own) return false;
    return held.epoch === own.epoch ? held.seq > own.seq : at > message.at;
  }
  function isAlert(standing) {
    return (standing ?? {}).alert === true;
  }
  function positionOf(id) {
    const [, epoch, seq] = /^(.*):(\d+)(?: |$)/.exec(id) ?? [];
    return epoch === void 0 ? void 0 : { epoch, seq: Number(seq) };
  }

  // packages/client/src/push/serve-push.ts
  var UNKNOWN = { title: 'Something has changed', tag: 'sitrep' };
  function servePush(scope, options = {}) {
    let last = Promise.resolve();
    const inTurn = (task) => {
      const done = last.then(task);
      last = done.catch(() => void 0);
      return done;
    };
    scope.addEventListener('push', (event) => event.waitUntil(show(scope, options, event, inTurn)));
    scope.addEventListener('notificationclick', (event) => event.waitUntil(follow(scope, options, event)));
    scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(scope, event)));
  }
  async function show(scope, given, event, inTurn) {
    const { options, open } = given;
    const { registration } = scope;
    const message = readPushMessage(event.data?.text());
    if (!message) return registration.showNotification(UNKNOWN.title, { ...options, tag: UNKNOWN.tag, silent: true });
    const isLookedAt = (await pageOf(scope, message.session, { visible: true, open })) !== void 0;
    await inTurn(() => place(scope, options, message, isLookedAt));
  }
  async function place({ registration, caches }, options, message, isLookedAt) {
    const standing = (await registration.getNotifications({ tag: message.tag })).at(-1);
    const isBehind = standing !== void 0 && isNewer(standing.data, message);
    const isNews = message.alert && !isLookedAt && !(await noteTold(caches, message.id).catch(() => false));
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
    const shown = await registration.getNotifications({ tag: message.tag });
    for (const older of isLookedAt ? shown : shown.slice(0, -1)) older.close();
    for (const tag of message.close) {
      if (tag !== message.tag) for (const notification of await registration.getNotifications({ tag })) notification.close();
    }
  }
  async function follow(scope, { open }, { notification }) {
    notification.close();
    const { session } = notification.data ?? {};
    if (typeof session !== 'string') return void (await scope.clients.openWindow(scope.registration.scope));
    const page = await pageOf(scope, session, { visible: false, open });
    if (page?.focus) await page.focus();
    else await scope.clients.openWindow(await addressOf(scope, session, open));
  }
  async function renew(scope, { newSubscription }) {
    const setup = await setupOf(scope.caches);
    if (!setup) return;
    const { gateway, key, endpoint, auth } = setup;
    const made = newSubscription ?? (await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
    const subscription = made.toJSON();
    const answer = await fetch(`${gateway}/v1/push/subscriptions`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...subscription, old: { endpoint, auth } }),
    });
    if (!answer.ok) throw new Error(`The gateway did not take the new subscription: ${answer.status}.`);
    await keepSetup(scope.caches, { ...setup, endpoint: made.endpoint, auth: subscription.keys?.['auth'] ?? '' });
  }
  async function pageOf(scope, session, { visible, open }) {
    const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const address = await addressOf(scope, session, open);
    const there = address === scope.registration.scope ? void 0 : pages.find(({ url }) => url.split('#')[0] === address.split('#')[0]);
    if (there && (!visible || there.visibilityState === 'visible')) return there;
    return pageShowing(pages, session, visible);
  }
  async function addressOf(scope, session, open) {
    const base = scope.registration.scope;
    try {
      const template = open ? void 0 : (await setupOf(scope.caches))?.open;
      const address = new URL(open?.(session) ?? template?.replaceAll('{session}', () => encodeURIComponent(session)) ?? '', base);
      return address.origin === new URL(base).origin ? address.href : base;
    } catch {
      return base;
    }
  }

  // packages/client/src/push/worker.ts
  if ('registration' in globalThis) {
    const scope = globalThis;
    servePush(scope);
    void scope.skipWaiting();
  }
})();
