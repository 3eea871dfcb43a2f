import { expect } from '@open-wc/testing';
import { signalPage } from '@sitrep/elements/page-signals';
import { createMemorySource, createStore } from '@sitrep/client';
import type { Store } from '@sitrep/client';
import type { OperationEvent, RunEvent, StreamEvent } from '@sitrep/schema/wire';
import { until } from './support.ts';
import { watchedSession } from './watched.ts';

/** A notification as the platform would show it. */
interface Shown {
  readonly title: string;
  readonly options: NotificationOptions & { readonly renotify?: boolean };
  onclick: (() => void) | null;
  closed: boolean;
}

const at = Date.now();
const snapshot: StreamEvent = {
  type: 'snapshot',
  session: 's',
  epoch: 'e',
  seq: 1,
  at,
  card: null,
  revision: 0,
  title: 'Fix the build',
  operations: [],
  runs: [{ run: 'r', state: 'running', updatedAt: at, startedAt: at }],
};
let seq = 1;

/** A session that is shown by the page, and what the platform was told. */
async function watch(options: Parameters<typeof signalPage>[1] = {}) {
  const source = createMemorySource();
  const store = createStore({ source });
  const shown: Shown[] = [];
  const badges: (number | undefined)[] = [];
  const platform = window as unknown as { Notification: unknown };
  const before = platform.Notification;
  class Told implements Shown {
    static permission = 'granted';
    onclick: (() => void) | null = null;
    closed = false;
    readonly title: string;
    readonly options: NotificationOptions;
    constructor(title: string, given: NotificationOptions) {
      this.title = title;
      this.options = given;
      shown.push(this);
    }
    close(): void {
      this.closed = true;
    }
  }
  platform.Notification = Told;
  Object.defineProperty(navigator, 'setAppBadge', { configurable: true, value: async (count: number) => void badges.push(count) });
  Object.defineProperty(navigator, 'clearAppBadge', { configurable: true, value: async () => void badges.push(0) });
  const stop = signalPage(store, options);
  source.push(snapshot);
  await loaded(store);
  seq = 1;
  return {
    shown,
    badges,
    operation: (over: Partial<OperationEvent>) =>
      source.push({ type: 'operation', session: 's', id: 'build', run: 'r', at: at + ++seq, ...over } as OperationEvent),
    run: (over: Partial<RunEvent>) =>
      source.push({ type: 'run', session: 's', run: 'r', state: 'running', at: at + ++seq, ...over } as RunEvent),
    /** The gateway begins anew and knows of nothing. */
    lose: () => source.push({ ...snapshot, epoch: 'f', seq: 1, runs: [] }),
    stop() {
      stop();
      store.close();
      platform.Notification = before;
      see(true);
    },
  };
}

/** Resolves once whoever subscribed before has been told of the first state. */
const loaded = (store: Store): Promise<void> =>
  new Promise((resolve) => {
    const stop = store.subscribe(({ loaded: there }) => {
      if (!there) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });

/** Whether somebody looks at the page. */
function see(seen: boolean): void {
  document.hasFocus = () => seen;
  document.dispatchEvent(new Event('visibilitychange'));
}

/** An icon of the page's own. */
function ownIcon(href: string): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { rel: 'icon', href });
  return document.head.appendChild(link);
}

const icons = (): string[] => [...document.head.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')].map(({ href }) => href);
const drawing = (): string => decodeURIComponent(icons().at(-1) ?? '');

describe('page signals', () => {
  beforeEach(() => {
    document.title = 'Inbox';
    see(false);
  });
  afterEach(() => {
    Reflect.deleteProperty(document, 'hasFocus');
    for (const icon of document.head.querySelectorAll('link[rel~="icon"]')) icon.remove();
  });

  it('say in the title how far it is, keep what the page makes of its own, and give it back', async () => {
    const page = await watch({ favicon: false });
    page.operation({ state: 'running', current: 42, total: 100 });
    await until(() => document.title === '(42%) Inbox', 'the percent is in the title');
    document.title = 'Inbox, 3 new';
    page.operation({ current: 50 });
    await until(() => document.title === '(50%) Inbox, 3 new', 'the title of the page is kept');
    page.operation({ state: 'blocked', blockedOn: { kind: 'permission' } });
    await until(() => document.title === '(needs you) Inbox, 3 new', 'it says that somebody is needed');
    page.stop();
    expect(document.title).to.equal('Inbox, 3 new');
  });

  it('take nothing of their own for that of the page, which may build its title from what it finds', async () => {
    const page = await watch({ favicon: false });
    page.operation({ state: 'running', current: 42, total: 100 });
    await until(() => document.title === '(42%) Inbox', 'the percent is in the title');
    document.title = `★ ${document.title}`;
    page.operation({ current: 50 });
    await until(() => document.title === '(50%) ★ Inbox', 'it is there once');
    page.stop();
    expect(document.title).to.equal('★ Inbox');
  });

  it('give title and icon to the last of several sessions that has something to say, then to the one before', async () => {
    const own = ownIcon('/own.png');
    const first = watchedSession(42);
    const second = watchedSession(10);
    const stopFirst = signalPage(first);
    const stopSecond = signalPage(second);
    await until(() => icons()[0] !== own.href, 'the icon is drawn');
    expect([document.title, icons().length]).to.deep.equal(['(10%) Inbox', 1]);
    for (let n = 43; n < 50; n++) first.move(n);
    see(false);
    expect([document.title, icons().length]).to.deep.equal(['(10%) Inbox', 1]);
    stopSecond();
    expect([document.title, icons().length]).to.deep.equal(['(49%) Inbox', 1]);
    const stopThird = signalPage(second);
    stopFirst();
    expect([document.title, icons().length]).to.deep.equal(['(10%) Inbox', 1]);
    stopThird();
    expect([document.title, icons()]).to.deep.equal(['Inbox', [own.href]]);
  });

  it('leave the own icons of the page where they are, and those it adds meanwhile', async () => {
    const first = ownIcon('/first.png');
    const second = ownIcon('/second.svg');
    const after = document.head.appendChild(document.createElement('meta'));
    const watched = watchedSession(1);
    const stop = signalPage(watched);
    await until(() => icons()[0] !== first.href, 'the icon is drawn');
    const third = ownIcon('/third.png');
    watched.move(60);
    see(false);
    expect(icons().length).to.equal(1);
    stop();
    expect(icons()).to.deep.equal([first, second, third].map(({ href }) => href));
    expect([first.nextSibling, second.nextSibling, after.nextSibling]).to.deep.equal([second, after, third]);
    after.remove();
  });

  it('write to title and icon a few times a second, however much happens', async () => {
    const watched = watchedSession(0);
    const stop = signalPage(watched);
    let writes = 0;
    const observer = new MutationObserver((records) => (writes += records.length));
    observer.observe(document.head, { childList: true, subtree: true, attributes: true, characterData: true });
    const began = performance.now();
    for (let n = 0; n < 3_000; n++) {
      watched.move(n % 100);
      if (n % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    watched.move(77);
    await until(() => document.title === '(77%) Inbox', 'the last is shown');
    // A title is a text that is replaced, an icon an attribute.
    const seconds = (performance.now() - began) / 1_000;
    observer.disconnect();
    expect(writes).to.be.lessThan(4 * (seconds * 4 + 2));
    stop();
  });

  it('leave what is over in the title until the page was looked at', async () => {
    const page = await watch({ favicon: false });
    page.operation({ state: 'running' });
    page.operation({ state: 'completed' });
    page.run({ state: 'completed' });
    await until(() => document.title === '(done) Inbox', 'it is done');
    see(true);
    await until(() => document.title === 'Inbox', 'and seen');
    see(false);
    expect(document.title).to.equal('Inbox');
    page.stop();
  });

  it('draw a ring that fills into the icon of the tab, and bring the own icon of the page back', async () => {
    const own = document.createElement('link');
    own.rel = 'shortcut icon';
    own.href = '/own.png';
    document.head.append(own);
    const page = await watch({ title: false });
    page.operation({ state: 'running', current: 1, total: 4 });
    await until(() => drawing().includes('stroke-dasharray="10.21 99"'), 'a quarter is filled');
    expect(icons().length).to.equal(1);
    page.operation({ state: 'blocked', blockedOn: { kind: 'question' } });
    await until(() => drawing().includes('#c77700'), 'it asks for attention');
    await new Promise<void>((resolve, reject) => {
      const image = new Image();
      image.onload = () => resolve();
      image.onerror = () => reject(new Error('the icon is no picture'));
      image.src = icons()[0]!;
    });
    page.stop();
    expect(icons().map((icon) => new URL(icon).pathname)).to.deep.equal(['/own.png']);
  });

  it('count what needs somebody on the icon of the application', async () => {
    const page = await watch();
    page.operation({ state: 'blocked', blockedOn: { kind: 'question' } });
    page.operation({ id: 2, state: 'blocked', blockedOn: { kind: 'auth' } });
    await until(() => page.badges.at(-1) === 2, 'two are counted');
    page.operation({ state: 'running' });
    await until(() => page.badges.at(-1) === 1, 'one is left');
    page.stop();
    expect(page.badges.at(-1)).to.equal(0);
  });

  it('alert once at the end, in the place of the session, and never for progress', async () => {
    const page = await watch({ notifications: true });
    for (let current = 1; current <= 20; current++) page.operation({ state: 'running', current, total: 20 });
    page.operation({ state: 'completed' });
    page.run({ state: 'completed' });
    page.run({ state: 'completed' });
    await until(() => page.shown.length > 0, 'something is shown');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { title, options } = page.shown[0]!;
    expect({ title, ...options }).to.deep.equal({
      title: 'Fix the build',
      body: 'completed',
      tag: 'chat-s-status',
      renotify: true,
      silent: false,
      requireInteraction: false,
    });
    expect(page.shown.length).to.equal(1);
    page.stop();
  });

  it('say no end a second time where the session was lost and is read anew', async () => {
    const page = await watch({ notifications: true });
    page.run({ state: 'failed' });
    await until(() => page.shown.length === 1, 'the end is told');
    page.lose();
    page.run({ run: 'r', state: 'running' });
    page.run({ run: 'r', state: 'failed' });
    page.run({ run: 'r2', state: 'running' });
    page.run({ run: 'r2', state: 'failed', reason: 'Disk full' });
    await until(() => page.shown.length > 1, 'the end of another run is');
    expect(page.shown.map(({ options }) => options.body)).to.deep.equal(['failed', 'failed: Disk full']);
    page.stop();
  });

  it('never keep a screen awake, whatever goes on', async () => {
    const asked: unknown[] = [];
    const before = Object.getOwnPropertyDescriptor(navigator, 'wakeLock');
    const request = (type: unknown): Promise<never> => {
      asked.push(type);
      return Promise.reject(new Error('nobody may ask'));
    };
    Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } });
    try {
      const page = await watch({ notifications: true });
      page.operation({ state: 'running', current: 1, total: 20 });
      await until(() => document.title.startsWith('(5%)'), 'it is at work');
      page.operation({ state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which disk?' } });
      await until(() => page.shown.length === 1, 'it asks');
      page.operation({ state: 'failed' });
      page.run({ state: 'failed', reason: 'the disk is full' });
      await until(() => page.shown.length === 2, 'it is over');
      page.stop();
      expect(asked).to.deep.equal([]);
    } finally {
      if (before) Object.defineProperty(navigator, 'wakeLock', before);
      else delete (navigator as unknown as Record<string, unknown>)['wakeLock'];
    }
  });

  it('ask for somebody in a place of its own, take it back when answered, and say nothing to who is looking', async () => {
    const opened: string[] = [];
    const page = await watch({ notifications: true, onOpen: (session) => opened.push(session) });
    page.operation({ state: 'blocked', title: 'Deploy', blockedOn: { kind: 'permission', prompt: 'To production?' } });
    await until(() => page.shown.length === 1, 'it is asked');
    expect([page.shown[0]!.options.tag, page.shown[0]!.options.body]).to.deep.equal([
      'chat-s-attention',
      'Deploy needs permission: To production?',
    ]);
    expect(page.shown[0]!.options.requireInteraction, 'it stays until somebody has seen it').to.equal(true);
    page.shown[0]!.onclick!();
    expect(opened).to.deep.equal(['s']);
    page.operation({ state: 'running' });
    await until(() => page.shown[0]!.closed, 'it is taken back');
    see(true);
    page.operation({ state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which?' } });
    await until(() => document.title.startsWith('(needs you)'), 'the page itself says it');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(page.shown.length).to.equal(1);
    page.stop();
  });

  it('show no request that was answered while it was on its way, and none of a session that is let go', async () => {
    const page = await watch({ notifications: true, title: false, favicon: false });
    page.operation({ state: 'blocked', title: 'Deploy', blockedOn: { kind: 'permission', prompt: 'Here?' } });
    await until(() => page.badges.at(-1) === 1, 'it is asked');
    page.operation({ state: 'running' });
    await until(() => page.badges.at(-1) === 0, 'it is answered');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(page.shown.filter(({ closed }) => !closed)).to.deep.equal([]);
    page.operation({ state: 'blocked', blockedOn: { kind: 'permission', prompt: 'There?' } });
    await until(() => page.badges.at(-1) === 1, 'it is asked again');
    page.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(page.shown.filter(({ closed }) => !closed)).to.deep.equal([]);
  });

  it('say nothing while somebody looks at the session in another tab', async () => {
    const page = await watch({ notifications: true, title: false, favicon: false });
    const elsewhere = document.body.appendChild(document.createElement('iframe'));
    const { locks } = elsewhere.contentWindow!.navigator;
    let look = (): void => undefined;
    await new Promise<void>((resolve) => {
      void locks.request('sitrep looking at s', { mode: 'shared' }, () => {
        resolve();
        return new Promise<void>((end) => (look = end));
      });
    });
    page.operation({ state: 'blocked', blockedOn: { kind: 'question', prompt: 'Seen there?' } });
    await until(() => page.badges.at(-1) === 1, 'it is asked');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(page.shown).to.deep.equal([]);
    look();
    elsewhere.remove();
    // And says itself where somebody looks.
    see(true);
    const isHeld = async (): Promise<boolean> =>
      ((await navigator.locks.query()).held ?? []).some(({ name }) => name === 'sitrep looking at s');
    while (!(await isHeld())) await new Promise((resolve) => setTimeout(resolve, 10));
    page.stop();
    while (await isHeld()) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('say one thing once, whatever the number of tabs', async () => {
    const one = await watch({ notifications: true });
    const shown = one.shown;
    const source = createMemorySource();
    const store = createStore({ source });
    const stop = signalPage(store, { notifications: true, title: false, favicon: false });
    source.push({ ...snapshot, session: 'two tabs' });
    await loaded(store);
    const ended: StreamEvent = { type: 'run', session: 'two tabs', run: 'r', state: 'failed', reason: 'out of tokens', at: at + 9 };
    source.push(ended);
    await until(() => shown.length === 1, 'it is said');
    expect(shown[0]!.options.body).to.equal('failed: out of tokens');
    // A second watcher of the same session in the same browser finds it said.
    const again = createMemorySource();
    const second = createStore({ source: again });
    const stopSecond = signalPage(second, { notifications: true, title: false, favicon: false });
    again.push({ ...snapshot, session: 'two tabs' });
    await loaded(second);
    again.push(ended);
    await until(() => second.getSnapshot().runs[0]?.state === 'failed', 'it has arrived');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(shown.length).to.equal(1);
    stop();
    stopSecond();
    store.close();
    second.close();
    one.stop();
  });
});
