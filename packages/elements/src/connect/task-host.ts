import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** A host for controllers outside any element: it has nothing to render and only passes on that something changed. */
export class TaskHost implements ReactiveControllerHost {
  readonly updateComplete: Promise<boolean> = Promise.resolve(true);
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  addController(_controller: ReactiveController): void {}

  removeController(_controller: ReactiveController): void {}

  requestUpdate(): void {
    this.#changed();
  }
}
