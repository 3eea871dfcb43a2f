export type { Diagnostic, Source, SourceSink } from './source/source.ts';
export type { SessionView, Store } from './store/store.ts';
