import type { Log } from '../log.ts';
import type { Listening, RefreshListener, RefreshRequest } from './refresh-board.ts';

/** Listens in process: what the listener throws is logged and swallowed. Returns a function that stops it. */
export function onRefresh(
  listen: (listener: RefreshListener) => Promise<Listening>,
  listener: (request: RefreshRequest) => void,
  log: Log,
): () => void {
  const failed = (error: unknown): void => log(`A listener for requests failed: ${String((error as Error)?.message ?? error)}`);
  let stopped = false;
  let stop = (): void => undefined;
  const request = (asked: RefreshRequest): void => {
    if (stopped) return;
    try {
      listener(asked);
    } catch (error) {
      failed(error);
    }
  };
  const begin = async (): Promise<void> => {
    const listening = await listen({ request, close: () => undefined });
    stop = listening.stop;
    if (stopped) stop();
    else if (listening.waiting) request(listening.waiting);
  };
  begin().catch(failed);
  return () => {
    stopped = true;
    stop();
  };
}
