import type { ConnectionState } from '@sitrep/schema/select';
import { guardSink } from './guard.ts';
import type { Source, SourceSink } from './source.ts';

/** A source fed by hand: by a page that gets its frames some other way, by a story, by a test. */
export interface MemorySource extends Source {
  /**
   * Hands one frame to whoever has the source open; while nobody has, it is kept for the next one. The value is taken over
   * as it is and must not be changed afterwards. After `end` nothing is taken any more.
   */
  push(frame: unknown, cursor?: string): void;
  /** Says how the connection stands; also told to whoever opens later. Default: `live`. */
  setConnection(state: ConnectionState): void;
  /** Ends the source: everyone is told `ended`, and whoever opens later gets what was kept, then the end. */
  end(): void;
}

export interface MemorySourceOptions {
  /** Frames kept while nobody has the source open; the oldest go first, with a diagnostic of code `overflow`. Default: 10,000. */
  readonly capacity?: number | undefined;
}

/** A source that delivers what is pushed, at once and in order. */
export function createMemorySource(options: MemorySourceOptions = {}): MemorySource {
  const { capacity = 10_000 } = options;
  const open = new Map<SourceSink, () => void>();
  let kept: [frame: unknown, cursor?: string][] = [];
  let lost = 0;
  let state: ConnectionState = 'live';
  let over = false;
  let draining = false;

  /**
   * Hands over what was kept, then the end if it has come. What is pushed or opened from within a callback takes its turn:
   * whoever closes leaves the rest to the others, or to the next one.
   */
  function flush(): void {
    if (draining) return;
    draining = true;
    let taken = 0;
    while (taken < kept.length && open.size > 0) {
      const next = kept[taken++]!;
      for (const sink of Array.from(open.keys())) sink.frame(...next);
    }
    kept = kept.slice(taken);
    draining = false;
    if (!over) return;
    for (const [sink, close] of Array.from(open)) {
      sink.connection('ended');
      close();
    }
  }

  return {
    open(given, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const sink = guardSink(given, signal);
        const close = () => {
          open.delete(sink);
          signal.removeEventListener('abort', close);
          resolve();
        };
        open.set(sink, close);
        signal.addEventListener('abort', close);
        sink.connection('connecting');
        sink.connection(over ? 'live' : state);
        if (lost > 0) {
          sink.diagnostic({
            code: 'overflow',
            message: `${lost} frames were let go because nobody had the source open for more than ${capacity}.`,
          });
          lost = 0;
        }
        flush();
      });
    },
    push(frame, cursor) {
      if (over) return;
      kept.push(cursor === undefined ? [frame] : [frame, cursor]);
      if (open.size > 0) return flush();
      if (kept.length > capacity) {
        kept.shift();
        lost++;
      }
    },
    setConnection(next) {
      state = next;
      for (const sink of Array.from(open.keys())) sink.connection(next);
    },
    end() {
      over = true;
      flush();
    },
  };
}
