import type { Clock as ReaderClock } from '@sitrep/client';
import type { GatewayOptions } from '@sitrep/server';

type GatewayClock = NonNullable<GatewayOptions['clock']>;

interface Task {
  at: number;
  /** Undefined for one that runs once. */
  readonly every: number | undefined;
  readonly run: () => void;
}

/** The time of a world. What the clocks of readers and gateway show is another matter: they may be set. */
export class Time {
  now = 0;
  #tasks = new Set<Task>();
  readonly #set = { readers: 1_700_000_000_000, gateway: 1_700_000_000_000 };

  /** Sets a clock by so much. */
  jump(whose: 'readers' | 'gateway', ms: number): void {
    this.#set[whose] += ms;
  }

  /** Lets time pass. Whatever falls due runs in order. */
  pass(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      let due: Task | undefined;
      for (const task of this.#tasks) if (task.at <= until && (due === undefined || task.at < due.at)) due = task;
      if (due === undefined) break;
      this.now = Math.max(this.now, due.at);
      if (due.every === undefined) this.#tasks.delete(due);
      else due.at += due.every;
      due.run();
    }
    this.now = until;
  }

  /** The clock of readers. */
  readonly reader: ReaderClock = {
    now: () => this.#set.readers + this.now,
    setTimeout: (run, ms) => this.#add({ at: this.now + ms, every: undefined, run }),
    clearTimeout: (task) => void this.#tasks.delete(task as Task),
  };

  /** A clock for one life of a gateway, and what stops everything that runs by it. */
  gateway(): { readonly clock: GatewayClock; stop(): void } {
    const own = new Set<Task>();
    return {
      clock: {
        now: () => this.#set.gateway + this.now,
        every: (ms, run) => {
          const task = this.#add({ at: this.now + ms, every: ms, run });
          own.add(task);
          return () => void this.#tasks.delete(task);
        },
      },
      stop: () => {
        for (const task of own) this.#tasks.delete(task);
      },
    };
  }

  #add(task: Task): Task {
    this.#tasks.add(task);
    return task;
  }
}
