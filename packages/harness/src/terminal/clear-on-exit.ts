import type { TerminalSink } from './sink.ts';

/** The part of a process that tells of its end: `process` of Node, Bun and Deno. */
export interface ExitHost {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  readonly pid: number;
}

/** Those a platform does not know never come. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

/**
 * Clears the terminal on every way out of the process that can be caught: its exit, and the signals that end it, which
 * end it all the same afterwards, unless somebody else listens to them and decides. The returned function takes that
 * back.
 */
export function clearOnExit(sink: Pick<TerminalSink, 'clear'>, host: ExitHost): () => void {
  const onExit = (): void => sink.clear();
  const onSignal = SIGNALS.map((signal) => {
    const listener = (): void => {
      sink.clear();
      if (host.listenerCount(signal) > 1) return;
      host.off(signal, listener);
      host.kill(host.pid, signal);
    };
    return { signal, listener };
  });
  host.on('exit', onExit);
  for (const { signal, listener } of onSignal) host.on(signal, listener);
  return () => {
    host.off('exit', onExit);
    for (const { signal, listener } of onSignal) host.off(signal, listener);
  };
}
