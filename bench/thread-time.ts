import { readFileSync } from 'node:fs';
import { clock } from './harness.ts';

/** Nanoseconds that the first thread of this process ran, as Linux counts them. */
const RAN = '/proc/self/schedstat';

/**
 * From here on counts the time that the thread itself ran, where the system tells it: other processes then hardly show in
 * it. Only for work that waits for nothing, since waiting is not counted.
 */
export function countThreadTime(): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const ran = () => {
    // The count is up to date only after the thread has stood still for a moment; otherwise it may be 4 ms behind.
    Atomics.wait(cell, 0, 0, 0.01);
    return Number(readFileSync(RAN, 'latin1').split(' ', 1)[0]) / 1e6;
  };
  try {
    if (ran() > 0) clock.now = ran;
  } catch {
    // Another system: the time on the wall has to do.
  }
}
