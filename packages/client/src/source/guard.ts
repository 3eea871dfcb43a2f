import type { ConnectionState } from '@sitrep/schema/select';
import type { SourceSink } from './source.ts';
import { describe } from '../fault.ts';

/**
 * A sink as a source may use it: silent once `signal` aborted, each connection state reported once in a row, and nothing
 * it throws comes back. A throwing `frame`, `connection` or `cursor` becomes a diagnostic of code `sink`; a throwing
 * `diagnostic` has nobody left to tell.
 */
export function guardSink(sink: SourceSink, signal: AbortSignal): SourceSink {
  let last: ConnectionState | undefined;
  const guard = <T>(what: string, call: () => T): T | undefined => {
    if (signal.aborted) return undefined;
    try {
      return call();
    } catch (error) {
      // A throwing diagnostic has nobody left to tell.
      if (what !== '') guarded.diagnostic({ code: 'sink', message: `The sink's ${what} callback threw: ${describe(error)}.` });
      return undefined;
    }
  };
  const guarded: SourceSink = {
    frame: (value, cursor) => guard('frame', () => sink.frame(value, cursor)),
    connection(state) {
      if (state === last) return;
      last = state;
      guard('connection', () => sink.connection(state));
    },
    diagnostic: (diagnostic) => guard('', () => sink.diagnostic(diagnostic)),
    cursor: () => guard('cursor', () => sink.cursor()),
  };
  // What the sink threw on is not offered to it a second time.
  if (sink.text) guarded.text = (json, cursor) => guard('text', () => sink.text?.(json, cursor) === true) !== false;
  return guarded;
}
