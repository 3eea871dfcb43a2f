import assert from 'node:assert/strict';
import { it } from 'node:test';
import { announcePresence } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';

it('a page says that it is looked at, again and again while it is, and that it is not any more', async (t) => {
  const sent: string[] = [];
  const clock = manualClock();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const scope = new EventTarget();
  const globals = {
    // As a page that is not secure has it.
    crypto: {},
    document: page,
    location: new URL('https://app.example/'),
    addEventListener: scope.addEventListener.bind(scope),
    removeEventListener: scope.removeEventListener.bind(scope),
    fetch: async (url: string, { body, keepalive }: { body: string; keepalive: boolean }) => {
      assert.equal(url, 'https://app.example/v1/sessions/a%2Fb/presence');
      assert.equal(keepalive, true);
      sent.push(String((JSON.parse(body) as { visible: boolean }).visible));
      // A gateway that is away changes nothing.
      throw new TypeError('fetch failed');
    },
  };
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : Reflect.deleteProperty(globalThis, name)));
  }
  const taken = async (): Promise<string[]> => {
    await settle();
    return sent.splice(0);
  };
  const see = (visible: boolean): void => {
    page.visibilityState = visible ? 'visible' : 'hidden';
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const stop = announcePresence({ session: 'a/b', clock });
  assert.deepEqual(await taken(), ['true']);
  await clock.advance(60_000);
  assert.deepEqual(await taken(), ['true', 'true', 'true']);
  see(false);
  await clock.advance(600_000);
  assert.deepEqual(await taken(), ['false']);
  see(true);
  assert.deepEqual(await taken(), ['true']);
  scope.dispatchEvent(new Event('pagehide'));
  await clock.advance(60_000);
  assert.deepEqual(await taken(), ['false']);
  scope.dispatchEvent(new Event('pageshow'));
  assert.deepEqual(await taken(), ['true']);
  stop();
  see(true);
  await clock.advance(60_000);
  assert.deepEqual(await taken(), ['false']);
});
