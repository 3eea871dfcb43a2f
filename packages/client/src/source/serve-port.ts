import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { PORT_INTERVAL, portMessage } from './port-messages.ts';
import type { PortLike, PortMessage } from './port-messages.ts';
import type { Source, SourceSink } from './source.ts';

export interface ServePortOptions {
  /** Milliseconds between signs of life; both ends should have the same. Default: 5,000. */
  readonly interval?: number | undefined;
  /** Readers served at once; one more is told `lost`. Default: 100. */
  readonly maxReaders?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
}

/** A reader that is being served. */
interface Served {
  readonly controller: AbortController;
  heardAt: number;
}

/** What answers at one end of a port. */
export interface PortServer {
  /** Readers served now. */
  readonly readers: number;
  /** Ends it: every reader is told `reconnecting`, so that it finds whoever comes next. The port stays open. */
  close(): void;
}

/**
 * Serves a source at one end of a port to those who read it at the other by `createMessagePortSource`. Each reader has an
 * opening of its own, from its own cursor. One that has not been heard for 2.5 intervals is gone, and its opening is closed.
 */
export function servePort(port: PortLike, source: Source, options: ServePortOptions = {}): PortServer {
  const { interval = PORT_INTERVAL, maxReaders = 100, clock = systemClock } = options;
  const served = new Map<string, Served>();
  let timer: unknown;
  let closed = false;

  const post = (message: PortMessage): void => {
    try {
      port.postMessage(message);
    } catch {
      // A value that cannot be cloned, or a port that is gone: the reader notices by the silence.
    }
  };
  const end = (reader: string): void => {
    served.get(reader)?.controller.abort();
    served.delete(reader);
    if (served.size === 0) clock.clearTimeout(timer);
  };
  const watch = (): void => {
    timer = clock.setTimeout(() => {
      for (const [reader, { heardAt }] of served) {
        if (clock.now() - heardAt > interval * 2.5) end(reader);
        else post({ sitrep: 'beat', reader });
      }
      if (served.size > 0) watch();
    }, interval);
  };
  const open = (reader: string, cursor: string | undefined): void => {
    end(reader);
    if (served.size >= maxReaders) return post({ sitrep: 'connection', reader, state: 'lost' });
    const controller = new AbortController();
    served.set(reader, { controller, heardAt: clock.now() });
    if (served.size === 1) watch();
    const sink: SourceSink = {
      frame(value, at) {
        cursor = at ?? cursor;
        post({ sitrep: 'frame', reader, value, ...(at !== undefined && { cursor: at }) });
      },
      connection: (state) => post({ sitrep: 'connection', reader, state }),
      diagnostic: (diagnostic) => post({ sitrep: 'diagnostic', reader, diagnostic }),
      // Where the reader was when it asked, and since then where the newest frame brought it.
      cursor: () => cursor,
    };
    void over(source.open(sink, controller.signal), reader, controller);
  };
  const over = async (opening: Promise<void>, reader: string, controller: AbortController): Promise<void> => {
    await opening;
    if (served.get(reader)?.controller === controller) end(reader);
  };
  const heard = ({ data }: { readonly data: unknown }): void => {
    const message = portMessage(data);
    if (message === undefined) return;
    const { sitrep, reader } = message;
    const known = served.get(reader);
    if (known !== undefined) known.heardAt = clock.now();
    if (sitrep === 'open') open(reader, typeof message.cursor === 'string' ? message.cursor : undefined);
    else if (sitrep === 'close') end(reader);
  };

  port.addEventListener('message', heard);
  port.start?.();
  return {
    get readers() {
      return served.size;
    },
    close() {
      if (closed) return;
      closed = true;
      port.removeEventListener('message', heard);
      for (const reader of Array.from(served.keys())) {
        post({ sitrep: 'connection', reader, state: 'reconnecting' });
        end(reader);
      }
    },
  };
}
