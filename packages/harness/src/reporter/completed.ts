import type { Sink } from '../sink/sink.ts';
import type { NestedOptions, Reporter, ReporterOptions } from './types.ts';

/**
 * The options with what the reporter around it has of sink and session; with the sink come its clock, throttle and diagnostics.
 * Throws a TypeError that says what is missing.
 */
export function completed(given: NestedOptions, outer: ReporterOptions | undefined, enclosing: Reporter | undefined): ReporterOptions {
  if (typeof given !== 'object' || given === null) throw new TypeError(`createReporter needs { sink, session }, not ${String(given)}.`);
  const { session = enclosing?.session } = given;
  if (session === undefined) throw new TypeError('createReporter needs the session the events belong to: { sink, session }.');
  if (given.sink !== undefined) return { ...given, sink: soundSink(given.sink), session };
  if (outer === undefined)
    throw new TypeError('createReporter needs a sink, such as createHttpSink({ url }): no reporter is current here to take it from.');
  const { sink, clock, throttleMs, onDiagnostic } = outer;
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { clock, throttleMs, onDiagnostic, ...Object.fromEntries(said), sink, session };
}

function soundSink(sink: Sink): Sink {
  if (typeof (sink as Partial<Sink> | null)?.send === 'function') return sink;
  throw new TypeError('createReporter needs a sink with a function send(event), such as createHttpSink({ url }).');
}
