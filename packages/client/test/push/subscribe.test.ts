import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { subscribePush, unsubscribePush } from '@sitrep/client';

interface Wish {
  readonly permission?: NotificationPermission;
  /** What the user answers. */
  readonly answer?: NotificationPermission;
  readonly isActive?: boolean;
  /** The key the browser's own subscription is bound to, if there is one. */
  readonly bound?: string;
  readonly replies?: Record<string, () => Response>;
}

const KEY = Buffer.alloc(65, 4).toString('base64url');

/** The parts of a browser that are needed, and what was done with them, in order. */
function browser(
  t: TestContext,
  { permission = 'granted', answer = 'granted', isActive = true, bound, replies = {} }: Wish,
): { readonly done: string[] } {
  const done: string[] = [];
  const kept = new Map<string, Response>();
  const subscription = (key: string) => ({
    endpoint: `https://push.example/${key.slice(0, 4)}`,
    options: { applicationServerKey: new Uint8Array(Buffer.from(key, 'base64url')).buffer },
    toJSON: () => ({ keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: async () => done.push('unsubscribe'),
  });
  let held = bound === undefined ? null : subscription(bound);
  const pushManager = {
    getSubscription: async () => held,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      done.push('subscribe');
      return (held = subscription(applicationServerKey));
    },
  };
  const other = { ...pushManager, getSubscription: async () => null };
  const registration = { pushManager, active: { state: 'activated' } };
  const globals = {
    location: new URL('https://app.example/chat'),
    PushManager: function PushManager() {},
    Notification: {
      permission,
      requestPermission: async () => {
        done.push('ask');
        return answer;
      },
    },
    navigator: {
      userActivation: { isActive },
      serviceWorker: {
        register: async (url: string) => {
          done.push(`register ${url}`);
          return registration;
        },
        // A worker of another part of the site has the page, and no subscription.
        getRegistration: async (url?: string) => (url === undefined ? { ...registration, pushManager: other } : registration),
      },
    },
    caches: {
      open: async () => ({
        match: async (name: string) => kept.get(name),
        put: async (name: string, value: Response) => void kept.set(name, value),
        delete: async (name: string) => kept.delete(name),
      }),
    },
    fetch: async (url: string, { method, body, headers }: { method: string; body?: string; headers: Headers }) => {
      const path = new URL(url).pathname;
      done.push([method, url, body, headers.get('authorization')].filter(Boolean).join(' '));
      return replies[path]?.() ?? (path.endsWith('/key') ? Response.json({ key: KEY }) : new Response(null, { status: 204 }));
    },
  };
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)));
  }
  return { done };
}

describe('subscribing a browser to pushes', () => {
  it('asks the user first of all, then registers the worker and tells the gateway', async (t) => {
    const { done } = browser(t, { permission: 'default' });
    const result = await subscribePush({
      gateway: 'https://gw.example/sub/',
      session: 's',
      headers: { authorization: 'Bearer x' },
      open: '/c/{session}',
    });
    assert.deepEqual(result, { ok: true, endpoint: 'https://push.example/BAQE' });
    assert.deepEqual(done, [
      'ask',
      'GET https://gw.example/sub/v1/push/key Bearer x',
      'register /push-worker.js',
      'subscribe',
      'PUT https://gw.example/sub/v1/push/subscriptions {"endpoint":"https://push.example/BAQE","keys":{"p256dh":"p","auth":"a"},"session":"s"} Bearer x',
    ]);
  });

  it('asks nobody outside of a click, nor where the answer is known', async (t) => {
    for (const [wish, reason, asked] of [
      [{ permission: 'default', isActive: false }, 'gesture', []],
      [{ permission: 'denied' }, 'denied', []],
      [{ permission: 'default', answer: 'denied' }, 'denied', ['ask']],
      [{ permission: 'default', answer: 'default' }, 'dismissed', ['ask']],
    ] as const) {
      const { done } = browser(t, wish);
      const result = await subscribePush();
      assert.equal(!result.ok && result.reason, reason);
      assert.deepEqual(done, asked);
    }
  });

  it('renews without a click what was allowed before, and keeps the subscription of the browser', async (t) => {
    const { done } = browser(t, { isActive: false, bound: KEY });
    assert.equal((await subscribePush()).ok, true);
    assert.deepEqual(
      done.filter((what) => what.includes('subscribe')),
      [],
    );
    assert.match(done.at(-1) ?? '', /^PUT https:\/\/app\.example\/v1\/push\/subscriptions /);
  });

  it('begins anew where the subscription is bound to another key', async (t) => {
    const { done } = browser(t, { bound: Buffer.alloc(65, 5).toString('base64url') });
    assert.equal((await subscribePush()).ok, true);
    assert.deepEqual(done.filter((what) => what.includes('subscribe')).slice(0, 2), ['unsubscribe', 'subscribe']);
  });

  it('says why it could not', async (t) => {
    const off = () => Response.json({ error: { code: 'push_off' } }, { status: 404 });
    const no = () => Response.json({ error: { code: 'forbidden', message: 'The token names nobody.' } }, { status: 403 });
    const broken = (): Response => {
      throw new TypeError('fetch failed');
    };
    for (const [replies, reason, message] of [
      [{ '/v1/push/key': off }, 'off', /sends no pushes/],
      [{ '/v1/push/key': broken }, 'failed', /fetch failed/],
      [{ '/v1/push/subscriptions': no }, 'failed', /The token names nobody/],
    ] as const) {
      browser(t, { replies });
      const result = await subscribePush();
      assert.ok(!result.ok);
      assert.equal(result.reason, reason);
      assert.match(result.message, message);
    }
    Reflect.deleteProperty(globalThis, 'PushManager');
    const result = await subscribePush();
    assert.equal(!result.ok && result.reason, 'unsupported');
  });

  it('takes one session back, or all of it', async (t) => {
    const { done } = browser(t, { bound: KEY });
    assert.equal(await unsubscribePush({ session: 's' }), true);
    assert.equal(await unsubscribePush(), true);
    assert.deepEqual(done, [
      'DELETE https://app.example/v1/push/subscriptions {"endpoint":"https://push.example/BAQE","session":"s"}',
      'DELETE https://app.example/v1/push/subscriptions {"endpoint":"https://push.example/BAQE"}',
      'unsubscribe',
    ]);
    browser(t, {
      bound: KEY,
      replies: {
        '/v1/push/subscriptions': () => {
          throw new TypeError('fetch failed');
        },
      },
    });
    assert.equal(await unsubscribePush(), false);
  });
});

it('the service worker that is served as it is, is that of the source', () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../scripts/push-worker.ts', import.meta.url)), '--check']);
});
