import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { describe } from '../fault.ts';
import { guardSink } from './guard.ts';
import type { Line, Ndjson } from './lines.ts';
import { cutLines, pieces } from './lines.ts';
import type { Source, SourceSink } from './source.ts';
import { giveWay, unlessAborted, wait } from './wait.ts';

interface ReplayTiming {
  /** How much faster than recorded; `Infinity` for at once. Default: 1. */
  readonly speed?: number | undefined;
  /** Longest pause between two frames, milliseconds after division by `speed`. Default: 60,000. */
  readonly maxDelay?: number | undefined;
  /** Longest line, UTF-16 code units; longer ones are skipped. Default: 16,777,216. */
  readonly maxLineLength?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
}

/** A recording as NDJSON text, whole or in pieces, or as lines: each one a text of JSON, or a frame already parsed. */
export type ReplaySourceOptions = ReplayTiming &
  (
    | { readonly ndjson: Ndjson; readonly lines?: undefined }
    | { readonly lines: Iterable<unknown> | AsyncIterable<unknown>; readonly ndjson?: undefined }
  );

/** Lines read at one go before the thread is given back, so that a page can paint and take input. */
const BREATH = 512;

/**
 * A source that plays a recording once. Each line is one frame; the pause before it is the difference of the frames' `at`
 * divided by `speed` (none where one has no `at` or time runs backward). Blank lines are passed over; a line that is not
 * JSON or too long becomes a diagnostic (`json`, `too_large`) and the next one is read; a recording that fails while it is
 * read becomes `network` and `lost`. Without cursors, so the store orders frames by arrival.
 *
 * A replay that was closed goes on where it stopped when it is opened again; one that has ended stays ended. It can be
 * open once at a time, and a stream it was given stays the caller's to cancel.
 *
 * @throws RangeError if `speed` is not above 0, or a bound is negative or no number.
 */
export function createReplaySource(options: ReplaySourceOptions): Source {
  const { speed = 1, maxDelay = 60_000, maxLineLength = 16_777_216, clock = systemClock } = options;
  if (!(speed > 0)) throw new RangeError('speed must be a number above 0; use Infinity to replay at once.');
  if (!(maxDelay >= 0)) throw new RangeError('maxDelay must be a number of milliseconds, 0 or more.');
  if (!(maxLineLength >= 1)) throw new RangeError('maxLineLength must be a number of characters, 1 or more.');
  const items = readItems(options, maxLineLength);
  let next: Promise<IteratorResult<Line | { readonly value: unknown }>> | undefined;
  let lastAt: number | undefined;
  let opening: { readonly signal: AbortSignal; readonly over: Promise<void> } | undefined;

  async function play(sink: SourceSink, signal: AbortSignal): Promise<void> {
    sink.connection('connecting');
    sink.connection('live');
    for (let lines = 1; !signal.aborted; lines++) {
      // What was read but not delivered before a close is the first of the next opening.
      next ??= items.next();
      const { done, value: item } = await unlessAborted(next, signal);
      if (done) return sink.connection('ended');
      const frame = parse(item, sink);
      const at = timeOf(frame?.value);
      const pause = at === undefined || lastAt === undefined ? 0 : Math.min(Math.max(at - lastAt, 0) / speed, maxDelay);
      if (pause > 0) await wait(clock, pause, signal);
      else if (lines % BREATH === 0) await giveWay(clock, signal);
      if (signal.aborted) return;
      lastAt = at ?? lastAt;
      next = undefined;
      if (frame) sink.frame(frame.value);
    }
  }

  async function run(sink: SourceSink, signal: AbortSignal, former: Promise<void> | undefined): Promise<void> {
    try {
      // One that was aborted a moment ago, perhaps by the very frame it delivers, lets go first.
      await former;
      await play(sink, signal);
    } catch (error) {
      sink.diagnostic({ code: 'network', message: `The recording could not be read to its end: ${describe(error)}.` });
      sink.connection('lost');
    }
  }

  return {
    async open(given, signal) {
      const sink = guardSink(given, signal);
      if (opening && !opening.signal.aborted) {
        sink.diagnostic({ code: 'busy', message: 'The replay is open already; create a second one.' });
        return sink.connection('lost');
      }
      const mine = (opening = { signal, over: run(sink, signal, opening?.over) });
      await mine.over;
      if (opening === mine) opening = undefined;
    },
  };
}

async function* readItems({ ndjson, lines }: ReplaySourceOptions, maxLength: number): AsyncGenerator<Line | { readonly value: unknown }> {
  if (ndjson !== undefined) return yield* cutLines(pieces(ndjson), maxLength);
  for await (const line of lines) {
    if (typeof line !== 'string') yield { value: line };
    else yield line.length > maxLength ? { tooLong: true } : { text: line };
  }
}

function parse(item: Line | { readonly value: unknown }, sink: SourceSink): { readonly value: unknown } | undefined {
  if ('value' in item) return item;
  if ('tooLong' in item) {
    sink.diagnostic({ code: 'too_large', message: 'A line of the recording is too long; it was skipped.' });
    return undefined;
  }
  if (item.text.trim() === '') return undefined;
  try {
    return { value: JSON.parse(item.text) };
  } catch {
    sink.diagnostic({ code: 'json', message: `A line of the recording (${item.text.length} characters) is not JSON; it was skipped.` });
    return undefined;
  }
}

function timeOf(frame: unknown): number | undefined {
  const at = (frame as { at?: unknown } | null)?.at;
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined;
}
