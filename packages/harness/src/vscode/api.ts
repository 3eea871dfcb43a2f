/**
 * The part of the editor's API that shows progress, by shape: the module `vscode` exists only inside the editor and is
 * never imported here. `vscode.window` fits `VsCodeWindow` as it is.
 */

/** One message and how much further the bar goes; increments add up to 100. */
export interface VsCodeReport {
  message?: string;
  increment?: number;
}

export interface VsCodeProgress {
  report(value: VsCodeReport): void;
}

export interface VsCodeDisposable {
  dispose(): unknown;
}

export interface VsCodeCancellationToken {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => unknown): VsCodeDisposable;
}

export interface VsCodeProgressOptions {
  /** `ProgressLocation`: 1 source control, 10 window, 15 notification; or a view. */
  location: number | { viewId: string };
  title?: string;
  cancellable?: boolean;
}

export interface VsCodeWindow {
  withProgress<R>(
    options: VsCodeProgressOptions,
    task: (progress: VsCodeProgress, token: VsCodeCancellationToken) => PromiseLike<R>,
  ): PromiseLike<R>;
}
