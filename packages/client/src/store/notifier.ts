import type { Clock } from '../clock.ts';

/** Urgent calls that may go out at once within one quantum; a storm of them is coalesced like everything else. */
const URGENT_PER_QUANTUM = 10;

interface Subscription {
  /** Calls the listener if what it watches has changed since. */
  notify(): void;
}

/** Tells listeners what changed, each at most once per quantum, and what is urgent in the next microtask. */
export class Notifier {
  readonly #clock: Clock;
  readonly #quantum: number;
  readonly #onThrow: (error: unknown) => void;
  readonly #subscriptions = new Set<Subscription>();
  #timer: unknown;
  #queued = false;
  #lastAt = -Infinity;
  #windowAt = -Infinity;
  #urgent = 0;

  /** `quantum` in milliseconds. `onThrow` hears of listeners that threw; they keep their subscription. */
  constructor(clock: Clock, quantum: number, onThrow: (error: unknown) => void) {
    this.#clock = clock;
    this.#quantum = quantum;
    this.#onThrow = onThrow;
  }

  /** Calls `listener` at once with what `read` gives, and again whenever that is another reference. Returns the way out. */
  add<T>(read: () => T, listener: (value: T) => void): () => void {
    let last = read();
    const call = () => {
      try {
        listener(last);
      } catch (error) {
        this.#onThrow(error);
      }
    };
    const subscription: Subscription = {
      notify() {
        const value = read();
        if (value === last) return;
        last = value;
        call();
      },
    };
    this.#subscriptions.add(subscription);
    call();
    return () => {
      this.#subscriptions.delete(subscription);
    };
  }

  /** Something changed. */
  schedule(urgent: boolean): void {
    if (this.#queued || (this.#timer !== undefined && !urgent) || this.#subscriptions.size === 0) return;
    const now = this.#clock.now();
    const since = now - this.#lastAt;
    // A clock that jumped back counts as a quantum that has passed.
    if (since >= this.#quantum || since < 0 || (urgent && this.#mayHurry(now))) {
      this.#queued = true;
      queueMicrotask(() => this.#flush());
    } else if (this.#timer === undefined) {
      this.#timer = this.#clock.setTimeout(() => this.#flush(), this.#quantum - since);
    }
  }

  /** Drops all listeners and the timer. */
  close(): void {
    this.#subscriptions.clear();
    this.#flush();
  }

  #mayHurry(now: number): boolean {
    if (now - this.#windowAt >= this.#quantum || now < this.#windowAt) {
      this.#windowAt = now;
      this.#urgent = 0;
    }
    return ++this.#urgent <= URGENT_PER_QUANTUM;
  }

  #flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queued = false;
    this.#lastAt = this.#clock.now();
    // A Set may change meanwhile: one that left is passed over, one that came has just been called with the newest value.
    for (const subscription of this.#subscriptions) subscription.notify();
  }
}
