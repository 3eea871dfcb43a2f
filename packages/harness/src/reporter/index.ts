/** Reporters: one per invocation, and what runs work under them. */
export { createReporter, currentReporter, trackStream, withReporter } from './reporter.ts';
export { track } from '../meter/track.ts';
export type { TrackItemsOptions } from '../meter/track-items.ts';
export type { SubjectOptions } from './subject.ts';
export type { Answer, ChildOptions, LivePatch, NestedOptions, Patch, Reporter, ReporterOptions } from './types.ts';
