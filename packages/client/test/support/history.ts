import type { Source, SourceSink } from '@sitrep/client';
import { heartbeat, snapshot } from './events.ts';

/** The history of one session at its server, and a source that reads it as a gateway would give it. */
export interface History {
  /** Each opening resumes from its cursor, or begins with a snapshot of nothing but the position. */
  readonly source: Source;
  /** Openings that are there now, and all cursors they came with so far. */
  readonly open: number;
  readonly cursors: readonly (string | undefined)[];
  /** One more event, told to all who are there. Its cursor is `e:<number>`. */
  add(event: object): void;
  /** One more event that nobody is told of. */
  lose(event: object): void;
  /** A heartbeat to all who are there. */
  beat(): void;
  end(): void;
}

export function history(): History {
  const events: object[] = [];
  const sinks = new Map<SourceSink, () => void>();
  const cursors: (string | undefined)[] = [];
  const cursor = (): string => `e:${events.length}`;
  return {
    cursors,
    get open() {
      return sinks.size;
    },
    source: {
      open: (sink, signal) =>
        new Promise((resolve) => {
          const close = (): void => {
            sinks.delete(sink);
            resolve();
          };
          if (signal.aborted) return resolve();
          signal.addEventListener('abort', close);
          sinks.set(sink, close);
          const from = sink.cursor();
          cursors.push(from);
          sink.connection('connecting');
          sink.connection('live');
          if (from === undefined) return sink.frame(snapshot('e', events.length), cursor());
          for (let seq = Number(from.slice(2)) + 1; seq <= events.length; seq++) sink.frame(events[seq - 1], `e:${seq}`);
          sink.frame(heartbeat('e', events.length));
        }),
    },
    add(event) {
      events.push(event);
      for (const sink of Array.from(sinks.keys())) sink.frame(event, cursor());
    },
    lose: (event) => void events.push(event),
    beat() {
      for (const sink of Array.from(sinks.keys())) sink.frame(heartbeat('e', events.length));
    },
    end() {
      for (const [sink, close] of Array.from(sinks)) {
        sink.connection('ended');
        close();
      }
    },
  };
}
