import { checkStreamEvent } from '@sitrep/schema/check';
import { detect, dialects } from '@sitrep/schema/dialect';
import type { Decoded, Dialect } from '@sitrep/schema/dialect';
import { changesEvents, createDecoder, snapshotEvents } from '@sitrep/schema/translate';
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

/** A use of a dialect on a command line: the flag that names it, which way it must go, and what else the flag takes. */
export interface DialectUse {
  readonly command: string;
  readonly flag: string;
  readonly way: 'in' | 'out';
  readonly others: readonly string[];
}

/** The dialect of this name. Throws a UsageError that lists the names of those that go this way. */
export function dialectNamed(name: string, { command, flag, way, others }: DialectUse): Dialect<unknown> {
  const goes = ({ only }: Pick<Dialect<unknown>, 'only'>): boolean => only === undefined || only === way;
  const found = Object.hasOwn(dialects, name) ? (dialects[name as keyof typeof dialects] as Dialect<unknown>) : undefined;
  if (found !== undefined && goes(found)) return found;
  const names = [...others, ...Object.entries(dialects).flatMap(([each, dialect]) => (goes(dialect) ? [each] : []))].join(', ');
  const why = found === undefined ? `Not "${name}".` : `"${name}" can only be ${way === 'in' ? 'written' : 'read'}.`;
  throw new UsageError(`${flag} must be one of: ${names}. ${why}`, command);
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
    const decoder = createDecoder(dialectNamed(name, { command, flag, way: 'in', others: [AUTO, OWN] }), context);
    return { read: (frame, at) => decoder.decode(frame, at) };
  }
  const decoders = new Map<string, Decoder>();
  let newest: Decoder | undefined;
  return {
    read(frame, at) {
      const found = detect(frame);
      if (found === OWN) return readOwn(frame);
      if (found === 'unknown') {
        // Not every frame of a stream tells what it is; those that do speak for those that follow.
        const decoded = newest?.decode(frame, at);
        return decoded?.ok === true ? decoded : UNKNOWN;
      }
      newest = decoders.get(found) ?? createDecoder(dialects[found] as Dialect<unknown>, context);
      decoders.set(found, newest);
      return newest.decode(frame, at);
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
    case 'changes':
      return { ok: true, events: changesEvents(event) };
    case 'heartbeat':
    case 'resync':
    case 'end':
      return { ok: true, events: [] };
    default:
      return { ok: true, events: [event] };
  }
}
