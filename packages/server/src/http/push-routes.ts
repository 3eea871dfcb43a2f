import type { Context } from 'hono';
import type { Grant } from '../auth/grant.ts';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { storeFault } from '../gateway/store-fault.ts';
import { checkSessionName } from '../gateway/session/session-name.ts';
import { endpointFault } from '../push/endpoint.ts';
import type { Push } from '../push/push.ts';
import { readSubscription } from '../push/subscription.ts';
import type { SubscriptionInput } from '../push/subscription.ts';
import type { Reach } from '../push/subscriptions.ts';
import type { Access } from './access.ts';
import { readJson } from './body.ts';
import type { GatewayEnv } from './types.ts';

type C = Context<GatewayEnv>;

const NO_STORE = { 'cache-control': 'no-store' };
/** Characters of the name a page gives itself. */
const MAX_PAGE = 64;

/** The public key a browser subscribes with. */
export async function getPushKey(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const push = pushOf(core);
  await access.grant(c);
  return c.json({ key: push.options.keys.publicKey }, 200, NO_STORE);
}

/** Makes a subscription of the token's user, or renews it. */
export async function putSubscription(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const push = pushOf(core);
  const reach = reachOf(await access.grant(c));
  const input = inputOf(await readJson(c, core.options.bodyLimit, 'a subscription'), push);
  if (input.session !== undefined) {
    checkSessionName(input.session);
    await access.permit(c, 'read', input.session);
  }
  const made = await stored(push.subscriptions.put(input, reach, core.options.clock.now()));
  if (made === 'full') throw new GatewayError('too_many_subscriptions', 'This gateway keeps no more subscriptions. Try again later.');
  if (made === 'foreign') throw new GatewayError('forbidden', 'This endpoint belongs to another user and has another secret.');
  return c.json({ id: made.id, sessions: made.only }, 200, NO_STORE);
}

/**
 * Puts the new endpoint of a browser in the place of its old one, for a service worker, which has no token: the old
 * endpoint with its secret is known to that browser alone, and nothing else changes.
 */
export async function replaceSubscription(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const push = pushOf(core);
  access.countAddress(c);
  const body = await readJson(c, core.options.bodyLimit, 'a subscription with its old endpoint');
  const input = inputOf(body, push);
  const { old } = body as { readonly old?: { readonly endpoint?: unknown; readonly auth?: unknown } | null };
  const known = { endpoint: String(old?.endpoint), auth: String(old?.auth) };
  if (!(await stored(push.subscriptions.replace(known, input, core.options.clock.now())))) {
    throw new GatewayError('forbidden', 'No subscription has this old endpoint with this secret. Make a new one with a token.');
  }
  return c.json({}, 200, NO_STORE);
}

/** Takes a subscription back, or one session from it. */
export async function deleteSubscription(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const push = pushOf(core);
  const { user } = reachOf(await access.grant(c));
  const body = await readJson(c, core.options.bodyLimit, 'a subscription: its endpoint, and a session where only that is to go');
  const { endpoint, session } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof endpoint !== 'string' || (session !== undefined && typeof session !== 'string')) {
    throw new GatewayError('bad_request', 'The body must be {"endpoint": "…"}, with "session" where only that is to go.');
  }
  await stored(push.subscriptions.remove(endpoint, user, session, core.options.clock.now()));
  return c.body(null, 204, NO_STORE);
}

/** A page says whether it is looked at; while it is, its user is not told by push. */
export async function postPresence(c: C, core: GatewayCore, access: Access, session: string): Promise<Response> {
  checkSessionName(session);
  const grant = await access.permit(c, 'read', session);
  const body = await readJson(c, core.options.bodyLimit, '{"page": "…", "visible": true or false}');
  const { page, visible } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof page !== 'string' || page === '' || page.length > MAX_PAGE || typeof visible !== 'boolean') {
    throw new GatewayError(
      'bad_request',
      `The body must be {"page": "…", "visible": true or false}; page names the page, in 1 to ${MAX_PAGE} characters.`,
    );
  }
  // Where nobody is told by push there is nothing to hold back: a page need not know.
  const user = userOf(grant);
  if (core.push && user !== undefined) {
    await stored(core.push.presence.note(user, session, page, visible, core.options.clock.now()));
    core.push.looked();
  }
  return c.body(null, 204, NO_STORE);
}

/** What the store answers, or why it cannot. */
async function stored<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw storeFault(cause);
  }
}

function pushOf(core: GatewayCore): Push {
  if (!core.push) throw new GatewayError('push_off', 'This gateway sends no pushes: it was given no keys for them (--push-keys).');
  return core.push;
}

function userOf(grant: Grant | undefined): string | undefined {
  return grant ? grant.subject : '';
}

function reachOf(grant: Grant | undefined): Reach {
  const user = userOf(grant);
  if (user === undefined) {
    throw new GatewayError('forbidden', 'The token names nobody that could be told. Make it with a subject (sitrep token --subject).');
  }
  return grant ? { user, sessions: [...grant.sessions], prefixes: grant.prefixes } : { user, sessions: [], prefixes: [''] };
}

function inputOf(body: unknown, push: Push): SubscriptionInput {
  const read = readSubscription(body);
  const fault = 'fault' in read ? read.fault : endpointFault(read.input.endpoint, push.options);
  if (fault !== undefined) throw new GatewayError('bad_request', fault);
  return (read as { readonly input: SubscriptionInput }).input;
}
