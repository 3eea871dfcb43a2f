import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Log } from '../gateway/log.ts';
import type { Stats } from '../gateway/stats.ts';
import type { TelemetryApi } from '../gateway/telemetry-api.ts';
import type { GatewayEnv } from './types.ts';

/** `SpanKind.SERVER` and `SpanStatusCode.ERROR`. */
const SERVER = 1;
const ERROR = 2;
const NAME = '@sitrep/server';

interface SpanLike {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}
interface HistogramLike {
  record(value: number, attributes: Readonly<Record<string, string | number>>): void;
}

/**
 * Requests as spans and as a histogram, and commits as a histogram, by the names of OpenTelemetry's conventions for HTTP.
 * Whoever sends `traceparent` finds the request in its own trace. A stream is over, for this, once it is open. What the
 * API throws is logged and costs no request.
 */
export function telemetry(api: TelemetryApi, stats: Stats, log: Log): MiddlewareHandler<GatewayEnv> {
  const tracer = api.trace.getTracer(NAME) as { startSpan(name: string, options: object, context: unknown): SpanLike };
  const meter = api.metrics.getMeter(NAME) as { createHistogram(name: string, options: object): HistogramLike };
  const requests = meter.createHistogram('http.server.request.duration', { unit: 's', description: 'Duration of requests.' });
  const commits = meter.createHistogram('sitrep.commit.duration', { unit: 's', description: 'Duration of commits.' });
  const attempt = <T>(run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      log(`OpenTelemetry failed: ${(error as Error).message}`, { event: 'telemetry_failed', reason: (error as Error).message });
      return undefined;
    }
  };
  stats.onCommit = (seconds) => void attempt(() => commits.record(seconds, {}));
  return async (c, next) => {
    const began = performance.now();
    const method = c.req.method;
    const begun = attempt(() => {
      const parent = api.propagation.extract(api.context.active() as never, c.req.header() as never);
      const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
      const span = tracer.startSpan(method, { kind: SERVER, attributes }, parent);
      return { span, context: api.trace.setSpan(parent as never, span as never) };
    });
    let answered: Promise<void> | undefined;
    if (begun) attempt(() => api.context.with(begun.context as never, (() => (answered = next())) as never));
    await (answered ?? next());
    attempt(() => end(c, begun?.span, requests, (performance.now() - began) / 1_000));
  };
}

function end(c: Context<GatewayEnv>, span: SpanLike | undefined, requests: HistogramLike, seconds: number): void {
  const status = c.get('upgraded') ? 101 : c.res.status;
  const route = routePath(c, -1);
  const known: Record<string, string | number> = { 'http.request.method': c.req.method, 'http.response.status_code': status };
  if (route !== '' && !route.endsWith('*')) known['http.route'] = route;
  if (status >= 500) known['error.type'] = String(status);
  requests.record(seconds, known);
  for (const [name, value] of Object.entries(known)) span?.setAttribute(name, value);
  if (known['http.route'] !== undefined)
    (span as { updateName?(name: string): unknown } | undefined)?.updateName?.(`${c.req.method} ${route}`);
  if (status >= 500) span?.setStatus({ code: ERROR });
  span?.end();
}
