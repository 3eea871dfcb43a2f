/// <reference lib="esnext.disposable" preserve="true" />
import type { ProgressEvent } from '@sitrep/schema/wire';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import { toFailure } from '../reporter/failure.ts';
import { isThenable, tellingSend } from './hand-over.ts';
import type { Sink } from './sink.ts';

/** Options of a callback sink. */
export interface CallbackSinkOptions {
  /** Told when the callback threw or rejected. So is the reporter whose event it was. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
  /** Promises of the callback that `flush` waits for at most; older ones are let go. Default: 1,000. */
  readonly maxPending?: number | undefined;
}

/**
 * A sink that calls `fn` with each event, in order, at once. `fn` may answer a promise: nothing waits for it but
 * `flush`, so a promise that never settles holds up `flush` alone; give it a limit of your own there.
 */
export function createCallbackSink(fn: (event: ProgressEvent) => unknown, options: CallbackSinkOptions = {}): Sink & AsyncDisposable {
  const maxPending = options.maxPending ?? 1000;
  const pending = new Set<Promise<void>>();
  let closed = false;
  const failed = (error: unknown): void => {
    const message = `The sink callback failed (${toFailure(error).message}); its event is lost to it.`;
    tell(options.onDiagnostic, { code: 'sink_failed', message });
  };

  async function flush(): Promise<void> {
    await Promise.all(pending);
  }

  function close(): Promise<void> {
    closed = true;
    return flush();
  }

  return {
    send: tellingSend((event, tellSender) => {
      if (closed) return;
      const lost = (error: unknown): void => {
        failed(error);
        tellSender(error);
      };
      try {
        const answer = fn(event);
        if (!isThenable(answer)) return;
        const settled = Promise.resolve(answer).then(() => undefined, lost);
        pending.add(settled);
        void settled.then(() => pending.delete(settled));
        if (pending.size > maxPending)
          for (const oldest of pending) {
            pending.delete(oldest);
            break;
          }
      } catch (error) {
        lost(error);
      }
    }),
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
}
