import type { Clock } from '../clock.ts';
import type { PortLike } from './port-messages.ts';
import { readPort } from './read-port.ts';
import type { Source } from './source.ts';

export interface MessagePortSourceOptions {
  /** A MessagePort, a BroadcastChannel, a Worker, or a worker's own scope; `servePort` answers at its other end. */
  readonly port: PortLike;
  /** Milliseconds between signs of life; both ends should have the same. Default: 5,000. */
  readonly interval?: number | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
}

/**
 * A source over a port: frames that somebody else reads (a worker, another tab, the page around a frame) come over as they
 * are. It asks by `open` with its cursor, asks again when the other end stays silent for 2.5 intervals (`reconnecting`, then
 * whatever the other end says), and says that it is there once an interval, so that a page that went away is not served for
 * ever. The connection is what the other end says of its own source.
 *
 * A port belongs to whoever made it: closing the source leaves it open.
 *
 * Diagnostic codes: `watchdog`, `network` (the port refused a message), `sink`, and those of the source at the other end.
 */
export function createMessagePortSource(options: MessagePortSourceOptions): Source {
  return { open: (sink, signal) => readPort(options, sink, signal) };
}
