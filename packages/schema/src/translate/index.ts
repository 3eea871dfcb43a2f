/** Whole streams through a dialect: a decoder remembers what its frames leave unsaid, an encoder what the peer was told. */
export { createDecoder } from './decoder.ts';
export { createEncoder } from './encoder.ts';
export { changesEvents, snapshotEvents } from './snapshot-events.ts';
export type { Decoder, DecoderContext } from './decoder.ts';
export type { Encoder } from './encoder.ts';
