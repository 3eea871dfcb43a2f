/// <reference lib="esnext.disposable" preserve="true" />
import { isFinal } from '@sitrep/schema';
import { operationKey, SessionIndex } from '@sitrep/schema/reduce';
import { displayTitle } from '@sitrep/schema/select';
import type { Id, Operation, ProgressEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import { attempt } from '../sink/hand-over.ts';
import type { Sink } from '../sink/sink.ts';
import type { VsCodeProgressOptions, VsCodeWindow } from './api.ts';
import { innerOf } from './inner.ts';
import { VsCodeMeter } from './meter.ts';
import { checkOptions } from '../setup.ts';

/** Options of a sink that shows a session in the editor. Times in milliseconds. */
export interface VsCodeSinkOptions {
  /** `vscode.window`. */
  readonly window: VsCodeWindow;
  /** The session to show; events of others are dropped. */
  readonly session: string;
  /** `vscode.ProgressLocation`. Only a notification (15) shows amounts and a button to cancel. Default: 15. */
  readonly location?: VsCodeProgressOptions['location'] | undefined;
  /** Called when a person cancels in the editor. Without it nothing can be cancelled there. The operation goes on until its own end. */
  readonly onCancel?: ((operation: Operation) => void) | undefined;
  /** Called with each operation that was shown and ended, for what the editor has no place for: that it failed, say. */
  readonly onEnd?: ((operation: Operation) => void) | undefined;
  /** Operations shown at once; the next one is shown when one has ended. Default: 5. */
  readonly maxShown?: number | undefined;
  /** Least time between two reports of one operation. Default: 100. */
  readonly throttleMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Told when the editor or a callback failed. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

interface Shown {
  /** Set once the editor has begun the task. */
  meter?: VsCodeMeter;
  lastReport: number;
  cancelTimer?: (() => void) | undefined;
  over: boolean;
  /** Ends the task. */
  end: () => void;
}

const NOTIFICATION = 15;

/**
 * Shows each operation of a session that is at work and part of no other as one progress of the editor, from its first
 * move to its end. Background work is not shown; what goes on inside a shown one is told with it. Its sends never throw and its tasks
 * never reject.
 */
export function createVsCodeSink(options: VsCodeSinkOptions): Sink & AsyncDisposable {
  checkOptions('createVsCodeSink', options, { window: 'object', session: 'string' });
  const { window, session, clock = systemClock } = options;
  const throttleMs = Math.max(0, options.throttleMs ?? 100);
  const maxShown = Math.max(1, options.maxShown ?? 5);
  const index = new SessionIndex(session);
  const shown = new Map<string, Shown>();
  let closed = false;

  function failed(what: string): void {
    tell(options.onDiagnostic, { code: 'sink_failed', message: `${what} failed; the work it shows goes on.` });
  }

  function call(callback: ((operation: Operation) => void) | undefined, operation: Operation, what: string): void {
    attempt(
      () => callback?.(operation),
      () => failed(what),
    );
  }

  function begin(key: string, operation: Operation): void {
    const entry: Shown = { lastReport: Number.NEGATIVE_INFINITY, over: false, end: () => {} };
    const ended = new Promise<void>((resolve) => {
      entry.end = resolve;
    });
    shown.set(key, entry);
    const canCancel = options.onCancel !== undefined && operation.cancellable === true;
    try {
      const task = window.withProgress<void>(
        { location: options.location ?? NOTIFICATION, title: displayTitle(operation), cancellable: canCancel },
        (progress, token) => {
          entry.meter = new VsCodeMeter(progress);
          const listening = canCancel ? token.onCancellationRequested(() => cancel(key)) : undefined;
          report(key, entry);
          return ended.then(() => void listening?.dispose());
        },
      );
      void Promise.resolve(task).then(undefined, () => failed('The progress of the editor'));
    } catch {
      failed('The progress of the editor');
    }
  }

  /** What was shown by itself before this turned up around it is told with it from now on. */
  function beginOuter(key: string, outer: Operation): void {
    begin(key, outer);
    for (const [innerKey, entry] of shown) {
      const inner = index.operations.get(innerKey);
      if (inner !== undefined && inner !== outer && inner.parent === outer.id && inner.run === outer.run) end(innerKey, entry);
    }
  }

  function cancel(key: string): void {
    const operation = index.operations.get(key);
    if (operation !== undefined && !isFinal(operation.state)) call(options.onCancel, operation, 'The callback for a cancel');
  }

  function report(key: string, entry: Shown): void {
    const operation = index.operations.get(key);
    if (entry.meter === undefined || entry.over || operation === undefined) return;
    const wait = entry.lastReport + throttleMs - clock.now();
    if (wait > 0) {
      entry.cancelTimer ??= clock.after(wait, () => {
        entry.cancelTimer = undefined;
        report(key, entry);
      });
      return;
    }
    entry.lastReport = clock.now();
    try {
      entry.meter.show(operation, innerOf(index, operation));
    } catch {
      failed('A report to the editor');
    }
  }

  function end(key: string, entry: Shown): void {
    entry.cancelTimer?.();
    entry.over = true;
    shown.delete(key);
    entry.end();
    const operation = index.operations.get(key);
    if (operation !== undefined && isFinal(operation.state)) call(options.onEnd, operation, 'The callback for an end');
  }

  function update(key: string): void {
    const operation = index.operations.get(key);
    const entry = shown.get(key);
    if (entry !== undefined) {
      if (operation === undefined || isFinal(operation.state)) end(key, entry);
      else report(key, entry);
    } else if (operation !== undefined && shown.size < maxShown && isShowable(operation)) beginOuter(key, operation);
    else if (operation?.parent !== undefined) reportAbove(operation);
  }

  /** What is inside a shown operation is told with it. */
  function reportAbove({ parent, run }: Operation): void {
    let above = parent;
    for (let depth = 0; depth < 64 && above !== undefined; depth++) {
      const key = operationKey(above, run);
      const entry = shown.get(key);
      if (entry !== undefined) return report(key, entry);
      above = index.find(above, run)?.parent;
    }
  }

  /** At work, in the foreground, and inside nothing that is at work. */
  function isShowable(operation: Operation): boolean {
    const { id, parent, run } = operation;
    return isAtWork(operation) && (parent === undefined || parent === id || !isAtWork(index.find(parent, run)));
  }

  function send(event: ProgressEvent): void {
    if (closed || event.session !== session) return;
    const former = event.type === 'operation.clear' ? index.find(event.id, event.run) : undefined;
    const applied = index.apply(event);
    if (applied.outcome !== 'applied') return;
    const wasFull = shown.size >= maxShown;
    if ('id' in event) {
      update(keyOf(event));
      if (former !== undefined) reportAbove(former);
      showFreed(event);
    }
    for (const key of applied.keys ?? []) update(key);
    if (wasFull && shown.size < maxShown) for (const key of index.operations.keys()) update(key);
  }

  /** What was inside something that is over now, or no longer shown, stands by itself. */
  function showFreed({ id, run }: { readonly id: Id; readonly run?: string | undefined }): void {
    if (isAtWork(index.find(id, run))) return;
    for (const [key, inner] of index.operations) if (inner.parent === id && inner.run === run && !shown.has(key)) update(key);
  }

  function close(): Promise<void> {
    closed = true;
    for (const [key, entry] of shown) end(key, entry);
    return Promise.resolve();
  }

  return {
    send(event) {
      try {
        send(event);
      } catch {
        failed('Showing an event in the editor');
      }
    },
    flush: () => Promise.resolve(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** On its way, and in the foreground. */
function isAtWork(operation: Operation | undefined): boolean {
  return operation !== undefined && !isFinal(operation.state) && operation.state !== 'pending' && operation.ambient !== true;
}

function keyOf({ id, run }: { readonly id: Id; readonly run?: string | undefined }): string {
  return operationKey(id, run);
}
