/** Meters for the streams of Node, which Bun and Deno have too. The one entry beside the async context that needs them. */
export { createMeterTransform } from './meter/node-stream.ts';
export type { MeterTransform } from './meter/node-stream.ts';
export type { StreamCount, StreamMeterOptions } from './meter/web-stream.ts';
