import type { Clock } from '../clock.ts';
import { giveWay } from './wait.ts';

/** Work on arrived bytes after which the thread is given back, so that a burst does not hold up painting and input, milliseconds. */
const BREATH = 12;
/** Bytes worked on between two looks at the clock. */
const PORTION = 65_536;

/**
 * Reads a body to its end, in portions, giving the thread back in between. `take` gets each portion; anything but undefined
 * that it answers ends the reading and is its result. `taken` is called when everything was taken that had come. Undefined at
 * the end of the body. Rejects when it breaks or `signal` aborts, which has to happen some time. The body is let go in any case.
 */
export async function readBody<T>(
  body: ReadableStream<Uint8Array>,
  take: (portion: Uint8Array) => T | undefined,
  taken: () => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<T | undefined> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  try {
    for (let busy = 0; ;) {
      const { done, value } = await reader.read();
      if (signal.aborted) throw signal.reason;
      if (done) return undefined;
      for (let at = 0; at < value.length; at += PORTION) {
        // What has arrived already comes in large pieces and without leaving the microtask queue.
        if (busy > BREATH) {
          busy = 0;
          await giveWay(clock, signal);
          if (signal.aborted) throw signal.reason;
        }
        const began = clock.now();
        const result = take(value.subarray(at, at + PORTION));
        busy += Math.max(clock.now() - began, 0);
        if (result !== undefined) return result;
      }
      taken();
    }
  } finally {
    cancel();
  }
}
