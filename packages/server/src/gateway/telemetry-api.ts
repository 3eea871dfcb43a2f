/**
 * The part of `@opentelemetry/api` that a gateway uses, by its shape: `import * as api from '@opentelemetry/api'`. Nothing of
 * OpenTelemetry is loaded here.
 */
export interface TelemetryApi {
  readonly trace: {
    getTracer(name: string): unknown;
    setSpan(context: never, span: never): unknown;
  };
  readonly metrics: { getMeter(name: string): unknown };
  readonly context: {
    active(): unknown;
    with(context: never, run: never): unknown;
  };
  readonly propagation: { extract(context: never, carrier: never): unknown };
}
