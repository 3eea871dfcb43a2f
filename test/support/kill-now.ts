import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process at once, whatever it is doing, as a machine that fails does; resolves when it is gone. */
export async function killNow(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
