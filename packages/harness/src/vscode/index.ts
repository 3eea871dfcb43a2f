/** A session in VS Code and its kin, by the shape of their API. */
export { createVsCodeSink } from './sink.ts';
export type { VsCodeSinkOptions } from './sink.ts';
export { createVsCodeProgressSink, signalOf } from './single.ts';
export type {
  VsCodeCancellationToken,
  VsCodeDisposable,
  VsCodeProgress,
  VsCodeProgressOptions,
  VsCodeReport,
  VsCodeWindow,
} from './api.ts';
