import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Source } from '../source/source.ts';
import { Feed } from '../store/feed.ts';
import { intoKeeper } from './into-keeper.ts';
import { Keeper } from './keeper.ts';

export interface RelayOptions {
  /** Where the frames come from. Opened once, however many read. */
  readonly source: Source;
  /** The session that is relayed. Default: that of the first frame that names one. */
  readonly session?: string | undefined;
  /** Events kept for readers that come back. Default: 1,000. */
  readonly maxEvents?: number | undefined;
  /** Length of their text, UTF-16 code units. Default: 1,048,576. */
  readonly maxLength?: number | undefined;
  /** How long the source stays open after the last reader left, milliseconds. Default: 1,000. */
  readonly linger?: number | undefined;
  /** Shortest time between two reopenings that repair a lost position, milliseconds. Default: 1,000. */
  readonly repairSpacing?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
}

/**
 * A source that reads another one once for any number of readers. It keeps the session as it stands: a reader that knows
 * nothing begins with a snapshot at the very place where the events go on, one that comes back gets what it missed. What is
 * lost on the way from the source is found again before anybody is told, as a store does it. Bounded: the session by the
 * limits of the session index, the events kept by `maxEvents` and `maxLength`.
 *
 * Events without a position get one of the relay's own, so that readers can resume all the same.
 */
export function createRelay(options: RelayOptions): Source {
  const { source, session, maxEvents = 1_000, maxLength = 1_048_576, linger = 1_000, repairSpacing = 1_000 } = options;
  const { clock = systemClock } = options;
  const keeper = new Keeper({ session, clock, maxEvents, maxLength });
  const feed: Feed = new Feed({
    source,
    clock,
    linger,
    spacing: repairSpacing,
    sink: intoKeeper(keeper, { repair: () => feed.repair(), end: () => feed.end() }),
    onRepair: () => keeper.repair(),
  });
  return {
    async open(sink, signal) {
      if (signal.aborted) return;
      // The reader first: a source may deliver while it is opened.
      const over = keeper.attach(sink, signal);
      feed.retain();
      await over;
      feed.release();
    },
  };
}
