import { UsageError } from './usage-error.ts';
import { USAGE } from './usage.ts';

type Command = (args: string[]) => Promise<number>;

/** Each command is loaded when it is asked for: `run` and `validate` need no server, and no newer Node than 20.19. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  run: async () => (await import('./run.ts')).run,
  validate: async () => (await import('./validate.ts')).validate,
  convert: async () => (await import('./convert.ts')).convert,
  tail: async () => (await import('./tail.ts')).tail,
  mcp: async () => (await import('./mcp.ts')).mcp,
  token: async () => (await import('./token.ts')).token,
  push: async () => (await import('./push.ts')).push,
  doctor: async () => (await import('./doctor.ts')).doctor,
  export: async () => (await import('./export.ts')).exportSessions,
  import: async () => (await import('./import.ts')).importSessions,
  hook: async () => (await import('./hook.ts')).hook,
};

/** Runs one command line; answers the exit code. 2 means that the command line itself was wrong. */
async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? process.stderr : process.stdout).write(USAGE);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    const { version } = await import('../version.ts');
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!load) throw new UsageError(`There is no command "${name}".`);
    const command = await load();
    return await command(rest);
  } catch (error) {
    const usage = error as UsageError;
    if (usage.name === 'UsageError') {
      process.stderr.write(`sitrep: ${usage.message}\nTry: sitrep ${usage.command ? `${usage.command} ` : ''}--help\n`);
      return 2;
    }
    process.stderr.write(`sitrep: ${(error as Error).message}\n`);
    return 1;
  }
}

// A reader that goes away (`| head -1`, a closed terminal) must neither crash a command nor end a gateway that only
// wanted to log; a command that has nothing to do without its reader listens for itself. A full disk is no reader: what
// was to be kept is lost, and that is no success.
let isLost = false;
process.stderr.on('error', () => undefined);
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // What a closed descriptor (`>&-`) or a closed window takes nobody waits for.
  if (isLost || code === 'EPIPE' || code === 'EBADF' || code === 'EIO' || code === 'ECONNRESET') return;
  isLost = true;
  process.stderr.write(`sitrep: standard output could not be written: ${message}\n`);
  process.exitCode ||= 1;
});

// Not process.exit: what is still on its way to a pipe must arrive.
const code = await main(process.argv.slice(2));
process.exitCode = code || (isLost ? 1 : 0);
