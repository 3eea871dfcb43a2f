import type { Clock } from '../clock.ts';
import { createMessagePortSource } from '../source/message-port.ts';
import type { PortLike } from '../source/port-messages.ts';
import type { SourceSink } from '../source/source.ts';

/** The part of a SharedWorker that a page needs. */
export interface SharedWorkerLike {
  readonly port: PortLike & { close?(): void };
  addEventListener(type: 'error', listener: () => void): void;
}

/**
 * Reads what a SharedWorker serves, until it is over. False if there is no such worker here or its script failed before it
 * said anything: then somebody else has to read.
 */
export async function openWorker(
  make: () => SharedWorkerLike,
  options: { readonly interval: number; readonly clock: Clock },
  sink: SourceSink,
  signal: AbortSignal,
): Promise<boolean> {
  let worker: SharedWorkerLike;
  try {
    worker = make();
  } catch {
    return false;
  }
  const closing = new AbortController();
  const close = (): void => closing.abort();
  let spoke = false;
  let failed = false;
  const fail = (): void => {
    if (spoke) return;
    failed = true;
    close();
  };
  worker.addEventListener('error', fail);
  signal.addEventListener('abort', close);
  const said = <A extends unknown[]>(say: (...args: A) => void) => {
    return (...args: A): void => {
      spoke = true;
      say(...args);
    };
  };
  await createMessagePortSource({ port: worker.port, ...options }).open(
    {
      frame: said((value: unknown, cursor?: string) => sink.frame(value, cursor)),
      connection: (state) => {
        // The first word is the page's own.
        if (state !== 'connecting' && state !== 'reconnecting') spoke = true;
        sink.connection(state);
      },
      diagnostic(diagnostic) {
        // Silence at the very beginning: the worker's script does not serve, or cannot run.
        if (diagnostic.code === 'watchdog') fail();
        if (!failed) sink.diagnostic(diagnostic);
      },
      cursor: () => sink.cursor(),
    },
    closing.signal,
  );
  signal.removeEventListener('abort', close);
  worker.port.close?.();
  return !failed || signal.aborted;
}
