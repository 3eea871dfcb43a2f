/** Tasks that run and wait of one group. */
interface Group {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs tasks of one name one after the other, those of different names beside each other, of one group at most so many at once. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();
  readonly #groups = new Map<string, Group>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True while a task of this name runs or waits. */
  busy(name: string): boolean {
    return this.#last.has(name);
  }

  /** Queues a task, which must not reject. */
  run(name: string, group: string, task: () => Promise<void>): void {
    const done: Promise<void> = (this.#last.get(name) ?? Promise.resolve())
      .then(() => this.#inTurn(group, task))
      .finally(() => {
        if (this.#last.get(name) === done) this.#last.delete(name);
      });
    this.#last.set(name, done);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  async #inTurn(name: string, task: () => Promise<void>): Promise<void> {
    const group = this.#groups.get(name) ?? { running: 0, waiting: [] };
    this.#groups.set(name, group);
    if (group.running >= this.#limit) await new Promise<void>((resolve) => group.waiting.push(resolve));
    else group.running += 1;
    try {
      await task();
    } finally {
      // Whoever waits takes the place that is left.
      const next = group.waiting.shift();
      if (next) next();
      else if ((group.running -= 1) === 0) this.#groups.delete(name);
    }
  }
}
