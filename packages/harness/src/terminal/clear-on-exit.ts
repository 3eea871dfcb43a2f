import type { TerminalSink } from './sink.ts';

/** The part of a process that tells of its end: `process` of Node, Bun and Deno. */
export interface ExitHost {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  /** Without it listeners that were there before hear of a signal first. */
  prependListener?(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  readonly pid: number;
}

/** Those a platform does not know never come. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/**
 * Clears the terminal on every way out of the process that can be caught: its exit, and the signals that end it, which
 * end it all the same afterwards, unless somebody else listens to them and decides. Others that wait to be the last one
 * who listens are not kept from it. The returned function takes that back.
 */
export function clearOnExit(sink: Pick<TerminalSink, 'clear'>, host: ExitHost): () => void {
  let isOver = false;
  const onExit = (): void => sink.clear();
  const onSignal = SIGNALS.map((signal) => {
    function listen(): void {
      if (isOver) return;
      if (host.prependListener === undefined) host.on(signal, listener);
      else host.prependListener(signal, listener);
    }
    function listener(): void {
      sink.clear();
      // Away while the others decide: some of them end the process only if nobody else listens.
      host.off(signal, listener);
      if (host.listenerCount(signal) === 0) host.kill(host.pid, signal);
      else queueMicrotask(listen);
    }
    return { signal, listener, listen };
  });
  host.on('exit', onExit);
  for (const { listen } of onSignal) listen();
  return () => {
    isOver = true;
    host.off('exit', onExit);
    for (const { signal, listener } of onSignal) host.off(signal, listener);
  };
}
