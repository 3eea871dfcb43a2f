import type {
  VsCodeCancellationToken,
  VsCodeDisposable,
  VsCodeProgress,
  VsCodeProgressOptions,
  VsCodeReport,
  VsCodeWindow,
} from '@sitrep/harness/vscode';

/**
 * The editor's progress as its API describes it: the task is begun by the editor, not within the call; increments add up, and
 * what goes over 100 is cut; a progress without any increment is endless; the answer settles as the task does.
 */
export class Editor implements VsCodeWindow {
  readonly shown: Shown[] = [];
  /** True makes the next call throw, as the API does for arguments it does not take. */
  fails = false;

  withProgress<R>(
    options: VsCodeProgressOptions,
    task: (progress: VsCodeProgress, token: VsCodeCancellationToken) => PromiseLike<R>,
  ): PromiseLike<R> {
    if (this.fails) throw new Error('illegal argument');
    const shown = new Shown(options);
    this.shown.push(shown);
    const done = Promise.resolve().then(() => task(shown, shown.token));
    done.then(
      () => (shown.settled = 'resolved'),
      () => (shown.settled = 'rejected'),
    );
    return done;
  }
}

/** One progress on the screen. */
export class Shown implements VsCodeProgress {
  readonly options: VsCodeProgressOptions;
  readonly reports: VsCodeReport[] = [];
  readonly token = new TokenSource();
  settled: 'resolved' | 'rejected' | undefined;
  sum = 0;
  isEndless = true;

  constructor(options: VsCodeProgressOptions) {
    this.options = options;
  }

  report(value: VsCodeReport): void {
    if (this.settled !== undefined) throw new Error('reported after the end');
    this.reports.push(value);
    if (value.increment === undefined) return;
    if (!Number.isFinite(value.increment) || value.increment < 0) throw new Error(`increment ${value.increment}`);
    this.isEndless = false;
    this.sum = Math.min(100, this.sum + value.increment);
  }
}

/** A token that can be cancelled. */
export class TokenSource implements VsCodeCancellationToken {
  readonly #listeners = new Set<() => unknown>();
  isCancellationRequested = false;

  get listeners(): number {
    return this.#listeners.size;
  }

  onCancellationRequested = (listener: () => unknown): VsCodeDisposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  cancel(): void {
    this.isCancellationRequested = true;
    for (const listener of this.#listeners) listener();
  }
}
