import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { CDPSession, Page, Worker } from 'playwright-core';
import { newVapidKeys } from '@sitrep/server';
import { CA, startService } from '../../../packages/server/test/push/service.ts';
import type { PushService } from '../../../packages/server/test/push/service.ts';
import { TestClock } from '../../../packages/server/test/support.ts';
import { openSite, until } from './site.ts';
import type { Site } from './site.ts';

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly silent: boolean | null;
  readonly renotify: boolean;
  readonly requireInteraction: boolean;
}

/** A page that subscribed, its real service worker, and a way for pushes to get there. */
interface Scene {
  readonly page: Page;
  readonly worker: Worker;
  /** Lets so many seconds of the gateway pass, and brings what it sent meanwhile to the browser, as its push service would. */
  pass(seconds: number): Promise<void>;
  /** Hands the worker a push of any content. */
  deliver(data: string): Promise<void>;
  /** Waits until just these texts are shown; answers their notifications. */
  shows(...bodies: string[]): Promise<Shown[]>;
}

const KEYS = newVapidKeys('mailto:tests@example.com');
const run = (name: string, state: string): object => ({ type: 'run', run: name, state });
const build = (current: number): object => ({
  type: 'operation',
  id: 'b',
  run: 'r1',
  state: 'running',
  title: 'Building project',
  message: `file ${current}`,
  current,
  total: 100,
});

async function scene(site: Site, clock: TestClock, service: PushService): Promise<Scene> {
  const script = readFileSync(new URL('../../../packages/client/push-worker.js', import.meta.url), 'utf8');
  site.gateway.app.get('/push-worker.js', (c) => c.body(script, 200, { 'content-type': 'text/javascript' }));
  await site.context.grantPermissions(['notifications'], { origin: site.url });
  const page = await site.open('push-page');
  const cdp: CDPSession = await site.context.newCDPSession(page);
  let registrationId = '';
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
  });
  await cdp.send('ServiceWorker.enable');
  const subscription = service.subscribe('chromium');
  await page.evaluate((given) => (window.push.subscription = given), subscription);
  await page.click('button');
  const result = await until(() => page.evaluate(() => window.push.results[0]), 'the button has done its work');
  assert.deepEqual(result, { ok: true, endpoint: subscription.endpoint });
  const worker = await until(() => site.context.serviceWorkers()[0], 'the worker runs');
  await until(() => registrationId !== '', 'the worker is registered');
  // What comes before the worker is active has nobody to take it.
  await until(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state === 'activated'), 'the worker is active');
  let brought = 0;
  const deliver = async (data: string): Promise<void> => {
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data });
  };
  return {
    page,
    worker,
    deliver,
    async pass(seconds) {
      for (let n = 0; n < seconds; n += 1) {
        clock.advance(1_000);
        await site.gateway.push?.settled();
      }
      for (const { message } of service.received.slice(brought)) await deliver(JSON.stringify(message));
      brought = service.received.length;
    },
    async shows(...bodies) {
      let found: Shown[] = [];
      await until(
        async () => {
          found = await page.evaluate(async () => {
            const registration = await navigator.serviceWorker.ready;
            return (await registration.getNotifications()).map((each) => {
              const { title, body, tag, silent, renotify, requireInteraction } = each as unknown as Shown;
              return { title, body, tag, silent, renotify, requireInteraction };
            });
          });
          return JSON.stringify(found.map(({ body }) => body).toSorted()) === JSON.stringify(bodies.toSorted());
        },
        `${JSON.stringify(bodies)} is shown`,
      ).catch((error: Error) => {
        throw new Error(`${error.message}, but ${JSON.stringify(found)}`);
      });
      return found;
    },
  };
}

async function open(t: TestContext): Promise<{ readonly site: Site; readonly clock: TestClock; readonly service: PushService }> {
  const clock = new TestClock();
  const service = await startService(t, KEYS.publicKey);
  const push = { keys: KEYS, privateHosts: [new URL(service.url).host], ca: CA };
  return { clock, service, site: await openSite(['push-page'], { clock, push }) };
}

/** What the gateway sends, written by hand. */
const message = (more: object): string =>
  JSON.stringify({
    sitrep: 1,
    session: 'chat-1',
    slot: 'status',
    tag: 'chat-chat-1-status',
    title: 'T',
    body: 'B',
    alert: false,
    id: 'e:1 status',
    at: 1,
    ...more,
  });

describe('a service worker that is pushed to', () => {
  it('shows how far it is in one place without a sound, and the end in the same place with one', { timeout: 240_000 }, async (t) => {
    const { clock, service, ...opened } = await open(t);
    await using site = opened.site;
    const { pass, shows, page, deliver } = await scene(site, clock, service);
    assert.deepEqual(await page.evaluate(() => window.push.asked), [{ userVisibleOnly: true, applicationServerKey: KEYS.publicKey }]);
    await site.gateway.publish('chat-1', [
      { type: 'session', title: 'my-project', usage: { tokens: 12_400 } },
      run('r1', 'running'),
      build(5),
    ]);
    await pass(1);
    const quiet = { title: 'my-project · 12.4K tok', tag: 'chat-chat-1-status', silent: true, renotify: false, requireInteraction: false };
    assert.deepEqual(await shows('Building project 5% · file 5'), [{ ...quiet, body: 'Building project 5% · file 5' }]);
    await site.gateway.publish('chat-1', [build(42)]);
    await pass(31);
    await shows('Building project 42% · file 42');
    await site.gateway.publish('chat-1', [run('r1', 'completed')]);
    await pass(2);
    assert.deepEqual(await shows('completed'), [{ ...quiet, body: 'completed', silent: false, renotify: true }]);
    // A push service may bring one twice, and one after a later one: neither is noticed again.
    const [first, , end] = service.received.map((each) => JSON.stringify(each.message));
    await deliver(end as string);
    await until(async () => (await shows('completed'))[0]?.silent, 'the second is silent');
    await deliver(first as string);
    await deliver(message({ session: 'other', tag: 'other', body: 'later' }));
    assert.ok((await shows('completed', 'later')).every(({ silent }) => silent));
  });

  it('shows what is asked in a place of its own, until it is answered', { timeout: 240_000 }, async (t) => {
    const { clock, service, ...opened } = await open(t);
    await using site = opened.site;
    const { pass, shows } = await scene(site, clock, service);
    const ask = { type: 'operation', id: 'ask', run: 'r1', title: 'Deploy' };
    await site.gateway.publish('chat-1', [run('r1', 'running'), build(1)]);
    await pass(1);
    await site.gateway.publish('chat-1', [{ ...ask, state: 'blocked', blockedOn: { kind: 'question', prompt: 'Where to?' } }]);
    await pass(2);
    const found = await shows('Building project 1% · file 1', 'Deploy has a question: Where to?');
    assert.deepEqual(found.map(({ tag, requireInteraction, silent }) => [tag, requireInteraction, silent]).toSorted(), [
      ['chat-chat-1-attention', true, false],
      ['chat-chat-1-status', false, true],
    ]);
    await site.gateway.publish('chat-1', [{ ...ask, state: 'completed' }, build(2)]);
    await pass(40);
    await shows('Building project 2% · file 2');
  });

  it('shows something for whatever it is sent', { timeout: 240_000 }, async (t) => {
    const { clock, service, ...opened } = await open(t);
    await using site = opened.site;
    const { deliver, shows } = await scene(site, clock, service);
    await deliver('{"not": "ours"}');
    await shows('');
    await deliver('no JSON');
    await deliver('');
    await deliver(message({ body: 7, close: 'x', at: 'y', alert: 'yes' }));
    const found = await shows('', '');
    assert.deepEqual(found.map(({ title, tag }) => [title, tag]).toSorted(), [
      ['Something has changed', 'sitrep'],
      ['T', 'chat-chat-1-status'],
    ]);
  });

  it('holds back what a visible page shows, not what a hidden page or one that says nothing does', { timeout: 240_000 }, async (t) => {
    const { clock, service, ...opened } = await open(t);
    await using site = opened.site;
    const { deliver, shows } = await scene(site, clock, service);
    // The page that subscribed shows no session: it says nothing.
    await deliver(message({ body: 'to a silent page', alert: true }));
    await shows('to a silent page');
    // One that shows it takes it away, and nothing new comes while it is in view.
    const chat = await site.open('push-page?elsewhere&session=chat-1');
    await shows();
    await deliver(message({ id: 'e:2', at: 2, body: 'seen', alert: true }));
    await deliver(message({ id: 'e:3', at: 3, session: 'chat-2', tag: 'chat-chat-2-status', body: 'of another', alert: true }));
    await shows('of another');
    // The gateway is told so too, and sends nothing.
    await until(async () => (await site.gateway.push?.presence.looking('', 'chat-1', clock.now())) !== undefined, 'the gateway knows');
    // A browser of a test has no window to hide: the page says so instead.
    await chat.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await until(
      async () => (await site.gateway.push?.presence.looking('', 'chat-1', clock.now())) === undefined,
      'the gateway knows that too',
    );
    await deliver(message({ id: 'e:4', at: 4, body: 'to a hidden page', alert: true }));
    const found = await shows('to a hidden page', 'of another');
    assert.ok(found.every(({ silent: isSilent }) => !isSilent));
  });

  it('brings the page of the session to the fore at a click, or opens it', { timeout: 240_000 }, async (t) => {
    const { clock, service, ...opened } = await open(t);
    await using site = opened.site;
    const { deliver, shows, worker } = await scene(site, clock, service);
    await deliver(message({ session: 'a chat/ü', tag: 'odd' }));
    await shows('B');
    assert.deepEqual(await click(worker), [`open ${site.url}/push-page?session=a%20chat%2F%C3%BC`]);
    await shows();
    await deliver(message({ session: 'a chat/ü', tag: 'odd' }));
    await shows('B');
    // There is a page now, at that address or at another one that says it shows it.
    const page = await site.open('push-page?session=a+chat%2F%C3%BC');
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }));
    await deliver(message({ session: 'a chat/ü', tag: 'odd', at: 2 }));
    await shows('B');
    assert.deepEqual(await click(worker), [`focus ${site.url}/push-page?session=a+chat%2F%C3%BC`]);
  });

  it('puts a new endpoint in the place of the old one, and ends with the subscription', { timeout: 240_000 }, async (t) => {
    const { clock, service, ...opened } = await open(t);
    await using site = opened.site;
    const { worker, page } = await scene(site, clock, service);
    const renewed = service.subscribe('renewed');
    const endpoints = async (): Promise<string[]> =>
      (await site.gateway.push!.subscriptions.all(clock.now())).map(({ endpoint }) => endpoint);
    const before = await endpoints();
    await worker.evaluate(async (given) => {
      const waits: Promise<unknown>[] = [];
      const made = { endpoint: given.endpoint, toJSON: () => given };
      const event = Object.assign(new Event('pushsubscriptionchange'), {
        newSubscription: made,
        waitUntil: (done: Promise<unknown>) => waits.push(done),
      });
      globalThis.dispatchEvent(event);
      await Promise.all(waits);
    }, renewed);
    assert.deepEqual([before.length, await endpoints()], [1, [renewed.endpoint]]);
    await site.gateway.publish('chat-1', [run('r1', 'running'), run('r1', 'completed')]);
    clock.advance(1_000);
    await until(() => service.taken('renewed').length === 1, 'it is told');
    // The page's own subscription is that of the browser.
    await page.evaluate((given) => (window.push.subscription = given), renewed);
    assert.equal(await page.evaluate(() => window.push.unsubscribe()), true);
    assert.deepEqual(await endpoints(), []);
  });
});

/** A click on the one notification there is; what the worker did about it. Only a person's click lets it open a window. */
function click(worker: Worker): Promise<string[]> {
  return worker.evaluate(async () => {
    interface Client {
      readonly url: string;
    }
    const scope = globalThis as unknown as {
      registration: { getNotifications(): Promise<object[]> };
      clients: object;
      WindowClient: { prototype: object };
      dispatchEvent(event: Event): boolean;
    };
    const done: string[] = [];
    const own = (target: object, name: string, value: unknown): unknown =>
      Object.defineProperty(target, name, { value, configurable: true });
    own(scope.clients, 'openWindow', async (url: string) => void done.push(`open ${url}`));
    own(scope.WindowClient.prototype, 'focus', async function (this: Client) {
      done.push(`focus ${this.url}`);
    });
    const [notification] = await scope.registration.getNotifications();
    const waits: Promise<unknown>[] = [];
    scope.dispatchEvent(
      Object.assign(new Event('notificationclick'), { notification, waitUntil: (promise: Promise<unknown>) => waits.push(promise) }),
    );
    await Promise.all(waits);
    return done;
  });
}
