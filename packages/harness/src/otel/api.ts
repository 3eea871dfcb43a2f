/** The part of `@opentelemetry/api` that is used, by its shape: nothing of it is loaded here. */

/** Values of attributes. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** A span. */
export interface SpanLike {
  spanContext(): unknown;
  setAttribute(name: string, value: string | number | boolean): unknown;
  updateName(name: string): unknown;
  addEvent(name: string, attributes?: Attributes, time?: number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time?: number): void;
}

/** What makes spans. */
export interface TracerLike {
  // Methods, not properties: what they take is compared loosely, so that any version of the API fits.
  startSpan(name: string, options?: object, context?: unknown): SpanLike;
}

/** The API itself: `import * as api from '@opentelemetry/api'`. */
export interface OtelApi {
  readonly trace: {
    getTracer(name: string, version?: string): unknown;
    setSpan(context: never, span: never): unknown;
  };
  readonly context: { active(): unknown };
}

/** `SpanKind.INTERNAL` */
export const INTERNAL = 0;
/** `SpanStatusCode.ERROR` */
export const ERROR = 2;
