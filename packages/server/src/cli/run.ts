import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { forwardSignals } from './command/signals.ts';
import { startCommand } from './command/start.ts';
import { gatewayUrl, parse } from './arguments.ts';
import { UsageError } from './usage-error.ts';
import { RUN_USAGE } from './usage.ts';

/** Names that need no closer look. */
const PLAIN = /^[\w:@+ -][\w.:@+ -]{0,200}$/;

/**
 * `sitrep run`: answers the command's own exit code. The command is started first, and what watches it is loaded while it
 * is already at work: nobody waits for us.
 */
export async function run(args: string[]): Promise<number> {
  const split = args.indexOf('--');
  const { values, positionals } = parse('run', split < 0 ? args : args.slice(0, split), {
    session: { type: 'string' },
    url: { type: 'string' },
    title: { type: 'string' },
    id: { type: 'string' },
    inherit: { type: 'boolean' },
  });
  if (values.help) {
    process.stdout.write(RUN_USAGE);
    return 0;
  }
  const [command, ...rest] = split < 0 ? [] : args.slice(split + 1);
  if (command === undefined || positionals.length > 0) throw new UsageError('Name the command after --: sitrep run -- make all', 'run');
  if ([command, ...rest].some((word) => word.includes('\uFFFD')) && !isGivenAsText()) {
    throw new UsageError(
      'An argument is not UTF-8 and could not be handed on unchanged. Put the command line into a script, and run that.',
      'run',
    );
  }
  const { id, title } = values;
  const url = gatewayUrl('run', values.url);
  const session = values.session ?? (process.env['SITREP_SESSION'] || 'default');
  if (!PLAIN.test(session) || (id !== undefined && !PLAIN.test(id))) await checkNames(session, id);

  const running = await startCommand(command, rest, { inherit: values.inherit ?? false });
  const forwarding = forwardSignals(running.kill, running.inTerminal);
  const { watchCommand } = await import('./command/watch.ts');
  return watchCommand(running, forwarding, { command: [command, ...rest], url, session, id, title });
}

/** Whether our arguments are what they were given as: Node replaces bytes that are no UTF-8, and `rm` would remove another file. */
function isGivenAsText(): boolean {
  try {
    return isUtf8(readFileSync('/proc/self/cmdline'));
  } catch {
    return true;
  }
}

async function checkNames(session: string, id: string | undefined): Promise<void> {
  const [{ sessionNameFault }, { idFault }] = await Promise.all([import('../gateway/session/session-name.ts'), import('./id-fault.ts')]);
  const fault = sessionNameFault(session) ?? (id === undefined ? undefined : idFault(id));
  if (fault !== undefined) throw new UsageError(fault, 'run');
}
