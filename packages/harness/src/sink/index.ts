/** Sinks: where events go. */
export type { Sink } from './sink.ts';
export { createMemorySink } from './memory.ts';
export type { MemorySink } from './memory.ts';
export { createCallbackSink } from './callback.ts';
export type { CallbackSinkOptions } from './callback.ts';
export { createHttpSink } from './http.ts';
export type { FlushOptions, HttpSink, HttpSinkOptions, HttpSinkStats } from './http.ts';
