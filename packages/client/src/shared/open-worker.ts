import type { Clock } from '../clock.ts';
import type { PortLike } from '../source/port-messages.ts';
import { readPort } from '../source/read-port.ts';
import type { SourceSink } from '../source/source.ts';

/** The part of a SharedWorker that a page needs. */
export interface SharedWorkerLike {
  readonly port: PortLike & { close?(): void };
  addEventListener(type: 'error', listener: () => void): void;
}

/**
 * How long a worker may take to say its first word, milliseconds. One whose script fails is known at once; this is for a script
 * that runs and serves nothing, and must not end a slow load.
 */
const FIRST_WORD = 10_000;
/**
 * A page that joins a worker at the very moment its script fails may not be told (seen in Chromium). Whoever joins after that
 * is: until the first word, one more is made so often, milliseconds.
 */
const KNOCK = 1_000;

/** How a visit to a worker ended: for good, without a word of it, or in silence after some. */
type End = 'over' | 'mute' | 'silent';

/**
 * Reads what a SharedWorker serves, until it is over. False if there is no such worker here, or it never said a word (its
 * script failed, or serves nothing): then somebody else has to read. One that has fallen silent is made anew: in some
 * browsers it lives in the process of one of its pages and dies with it, and those that are left are not told.
 */
export async function openWorker(
  make: () => SharedWorkerLike,
  options: { readonly interval: number; readonly clock: Clock },
  sink: SourceSink,
  signal: AbortSignal,
): Promise<boolean> {
  const again: SourceSink = {
    frame: (value, cursor) => sink.frame(value, cursor),
    // For the reader this is the connection it had.
    connection: (state) => state !== 'connecting' && sink.connection(state),
    diagnostic: (diagnostic) => sink.diagnostic(diagnostic),
    cursor: () => sink.cursor(),
  };
  let end = await visit(make, options, sink, signal);
  while (end === 'silent') end = await visit(make, options, again, signal);
  return end === 'over';
}

async function visit(
  make: () => SharedWorkerLike,
  options: { readonly interval: number; readonly clock: Clock },
  sink: SourceSink,
  signal: AbortSignal,
): Promise<End> {
  let worker: SharedWorkerLike;
  try {
    worker = make();
  } catch {
    return 'mute';
  }
  const { port } = worker;
  const { clock } = options;
  const closing = new AbortController();
  const close = (): void => closing.abort();
  let spoke = false;
  const spoken = (): void => {
    spoke = true;
  };
  const mute = (): void => {
    if (!spoke) close();
  };
  let knocking: unknown;
  const listen = (to: SharedWorkerLike): void => to.addEventListener('error', mute);
  const knock = (): void => {
    knocking = clock.setTimeout(() => {
      if (spoke) return;
      try {
        const other = make();
        listen(other);
        other.port.close?.();
      } catch {
        return mute();
      }
      knock();
    }, KNOCK);
  };
  port.addEventListener('message', spoken);
  listen(worker);
  knock();
  signal.addEventListener('abort', close);
  const patience = clock.setTimeout(mute, FIRST_WORD);
  let silent = false;
  await readPort({ port, ...options }, sink, closing.signal, () => {
    silent = spoke;
    if (silent) close();
  });
  clock.clearTimeout(patience);
  clock.clearTimeout(knocking);
  port.removeEventListener('message', spoken);
  signal.removeEventListener('abort', close);
  port.close?.();
  if (signal.aborted) return 'over';
  return silent ? 'silent' : spoke ? 'over' : 'mute';
}
