import { createRelay } from '../relay/relay.ts';
import type { RelayOptions } from '../relay/relay.ts';
import type { PortLike } from '../source/port-messages.ts';
import { servePort } from '../source/serve-port.ts';

/** The global scope of a SharedWorker, as far as it is needed. */
export interface SharedWorkerScope {
  addEventListener(type: 'connect', listener: (event: { readonly ports: readonly PortLike[] }) => void): void;
}

export interface ServeSharedWorkerOptions extends RelayOptions {
  /** Milliseconds between signs of life to each page. Default: 5,000, as `createSharedSource` expects it. */
  readonly interval?: number | undefined;
}

/**
 * Serves a source to every page that connects to this SharedWorker: one connection, however many pages. To be called while the
 * worker's script runs for the first time, or the first page is not heard. The source is opened with the first reader.
 */
export function serveSharedWorker(scope: SharedWorkerScope, options: ServeSharedWorkerOptions): void {
  const { interval, clock } = options;
  const relay = createRelay(options);
  scope.addEventListener('connect', ({ ports }) => {
    for (const port of ports) servePort(port, relay, { interval, clock });
  });
}
