/** Meters: what counts loops, streams and requests. */
export { meterFetch } from './fetch.ts';
export type { Fetch, FetchMeterOptions } from './fetch.ts';
export { createMeterStream, meterReadable } from './web-stream.ts';
export type { StreamCount, StreamMeterOptions } from './web-stream.ts';
export { createMeter } from './meter.ts';
export type { Meter } from './meter.ts';
export { trackItems } from './track-items.ts';
export type { TrackItemsOptions } from './track-items.ts';
export type { SubjectOptions } from '../reporter/subject.ts';
