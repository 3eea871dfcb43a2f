/** Runs tasks of one name one after the other, those of different names beside each other. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  /** True while a task of this name runs or waits. */
  busy(name: string): boolean {
    return this.#last.has(name);
  }

  /** Queues a task, which must not reject. */
  run(name: string, task: () => Promise<void>): void {
    const done: Promise<void> = (this.#last.get(name) ?? Promise.resolve()).then(task).finally(() => {
      if (this.#last.get(name) === done) this.#last.delete(name);
    });
    this.#last.set(name, done);
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
