import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';

/** Longer delays overflow the timers of every platform and would fire at once, milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Waits `ms` milliseconds, or less when `signal` aborts or, if `wakeable`, when the machine comes back online or the page
 * comes back into view. Leaves no timer and no listener behind. Never rejects.
 */
export function wait(clock: Clock, ms: number, signal: AbortSignal, wakeable = false): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const controller = new AbortController();
    const done = () => {
      clock.clearTimeout(timer);
      // With it go the listeners.
      controller.abort();
      resolve();
    };
    const timer = clock.setTimeout(done, Math.min(ms, LONGEST));
    signal.addEventListener('abort', done, controller);
    if (!wakeable) return;
    // Node has no global event target.
    globalThis.addEventListener?.('online', done, controller);
    globalThis.document?.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && done(), controller);
  });
}

/**
 * Lets everything else that wants the thread go first, painting and input among it. On the platform's clock without a timer:
 * those take milliseconds for nothing, and in a hidden page up to a minute, which a burst would spend over and over.
 */
export function giveWay(clock: Clock, signal: AbortSignal): Promise<void> {
  if (clock !== systemClock) return wait(clock, 0, signal);
  return new Promise((resolve) => {
    // Of Node: there, messages may come one after another before anything else has its turn.
    const { setImmediate } = globalThis as { setImmediate?: (callback: () => void) => unknown };
    if (setImmediate !== undefined) return void setImmediate(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Settles like `promise`, but rejects at once when `signal` aborts, even if the promise never settles. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const settle = () => signal.removeEventListener('abort', abort);
    promise.then(resolve, reject).finally(settle);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });
}
