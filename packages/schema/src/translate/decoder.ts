import type { DecodeContext, Decoded, Dialect } from '../dialect/dialect.ts';
import { mustBeDialect, sessionNamed } from './given.ts';

/** What a decoder knows of the stream it reads: everything a frame's context holds but the time. */
export type DecoderContext<Context extends DecodeContext> = Omit<Context, 'at'>;

/** Reads the frames of ONE stream in order, with the memory their dialect asks for. */
export interface Decoder {
  /** The events of one frame received at `at` (epoch milliseconds), or why it could not be read. Never throws. */
  decode(frame: unknown, at: number): Decoded;
  /** Forgets what came before: for a stream that begins anew. */
  reset(): void;
}

/**
 * A decoder for one stream in this dialect. Throws a TypeError when the dialect or the session is missing.
 *
 * ```ts
 * const decoder = createDecoder(codex, { session: 'chat-1' });
 * const decoded = decoder.decode(JSON.parse(line), Date.now());
 * ```
 */
export function createDecoder<Context extends DecodeContext>(
  dialect: Dialect<unknown, Context>,
  context: DecoderContext<Context>,
): Decoder {
  mustBeDialect('createDecoder', dialect);
  if (typeof context !== 'object') throw new TypeError(`createDecoder needs its context as an object: { session: 'chat-1' }.`);
  sessionNamed('createDecoder', context, `{ session: 'chat-1' }`);
  let memory: unknown;
  return {
    decode(frame, at) {
      const decoded = dialect.decode(frame, { ...context, at } as Context, memory);
      if (decoded.ok && decoded.memory !== undefined) memory = decoded.memory;
      return decoded;
    },
    reset() {
      memory = undefined;
    },
  };
}
