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
  const guarded: SourceSink = {
    frame(value, cursor) {
      if (signal.aborted) return;
      try {
        sink.frame(value, cursor);
      } catch (error) {
        threw('frame', error);
      }
    },
    connection(state) {
      if (signal.aborted || state === last) return;
      last = state;
      try {
        sink.connection(state);
      } catch (error) {
        threw('connection', error);
      }
    },
    diagnostic(diagnostic) {
      if (signal.aborted) return;
      try {
        sink.diagnostic(diagnostic);
      } catch {
        // The one who would be told is the one who threw.
      }
    },
    cursor() {
      try {
        return sink.cursor();
      } catch (error) {
        threw('cursor', error);
        return undefined;
      }
    },
  };
  if (sink.text !== undefined) {
    guarded.text = (json, cursor) => {
      if (signal.aborted) return false;
      try {
        return sink.text?.(json, cursor) === true;
      } catch (error) {
        threw('text', error);
        return true;
      }
    };
  }
  const threw = (what: string, error: unknown) =>
    guarded.diagnostic({ code: 'sink', message: `The sink's ${what} callback threw and the stream went on: ${describe(error)}` });
  return guarded;
}
