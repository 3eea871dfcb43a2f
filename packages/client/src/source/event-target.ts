import { guardSink } from './guard.ts';
import type { Source, SourceSink } from './source.ts';

export interface EventTargetSourceOptions {
  /** Where the events happen: an element, a window, a worker, an `EventTarget` of your own. */
  readonly target: EventTarget;
  /** Type of the events that carry frames. Default: `message`. */
  readonly type?: string | undefined;
  /** Type of the event that says that nothing more will come. Default: none. */
  readonly endType?: string | undefined;
  /** True for events that count; for a window, say, whether `event.origin` is one to trust. Default: all. */
  readonly accept?: ((event: Event) => boolean) | undefined;
}

/**
 * A source over events of the platform: each event's `detail`, else its `data`, is one frame; a text is read as JSON. There is
 * no connection that could be lost, so it is `live` at once, and nothing that happened before it was opened is known.
 *
 * A window hears from every page that has a handle on it: give `accept` there.
 *
 * Diagnostic codes: `json`, `sink`.
 */
export function createEventTargetSource(options: EventTargetSourceOptions): Source {
  const { target, type = 'message', endType, accept = () => true } = options;
  return {
    open: (given, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sink = guardSink(given, signal);
        const heard = (event: Event): void => {
          if (isAccepted(accept, event, sink)) deliver(event, sink);
        };
        const over = (event: Event): void => {
          if (!isAccepted(accept, event, sink)) return;
          sink.connection('ended');
          close();
        };
        const close = (): void => {
          target.removeEventListener(type, heard);
          if (endType !== undefined) target.removeEventListener(endType, over);
          signal.removeEventListener('abort', close);
          resolve();
        };
        target.addEventListener(type, heard);
        if (endType !== undefined) target.addEventListener(endType, over);
        signal.addEventListener('abort', close);
        sink.connection('connecting');
        sink.connection('live');
      }),
  };
}

function isAccepted(accept: (event: Event) => boolean, event: Event, sink: SourceSink): boolean {
  try {
    return accept(event);
  } catch {
    sink.diagnostic({ code: 'sink', message: 'The accept function threw; the event was passed over.' });
    return false;
  }
}

function deliver(event: Event, sink: SourceSink): void {
  const { detail, data } = event as { detail?: unknown; data?: unknown };
  const value = detail ?? data;
  if (value === undefined || value === null) return;
  if (typeof value !== 'string') return sink.frame(value);
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch {
    return sink.diagnostic({ code: 'json', message: `The text of an event (${value.length} characters) is not JSON; it was skipped.` });
  }
  sink.frame(parsed);
}
