/** Sources that carry progress events, and the store that keeps one session. */
export { systemClock } from './clock.ts';
export { createMemorySource } from './source/memory.ts';
export { createReplaySource } from './source/replay.ts';
export { createSseSource } from './source/sse.ts';
export { createStore } from './store/store.ts';
export type { Clock } from './clock.ts';
export type { Ndjson } from './source/lines.ts';
export type { MemorySource, MemorySourceOptions } from './source/memory.ts';
export type { ReplaySourceOptions } from './source/replay.ts';
export type { Diagnostic, Source, SourceSink } from './source/source.ts';
export type { SseHeaders, SseSourceOptions } from './source/sse.ts';
export type { SessionView, Store, StoreOptions } from './store/store.ts';
