import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { servePush } from '@sitrep/client/serve-push';

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: unknown;
  readonly silent: boolean;
}

/** A worker, what is shown and what was noticed, in order. */
function worker(open?: string): {
  readonly shown: Shown[];
  readonly noticed: string[];
  push(...messages: readonly object[]): Promise<void>;
  click(notification: object): Promise<string[]>;
} {
  const shown: (Shown & { close(): void })[] = [];
  const noticed: string[] = [];
  const kept = new Map<string, Response>();
  if (open !== undefined) kept.set('/sitrep-push/setup', Response.json({ open }));
  const opened: string[] = [];
  type Listener = (event: { data?: { text(): string }; notification?: object; waitUntil(done: Promise<unknown>): void }) => void;
  const listeners = new Map<string, Listener>();
  const scope = {
    registration: {
      scope: 'https://app.example/',
      async showNotification(title: string, options: Omit<Shown, 'title'>) {
        const at = shown.findIndex(({ tag }) => tag === options.tag);
        if (at >= 0) shown.splice(at, 1);
        const own = { ...options, title, close: () => void shown.splice(shown.indexOf(own), 1) };
        shown.push(own);
        if (!options.silent) noticed.push(options.body);
      },
      getNotifications: async ({ tag }: { tag: string }) => shown.filter((each) => each.tag === tag),
    },
    clients: { matchAll: async () => [], openWindow: async (url: string) => void opened.push(url) },
    caches: {
      open: async () => ({
        match: async (name: string) => kept.get(name)?.clone(),
        put: async (name: string, value: Response) => void kept.set(name, value),
        delete: async (name: string) => kept.delete(name),
      }),
    },
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
  };
  servePush(scope as unknown as Parameters<typeof servePush>[0]);
  return {
    shown,
    noticed,
    async push(...messages) {
      const waits: Promise<unknown>[] = [];
      for (const message of messages) {
        listeners.get('push')?.({ data: { text: () => JSON.stringify(message) }, waitUntil: (done) => void waits.push(done) });
      }
      await Promise.all(waits);
    },
    async click(notification) {
      const waits: Promise<unknown>[] = [];
      listeners.get('notificationclick')?.({
        notification: { close: () => undefined, ...notification },
        waitUntil: (done) => void waits.push(done),
      });
      await Promise.all(waits);
      return opened.splice(0);
    },
  };
}

const message = (seq: number, body: string, more: object = {}): object => ({
  sitrep: 1,
  session: 's',
  slot: 'status',
  tag: 'chat-s-status',
  title: 'T',
  body,
  alert: true,
  id: `e:${seq} status`,
  at: 1_000 * seq,
  ...more,
});

describe('a service worker that is pushed to', () => {
  it('goes by positions where the clock of the gateway was set back', async () => {
    const { push, noticed, shown } = worker();
    await push(message(5, 'first'));
    await push(message(6, 'second', { at: 10 }));
    await push(message(4, 'older', { at: 9_000 }));
    assert.deepEqual([noticed, shown.map(({ body }) => body)], [['first', 'second'], ['second']]);
    // Another epoch has positions of its own: there the time counts.
    await push(message(1, 'third', { id: 'f:1 status', at: 20 }));
    assert.deepEqual(noticed, ['first', 'second', 'third']);
  });

  it('notices an end that progress of the next run has overtaken, and one only', async () => {
    const { push, noticed, shown } = worker();
    await push(message(7, 'next run 1%', { alert: false, id: 'e:7 progress' }));
    await push(message(5, 'completed'));
    assert.deepEqual(noticed, ['completed']);
    await push(message(8, 'next run 2%', { alert: false, id: 'e:8 progress' }));
    await push(message(5, 'completed'));
    assert.deepEqual([noticed, shown.map(({ body }) => body)], [['completed'], ['next run 2%']]);
    await push(message(9, 'failed'));
    await push(message(6, 'an end before that'));
    assert.deepEqual([noticed, shown.map(({ body }) => body)], [['completed', 'failed'], ['failed']]);
  });

  it('notices once what comes twice at the same time, and forgets none of several', async () => {
    const { push, noticed } = worker();
    const others = Array.from({ length: 10 }, (_, n) => message(n, `of ${n}`, { tag: `tag ${n}`, id: `${n}:1 status` }));
    await push(message(1, 'end'), message(1, 'end'), ...others);
    await push(message(1, 'end'), ...others);
    assert.deepEqual(noticed.toSorted(), ['end', ...others.map((_, n) => `of ${n}`)].toSorted());
  });

  it('shows something whatever a message says, and none stands for ever', async () => {
    const { push, noticed, shown } = worker();
    await push(message(1, 'closes itself', { close: ['chat-s-status'] }));
    assert.equal(shown.length, 1);
    await push(message(2, 'of another time', { id: {}, at: 8.64e15 }));
    await push(message(3, 'of now'));
    assert.equal(noticed.at(-1), 'of now');
    assert.equal(shown.at(-1)?.body, 'of now');
  });

  it('opens no address of another origin, whatever a session is called and whatever was written down', async () => {
    const home = 'https://app.example/';
    for (const open of [
      'https://evil.example/{session}',
      '//evil.example/{session}',
      'javascript:alert(1)',
      'data:text/html,x',
      'http://app.example/',
    ]) {
      assert.deepEqual(await worker(open).click({ data: { session: 's' } }), [home], open);
    }
    for (const session of ['//evil.example', '\\\\evil.example', 'javascript:alert(1)', '@evil.example', '\ud800', '../..', '$&']) {
      for (const open of ['{session}', '/{session}', 'c?s={session}', '.{session}']) {
        const [address = ''] = await worker(open).click({ data: { session } });
        assert.equal(new URL(address).origin, 'https://app.example', `${open} ${session}`);
      }
    }
    for (const data of [null, undefined, 7, { session: 7 }]) assert.deepEqual(await worker('/c/{session}').click({ data }), [home]);
  });
});
