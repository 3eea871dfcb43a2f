import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { it } from 'node:test';
import type { TelemetryApi } from '@sitrep/server';
import { http, operation, post, serve, stream } from './support.ts';

// The real API and SDK, which only the package beside this one is tried with.
const beside = createRequire(new URL('../../harness/package.json', import.meta.url));
const within = createRequire(beside.resolve('@opentelemetry/sdk-trace-base'));
interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number };
  readonly parentSpanContext?: { readonly spanId: string };
  spanContext(): { readonly traceId: string };
}
interface Sdk {
  readonly InMemorySpanExporter: new () => { getFinishedSpans(): readonly Span[] };
  readonly SimpleSpanProcessor: new (exporter: unknown) => unknown;
  readonly BasicTracerProvider: new (options: object) => { getTracer(name: string): unknown };
}
const api = beside('@opentelemetry/api') as TelemetryApi & { propagation: { setGlobalPropagator(propagator: unknown): void } };
const { InMemorySpanExporter, SimpleSpanProcessor, BasicTracerProvider } = beside('@opentelemetry/sdk-trace-base') as Sdk;
const { W3CTraceContextPropagator } = within('@opentelemetry/core') as { W3CTraceContextPropagator: new () => unknown };
api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());

const S = '/v1/sessions/a%20name';

function instrument() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const recorded: { name: string; value: number; attributes: Readonly<Record<string, unknown>> }[] = [];
  const createHistogram = (name: string) => ({
    record: (value: number, attributes: Readonly<Record<string, unknown>>) => void recorded.push({ name, value, attributes }),
  });
  const telemetry: TelemetryApi = {
    context: api.context,
    propagation: api.propagation,
    metrics: { getMeter: () => ({ createHistogram }) },
    trace: { getTracer: (name) => provider.getTracer(name), setSpan: (...given) => api.trace.setSpan(...given) },
  };
  return { telemetry, recorded, spans: () => exporter.getFinishedSpans() };
}

it('requests are spans in the trace of who asks, named by their route, and values of a histogram as commits are', async (t) => {
  const { telemetry, recorded, spans } = instrument();
  const { url } = await serve(t, { telemetry });
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  await post(`${url}${S}/events`, operation('a', { state: 'running' }), { traceparent });
  await stream(t, `${url}${S}/stream`).next();
  await http(`${url}/nowhere`);
  await http(`${url}${S}`, { headers: { host: 'evil.example' } });
  const [written, streamed, nowhere, refused] = spans();
  assert.deepEqual(
    [written, streamed, nowhere, refused].map((span) => [span?.name, span?.kind, span?.attributes['http.response.status_code']]),
    [
      ['POST /v1/sessions/:session/events', 1, 200],
      ['GET /v1/sessions/:session/stream', 1, 200],
      ['GET', 1, 404],
      ['GET /v1/sessions/:session', 1, 403],
    ],
  );
  assert.equal(written?.parentSpanContext?.spanId, '00f067aa0ba902b7');
  assert.equal(written?.spanContext().traceId, '4bf92f3577b34da6a3ce929d0e0e4736');
  assert.equal(streamed?.parentSpanContext, undefined);
  assert.ok(
    spans().every(({ attributes, name }) => !JSON.stringify([attributes, name]).includes('a name')),
    'no span names a session',
  );
  const names = recorded.map(({ name }) => name);
  assert.deepEqual(names.toSorted(), [...Array<string>(4).fill('http.server.request.duration'), 'sitrep.commit.duration'].toSorted());
  assert.ok(recorded.every(({ value }) => value >= 0 && value < 60));
  const [{ attributes } = { attributes: {} }] = recorded.filter(({ name }) => name.startsWith('http'));
  assert.deepEqual(attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'http.route': '/v1/sessions/:session/events',
  });
});

it('an API that throws costs no request', async (t) => {
  const { telemetry } = instrument();
  const broken: TelemetryApi = {
    ...telemetry,
    propagation: {
      extract() {
        throw new Error('no context');
      },
    },
  };
  const { url, log } = await serve(t, { telemetry: broken });
  assert.equal((await post(`${url}${S}/events`, operation('a'))).status, 200);
  assert.ok(log.includes('OpenTelemetry failed: no context'));
  const without = await serve(t, {
    telemetry: {
      ...telemetry,
      context: {
        active: () => api.context.active(),
        with() {
          throw new Error('no storage');
        },
      },
    },
  });
  assert.equal((await post(`${without.url}${S}/events`, operation('a'))).status, 200);
  assert.ok(without.log.includes('OpenTelemetry failed: no storage'));
});
