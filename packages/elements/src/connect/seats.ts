/**
 * Streams open at a time to one server, from all tabs of a browser together. Over HTTP/1.1 a browser opens six connections to a server
 * and lets everything else wait; two are left for requests.
 */
const SEATS = 4;
const MULTIPLEXED = /^h[23]/;

interface Queue {
  taken: number;
  readonly waiting: (() => void)[];
}
const queues = new Map<string, Queue>();
/** How many of this page sit or wait, by origin. */
const counts = new Map<string, number>();

/** A seat for one stream. */
export class Seat {
  /** Aborted once it is there, or no longer waited for. */
  readonly over: AbortSignal;
  /** True where this page alone does not need more seats than there are: it will come, unless other tabs have them. */
  readonly likely: boolean;
  readonly #given: Promise<() => void>;
  readonly #origin: string;

  constructor(address: string, signal: AbortSignal) {
    const over = new AbortController();
    const end = (): void => over.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true, signal: over.signal });
    this.over = over.signal;
    this.#origin = new URL(address).origin;
    this.likely = this.#count(1) <= SEATS;
    this.#given = takeSeat(this.#origin, signal);
    void this.#given.then(end);
  }

  /** Gives it back, or waits for it no longer. */
  leave(): void {
    this.#count(-1);
    void this.#given.then((leave) => leave());
  }

  #count(by: number): number {
    const count = (counts.get(this.#origin) ?? 0) + by;
    counts.set(this.#origin, count);
    return count;
  }
}

/** True where one connection carries many streams (HTTP/2 and later), as far as the browser tells: then nobody needs a seat. */
export function isMultiplexed(address: string): boolean {
  const { origin } = new URL(address);
  const entries =
    origin === location.origin ? performance.getEntriesByType('navigation') : performance.getEntriesByName(address, 'resource').slice(-1);
  return entries.some((entry) => MULTIPLEXED.test((entry as PerformanceResourceTiming).nextHopProtocol));
}

/** Resolves with what gives it back as soon as there is a seat; never, if `signal` is aborted before. A lock ends with its page. */
function takeSeat(origin: string, signal: AbortSignal): Promise<() => void> {
  const { locks } = navigator as { readonly locks?: LockManager };
  return locks ? byLocks(locks, origin, signal) : inPage(origin, signal);
}

/** Waits for all seats at once and keeps the first that comes. */
function byLocks(locks: LockManager, origin: string, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const stop = (): void => waiting.abort();
    signal.addEventListener('abort', stop, { once: true });
    let sits = false;
    let refused = 0;
    const sit = (): Promise<void> | undefined => {
      if (sits || signal.aborted) return undefined;
      sits = true;
      signal.removeEventListener('abort', stop);
      queueMicrotask(stop);
      return new Promise((release) => resolve(release));
    };
    for (let seat = 1; seat <= SEATS; seat++) {
      locks.request(`sitrep stream ${seat} at ${origin}`, { signal: waiting.signal }, sit).catch(() => {
        // A page without an origin of its own has the name and not the thing.
        if (!sits && !signal.aborted && ++refused === SEATS) void inPage(origin, signal).then(resolve);
      });
    }
  });
}

/** Counts the seats of this page alone. */
function inPage(origin: string, signal: AbortSignal): Promise<() => void> {
  const queue = queues.get(origin) ?? { taken: 0, waiting: [] };
  queues.set(origin, queue);
  return new Promise((resolve) => {
    const sit = (): void => {
      queue.taken++;
      let sits = true;
      resolve(() => {
        if (!sits) return;
        sits = false;
        queue.taken--;
        queue.waiting.shift()?.();
      });
    };
    if (queue.taken < SEATS) return sit();
    queue.waiting.push(sit);
    signal.addEventListener('abort', () => queue.waiting.splice(0, Infinity, ...queue.waiting.filter((one) => one !== sit)), {
      once: true,
    });
  });
}
