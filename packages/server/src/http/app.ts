import { Hono } from 'hono';
import type { MiddlewareHandler } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { countUp } from '../gateway/stats.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { storeFault } from '../gateway/store-fault.ts';
import { faultReason } from '../store/store-fault.ts';
import { isUnavailable } from '../store/unavailable.ts';
import { Access } from './access.ts';
import { errorBody, STATUS } from './error-body.ts';
import { hostGuard, originGuard, sharing } from './guard.ts';
import { addRoutes } from './routes.ts';
import { telemetry } from './telemetry.ts';
import type { GatewayApp, GatewayEnv } from './types.ts';

/**
 * The gateway as a Hono app. The Host check covers every address, routes added later included; the Origin check covers
 * the gateway's own, so that a page of the embedding program can be opened by a link from anywhere.
 */
export function createApp(core: GatewayCore): GatewayApp {
  const app = new Hono<GatewayEnv>();
  app.use('*', observed(core));
  const { telemetry: api, log } = core.options;
  if (api) app.use('*', telemetry(api, core.stats, log));
  app.use('*', hostGuard(core.options.allowedHosts));
  const guard = originGuard(core.options);
  for (const own of ['/v1/*', '/metrics']) app.use(own, guard);
  const share = sharing(core.options.allowedOrigins);
  for (const open of ['/healthz', '/readyz']) app.use(open, share);
  addRoutes(app, core, new Access(core.options));
  app.notFound(async (c) => {
    const preflight = await share(c, async () => undefined);
    return preflight ?? c.json(errorBody('not_found', 'There is nothing at this address. Sessions are at /v1/sessions.'), 404);
  });
  app.onError((error, c) => {
    // By name: the error may come from another copy of this package.
    const refused = faultReason(error) || isUnavailable(error) ? storeFault(error) : error;
    if (refused.name !== 'GatewayError') {
      countUp(core.stats.refusals, 'internal');
      core.options.log(`An answer failed: ${error.stack ?? error.message}`, {
        event: 'answer_failed',
        level: 'error',
        reason: error.message,
      });
      return c.json(errorBody('internal', 'The gateway failed on this request; its log says why.'), 500);
    }
    const { code, message, retryAfter } = refused as GatewayError;
    const status = STATUS[code];
    countUp(core.stats.refusals, code);
    if (status === 503 || status === 507 || status === 429) c.header('retry-after', String(retryAfter ?? 2));
    if (status === 401) c.header('www-authenticate', challenge(code));
    if (status === 413) c.header('connection', 'close');
    const issues = code === 'bad_json' ? [{ path: '', code: 'syntax' as const, message }] : undefined;
    return c.json(errorBody(code, message, issues), status);
  });
  return app;
}

/** Counts requests and tells of them. */
function observed(core: GatewayCore): MiddlewareHandler<GatewayEnv> {
  const { onRequest, log } = core.options;
  return async (c, next) => {
    const began = performance.now();
    await next();
    const status = c.get('upgraded') ? 101 : c.res.status;
    countUp(core.stats.statuses, status);
    try {
      onRequest({ method: c.req.method, path: c.req.path, status, ms: performance.now() - began, token: c.get('token') });
    } catch (error) {
      log(`What is told of requests threw: ${String(error)}`);
    }
  };
}

/** What to send, in the words of RFC 6750; without a word about the token where there was none. */
function challenge(code: GatewayError['code']): string {
  return code === 'unauthorized' ? 'Bearer realm="sitrep"' : `Bearer realm="sitrep", error="invalid_token", error_description="${code}"`;
}
