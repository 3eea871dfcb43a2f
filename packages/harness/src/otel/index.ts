/** Spans of OpenTelemetry for operations and runs, by the names of its conventions for generative AI. */
export { createSpanSink } from './sink.ts';
export type { SpanSinkOptions } from './sink.ts';
export type { OtelApi, SpanLike, TracerLike } from './api.ts';
