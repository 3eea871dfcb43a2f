import { describe } from '../fault.ts';
import type { Attempts, Ending } from './attempts.ts';
import type { Watchdog } from './watchdog.ts';

/** What notices that a connection is dead. */
interface Patience extends Pick<Watchdog, 'arm' | 'disarm'> {}

interface Connecting {
  readonly signal: AbortSignal;
  readonly attempts: Attempts;
  readonly watchdog: Patience;
  /** The code and the sentence for a connection that was cut because nothing came. */
  readonly silence?: readonly [code: string, what: string];
}

const SILENCE = ['watchdog', 'No event arrived for 2.5 heartbeat intervals; the connection counts as dead.'] as const;

/**
 * Runs one connection from start to end, under a watchdog. `connect` gets a signal that aborts with `signal`, when nothing
 * came for too long, and in any case at the end, so that whatever it holds is let go. Never rejects.
 */
export async function connectOnce(
  { signal, attempts, watchdog, silence = SILENCE }: Connecting,
  connect: (signal: AbortSignal) => Promise<Ending>,
): Promise<Ending> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let silent = false;
  signal.addEventListener('abort', abort);
  watchdog.arm(() => {
    silent = true;
    abort();
  });
  try {
    return await connect(controller.signal);
  } catch (error) {
    return silent ? attempts.fail(...silence) : attempts.fail('network', `The connection failed: ${describe(error)}.`);
  } finally {
    watchdog.disarm();
    signal.removeEventListener('abort', abort);
    abort();
  }
}
