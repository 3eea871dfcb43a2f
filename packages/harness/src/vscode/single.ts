/// <reference lib="esnext.disposable" preserve="true" />
import { SessionIndex } from '@sitrep/schema/reduce';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import type { Sink } from '../sink/sink.ts';
import type { VsCodeCancellationToken, VsCodeProgress } from './api.ts';
import { VsCodeMeter } from './meter.ts';

/**
 * A sink for ONE operation that draws into a progress the extension has begun itself: the first operation it is sent, or rather its
 * first id; what is nested in it is not drawn.
 *
 * ```ts
 * window.withProgress({ location: ProgressLocation.Notification, title: 'Build', cancellable: true }, (progress, token) =>
 *   createReporter({ sink: createVsCodeProgressSink(progress), session, signal: signalOf(token) }).track(build),
 * );
 * ```
 */
export function createVsCodeProgressSink(
  progress: VsCodeProgress,
  options: { readonly onDiagnostic?: OnDiagnostic | undefined } = {},
): Sink & AsyncDisposable {
  const meter = new VsCodeMeter(progress);
  let index: SessionIndex | undefined;
  let first: { id: string | number; run: string | undefined } | undefined;
  let closed = false;

  function send(event: ProgressEvent): void {
    if (closed || event.type !== 'operation') return;
    index ??= new SessionIndex(event.session);
    first ??= { id: event.id, run: event.run };
    if (event.id !== first.id || event.run !== first.run || index.apply(event).outcome !== 'applied') return;
    const operation = index.find(event.id, event.run);
    if (operation !== undefined) meter.show(operation);
  }

  function close(): Promise<void> {
    closed = true;
    return Promise.resolve();
  }

  return {
    send(event) {
      try {
        send(event);
      } catch {
        tell(options.onDiagnostic, { code: 'sink_failed', message: 'A report to the editor failed; the work it shows goes on.' });
      }
    },
    flush: () => Promise.resolve(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A signal that aborts when the token of the editor is cancelled: for a reporter, or for `fetch`. */
export function signalOf(token: VsCodeCancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
