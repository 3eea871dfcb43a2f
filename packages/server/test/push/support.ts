import type { TestContext } from 'node:test';
import { newVapidKeys } from '@sitrep/server';
import type { GatewayOptions, PushOptions } from '@sitrep/server';
import { serve, put, TestClock } from '../support.ts';
import type { Answer, Served } from '../support.ts';
import { CA, startService } from './service.ts';
import type { PushService } from './service.ts';

/** Keys of all gateways of these tests: the same after a restart. */
export const KEYS = newVapidKeys('mailto:tests@example.com');

export interface Pushing extends Served {
  readonly service: PushService;
  /** Lets so many seconds pass, and what they bring be sent. */
  pass(seconds: number): Promise<void>;
  /** Subscribes a browser of whoever has the token. */
  subscribe(name: string, more?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  publish(...events: readonly object[]): Promise<void>;
}

/** A gateway with push, and the service it pushes to. */
export async function servePush(
  t: TestContext,
  options: Partial<GatewayOptions> & {
    readonly service?: PushService;
    readonly more?: Partial<PushOptions>;
    readonly session?: string;
  } = {},
): Promise<Pushing> {
  const { service: given, more, session = 'chat-1', clock = new TestClock(), ...rest } = options;
  const service = given ?? (await startService(t, KEYS.publicKey));
  const served = await serve(t, {
    ...rest,
    clock,
    push: { keys: KEYS, privateHosts: [new URL(service.url).host], ca: CA, ...more },
  });
  const time = clock as TestClock;
  return {
    ...served,
    clock: time,
    service,
    async pass(seconds) {
      for (let n = 0; n < seconds; n += 1) {
        time.advance(1_000);
        await served.gateway.push?.settled();
      }
    },
    subscribe: (name, wish = {}, headers) =>
      put(`${served.url}/v1/push/subscriptions`, { ...service.subscribe(name), expirationTime: null, ...wish }, headers),
    async publish(...events) {
      await served.gateway.publish(session, events);
    },
  };
}

export const run = (name: string, state: string, more: object = {}): object => ({ type: 'run', run: name, state, ...more });
export const build = (current: number, more: object = {}): object => ({
  type: 'operation',
  id: 'build',
  run: 'r1',
  state: 'running',
  title: 'Building project',
  message: `file ${current}`,
  current,
  total: 100,
  ...more,
});
