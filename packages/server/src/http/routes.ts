import { cardReceipt } from '@sitrep/harness';
import type { Context, Handler } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { PublishOptions } from '../gateway/write/publish.ts';
import { version } from '../version.ts';
import { reaches } from '../auth/grant.ts';
import type { Access } from './access.ts';
import { deleteCookieRoute, postCookie, postTicket } from './auth-routes.ts';
import { readJson, readJsonText } from './body.ts';
import { errorBody } from './error-body.ts';
import { deleteLease, leaseOf, putLease } from './lease-routes.ts';
import { exportRoute } from './export-route.ts';
import { METRICS_TYPE, metricsText } from './metrics.ts';
import { openClawRoute } from '../openclaw/route.ts';
import { socketRoute } from '../socket/socket-route.ts';
import { postRefresh, requestsRoute } from './refresh-routes.ts';
import { deleteSubscription, getPushKey, postPresence, putSubscription, replaceSubscription } from './push-routes.ts';
import { streamRoute } from './stream-route.ts';
import type { GatewayApp, GatewayEnv } from './types.ts';

type C = Context<GatewayEnv>;

/** Puts the gateway's routes on an app. */
export function addRoutes(app: GatewayApp, core: GatewayCore, access: Access): void {
  route(app, '/healthz', { GET: (c) => health(c, core) });
  route(app, '/metrics', { GET: (c) => metrics(c, core, access) });
  route(app, '/readyz', { GET: (c) => readiness(c, core) });
  route(app, '/v1/export', { GET: (c) => exportRoute(c, core, access) });
  route(app, '/v1/sessions', { GET: (c) => listSessions(c, core, access) });
  route(app, '/v1/sessions/:session', { GET: (c) => getSession(c, core, access) });
  route(app, '/v1/sessions/:session/events', { POST: (c) => postEvents(c, core, access) });
  route(app, '/v1/sessions/:session/card', { PUT: (c) => putCard(c, core, access) });
  route(app, '/v1/sessions/:session/card/refresh', { POST: (c) => postRefresh(c, core, access, sessionOf(c)) });
  route(app, '/v1/sessions/:session/requests', { GET: (c) => requestsRoute(c, core, access, sessionOf(c)) });
  route(app, '/v1/sessions/:session/reset', { POST: (c) => postReset(c, core, access) });
  route(app, '/v1/sessions/:session/leases/:producer', {
    PUT: (c) => putLease(c, core, access, sessionOf(c)),
    DELETE: (c) => deleteLease(c, core, access, sessionOf(c)),
  });
  route(app, '/v1/sessions/:session/stream', { GET: (c) => streamRoute(c, core, access, sessionOf(c)) });
  route(app, '/v1/sessions/:session/socket', { GET: (c) => socketRoute(c, core, access, sessionOf(c)) });
  route(app, '/v1/sessions/:session/ticket', { POST: (c) => postTicket(c, core, access, sessionOf(c)) });
  route(app, '/v1/sessions/:session/presence', { POST: (c) => postPresence(c, core, access, sessionOf(c)) });
  route(app, '/v1/push/key', { GET: (c) => getPushKey(c, core, access) });
  route(app, '/v1/push/subscriptions', {
    PUT: (c) => putSubscription(c, core, access),
    PATCH: (c) => replaceSubscription(c, core, access),
    DELETE: (c) => deleteSubscription(c, core, access),
  });
  route(app, '/v1/openclaw', { GET: openClawRoute(core, access) });
  route(app, '/v1/cookie', { POST: (c) => postCookie(c, core, access), DELETE: deleteCookieRoute });
}

/** What was true when it was read may not be true any more. */
const NO_STORE = { 'cache-control': 'no-store' };

/** What it is doing, in numbers; for an administrator. */
async function metrics(c: C, core: GatewayCore, access: Access): Promise<Response> {
  await access.permitAdmin(c);
  return c.body(metricsText(core), 200, { ...NO_STORE, 'content-type': METRICS_TYPE });
}

/** That it is alive, and how its store is. */
function health(c: C, core: GatewayCore): Response {
  const { store } = core.options;
  const { state, quarantined } = store.health?.() ?? { state: 'ok', quarantined: 0 };
  const more = { ...(state === 'ok' ? {} : { storeState: state }), ...(quarantined > 0 ? { quarantined } : {}) };
  return c.json({ ok: true, version: version(), store: store.kind, ...more });
}

/** Whether new readers should be sent here. That it is alive, `/healthz` says. */
function readiness(c: C, core: GatewayCore): Response {
  if (core.ready) return c.json({ ready: true }, 200, NO_STORE);
  const why = core.stopping
    ? errorBody('closed', 'The gateway is about to stop.')
    : errorBody('unavailable', 'The gateway cannot reach its store.');
  return c.json({ ready: false, ...why }, 503, NO_STORE);
}

/** One address: its methods, and what to say to every other method. */
function route(app: GatewayApp, path: string, methods: Readonly<Record<string, Handler<GatewayEnv>>>): void {
  for (const [method, handler] of Object.entries(methods)) app.on(method, path, handler);
  const allow = Object.keys(methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
  app.all(path, (c) => {
    c.header('allow', allow);
    if (c.req.method === 'OPTIONS') return c.body(null, 204);
    return c.json(errorBody('method_not_allowed', `This address takes ${allow}, not ${c.req.method}.`), 405);
  });
}

/** The session an address names. Half an escape, or bytes that are no UTF-8, must not become a name that looks like them. */
function sessionOf(c: C): string {
  try {
    decodeURIComponent(new URL(c.req.url).pathname);
  } catch {
    throw new GatewayError('bad_request', 'session must be percent-encoded UTF-8 in the address.');
  }
  return c.req.param('session') ?? '';
}

async function getSession(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const session = sessionOf(c);
  await access.permit(c, 'read', session);
  return c.json(await core.snapshot(session), 200, NO_STORE);
}

async function postEvents(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const session = sessionOf(c);
  await access.permit(c, 'write', session);
  const { value: body, text } = await readJsonText(c, core.options.bodyLimit, 'one event, or an array of events');
  if (typeof body !== 'object' || body === null)
    throw new GatewayError('bad_json', 'The body must be an event (an object) or an array of events.');
  const { dialect, id, run, parent } = c.req.query();
  const options = { dialect, id, run, parent, lease: leaseOf(c), text, idempotencyKey: keyOf(c) } as PublishOptions;
  const { replayed, ...published } = await core.publish(session, Array.isArray(body) ? body : [body], options);
  return c.json(published, 200, replayedHeader(replayed));
}

async function putCard(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const session = sessionOf(c);
  await access.permit(c, 'write', session);
  const body = await readJson(c, core.options.bodyLimit, 'a card: an object with plan, markdown or both');
  const written = await core.putCard(session, body, c.req.query('run'), { idempotencyKey: keyOf(c) });
  if (written.ok) {
    return c.json(
      { revision: written.revision, steps: written.steps, receipt: cardReceipt(written) },
      200,
      replayedHeader(written.replayed),
    );
  }
  switch (written.code) {
    case 'conflict': {
      const { revision, card } = written;
      const message = `expectedRevision is not the card's revision, which is ${revision}. Nothing was written: read the card in this answer and write again.`;
      return c.json({ ...errorBody('conflict', message), revision, card }, 409);
    }
    case 'invalid':
      return c.json(errorBody('invalid_card', 'The card was not written: see issues.', written.issues), 422);
    case 'unavailable':
      throw new GatewayError('store_failed', written.message);
  }
}

async function postReset(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const session = sessionOf(c);
  await access.permit(c, 'write', session);
  const { replayed, ...reset } = await core.reset(session, { idempotencyKey: keyOf(c) });
  return c.json(reset, 200, replayedHeader(replayed));
}

/** The key that names a write, if the request carries one. */
function keyOf(c: C): string | undefined {
  return c.req.header('idempotency-key');
}

/** Says that an answer was given before. */
function replayedHeader(replayed: boolean | undefined): Record<string, string> {
  return replayed ? { 'idempotency-replayed': 'true' } : {};
}

async function listSessions(c: C, core: GatewayCore, access: Access): Promise<Response> {
  const grant = await access.grant(c);
  const text = c.req.query('limit');
  const limit = text === undefined ? 100 : Number(text);
  if ((text !== undefined && !/^\d+$/.test(text)) || limit < 1 || limit > 1_000)
    throw new GatewayError('bad_request', 'limit must be a whole number from 1 to 1000.');
  const sessions = await core.sessions({ limit, where: grant && ((session) => reaches(grant, session)) });
  return c.json(
    {
      sessions: sessions.map(({ session, title, activity, updatedAt, epoch, seq }) => ({
        session,
        title,
        activity,
        updatedAt,
        epoch,
        seq,
      })),
    },
    200,
    NO_STORE,
  );
}
