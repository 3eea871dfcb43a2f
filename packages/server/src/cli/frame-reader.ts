import { checkStreamEvent } from '@sitrep/schema/check';
import { detect, dialects } from '@sitrep/schema/dialect';
import type { Decoded, Dialect } from '@sitrep/schema/dialect';
import { createDecoder, snapshotEvents } from '@sitrep/schema/translate';
import type { Decoder } from '@sitrep/schema/translate';
import { UsageError } from './usage-error.ts';

/** Our own shape, beside the names of the dialects. */
export const OWN = 'sitrep';
/** Each frame is read in the dialect it turns out to be. */
export const AUTO = 'auto';

/** Reads frames of one stream, whatever they are written in. */
export interface FrameReader {
  read(frame: unknown, at: number): Decoded;
}

/** The dialect of this name. Throws a UsageError that lists the names. */
export function dialectNamed(command: string, flag: string, name: string, others: readonly string[]): Dialect<unknown> {
  if (Object.hasOwn(dialects, name)) return dialects[name as keyof typeof dialects] as Dialect<unknown>;
  const names = [...others, ...Object.keys(dialects)].join(', ');
  throw new UsageError(`${flag} must be one of: ${names}. Not "${name}".`, command);
}

/** A reader for `sitrep`, `auto` or a dialect. Throws a UsageError for any other name. */
export function frameReader(
  command: string,
  flag: string,
  name: string,
  context: { session: string; run?: string | undefined },
): FrameReader {
  if (name === OWN) return { read: readOwn };
  if (name !== AUTO) {
    const decoder = createDecoder(dialectNamed(command, flag, name, [AUTO, OWN]), context);
    return { read: (frame, at) => decoder.decode(frame, at) };
  }
  const decoders = new Map<string, Decoder>();
  return {
    read(frame, at) {
      const found = detect(frame);
      if (found === OWN) return readOwn(frame);
      if (found === 'unknown') return UNKNOWN;
      const decoder = decoders.get(found) ?? createDecoder(dialects[found] as Dialect<unknown>, context);
      decoders.set(found, decoder);
      return decoder.decode(frame, at);
    },
  };
}

const UNKNOWN: Decoded = {
  ok: false,
  issues: [{ path: '', code: 'unknown_type', message: 'This frame is of no dialect for certain. Name it if you know it.' }],
};

/** Our own stream: events as they are, a snapshot as the events that lead to it, control of the stream as nothing. */
function readOwn(frame: unknown): Decoded {
  const checked = checkStreamEvent(frame);
  if (!checked.ok) return checked;
  const event = checked.value;
  switch (event.type) {
    case 'snapshot':
      return { ok: true, events: snapshotEvents(event) };
    case 'heartbeat':
    case 'resync':
    case 'end':
      return { ok: true, events: [] };
    default:
      return { ok: true, events: [event] };
  }
}
