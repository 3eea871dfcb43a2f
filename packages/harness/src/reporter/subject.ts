import { currentReporter } from '../context/current.ts';
import type { Sink } from '../sink/sink.ts';
import { createReporter } from './reporter.ts';
import type { Reporter, ReporterOptions } from './types.ts';

/**
 * What a helper reports on. With `reporter`, on that invocation, which whoever made it ends. With `sink` and `session`, on
 * one of its own, begun and ended by the helper. With neither, on one of its own inside the current reporter; without a
 * current reporter nothing is reported, and the work goes on as it is.
 */
export interface SubjectOptions extends Omit<ReporterOptions, 'sink' | 'session'> {
  readonly reporter?: Reporter | undefined;
  readonly sink?: Sink | undefined;
  readonly session?: string | undefined;
}

/** The reporter of a helper, and whether the helper is to end it. */
export interface Subject {
  readonly reporter: Reporter | undefined;
  readonly own: boolean;
}

/** Finds or makes the reporter. A reporter that was given is told the amounts and words of the options. */
export function openSubject(options: SubjectOptions): Subject {
  const { reporter, sink, session, ...rest } = options;
  if (reporter !== undefined) return { reporter, own: false };
  if (sink !== undefined && session !== undefined) return { reporter: createReporter({ ...rest, sink, session }), own: true };
  const around = currentReporter();
  if (around === undefined) return { reporter: undefined, own: false };
  const { parent: _, ...child } = rest;
  return { reporter: around.child(child), own: true };
}
