import { constants } from 'node:os';
import type { Reporter } from '@sitrep/harness/reporter';
import type { Said } from '../output/types.ts';
import type { CommandEnd } from './types.ts';

/** Signals by which people and supervisors end a command, as opposed to a crash. */
const STOP_SIGNALS = new Set<string>(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL', 'SIGQUIT', 'SIGPIPE']);
/** With what a shell, and many a program, ends whose command was stopped by a key or a supervisor. */
const STOP_CODES: Readonly<Record<number, string>> = {
  [128 + constants.signals.SIGINT]: 'SIGINT',
  [128 + constants.signals.SIGTERM]: 'SIGTERM',
};

/** Reports what the output said. */
export function reportSaid(reporter: Reporter, said: Said): void {
  const { waiting, blockedOn, ...patch } = said;
  if (blockedOn !== undefined) reporter.block(blockedOn, patch);
  else if (waiting === true) reporter.wait(patch.message, patch);
  else if (waiting === false) reporter.resume(patch);
  else reporter.update(patch);
}

/** Reports how the command ended; answers the exit code that says the same. `stop` is the signal we were told to end with. */
export function reportEnd(reporter: Reporter, end: CommandEnd, stop: string | undefined): number {
  if ('why' in end) {
    reporter.fail(end.why);
    return end.missing ? 127 : 126;
  }
  if ('signal' in end) {
    if (STOP_SIGNALS.has(end.signal)) reporter.cancel(end.signal);
    else reporter.fail(`Ended by ${end.signal}`, { reason: end.signal });
    return 128 + constants.signals[end.signal];
  }
  const { code } = end;
  if (code === 0) reporter.complete();
  // Many programs catch the signal and end with a code of their own.
  else if ((stop ?? STOP_CODES[code]) !== undefined) reporter.cancel(stop ?? STOP_CODES[code]);
  else reporter.fail(`Exited with code ${code}`, { reason: 'exit_code' });
  return code;
}
