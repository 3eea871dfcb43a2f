import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { kept } from './kept.ts';
import type { CommandEnd, CommandOutput } from './types.ts';

const RELAY = fileURLToPath(new URL('../../../bin/terminal-relay.pl', import.meta.url));
/** Named by path first: a version manager's stand-in for `perl` can be slow, or there without what it stands for. */
const perls = (): readonly string[] => (process.env['SITREP_PERL'] ? [process.env['SITREP_PERL']] : ['/usr/bin/perl', 'perl']);
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]));

/** A command in a terminal of its own. */
export interface InTerminal {
  readonly inTerminal: true;
  readonly child: ChildProcess;
  /** What it shows. It has been passed on already. */
  readonly copy: CommandOutput;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<CommandEnd>;
}

/**
 * Starts a command in a terminal of its own that lies in ours: it can ask for passwords, draw bars, be resized, interrupted
 * and stopped by its keys, and we read what it shows. Those of `terminals` are that terminal, the others of 1 and 2 go to
 * the write ends given. Undefined where no such terminal can be had; nothing has been started then.
 */
export async function startInTerminal(
  command: string,
  args: readonly string[],
  terminals: readonly number[],
  piped: Readonly<Record<1 | 2, number | 'pipe'>>,
): Promise<InTerminal | undefined> {
  if (process.platform === 'win32') return undefined;
  for (const perl of perls()) {
    const started = await start(perl, command, args, terminals, piped);
    if (started !== 'missing') return started;
  }
  return undefined;
}

async function start(
  perl: string,
  command: string,
  args: readonly string[],
  terminals: readonly number[],
  piped: Readonly<Record<1 | 2, number | 'pipe'>>,
): Promise<InTerminal | undefined | 'missing'> {
  const ownEnv = process.env['PERL_BADLANG'] === undefined;
  const child = spawn(perl, [RELAY, terminals.join(''), ownEnv ? '1' : '0', command, ...args], {
    stdio: [
      'inherit',
      'inherit',
      'inherit',
      'pipe',
      'pipe',
      terminals.includes(1) ? 'ignore' : piped[1],
      terminals.includes(2) ? 'ignore' : piped[2],
    ],
    // A locale that is not installed is no reason to complain in the command's place.
    env: ownEnv ? { ...process.env, PERL_BADLANG: '0' } : process.env,
  });
  const copy = kept(child.stdio[3] as Readable);
  const told = lines(child.stdio[4] as Readable);
  const first = await Promise.race([
    told.next().then(({ value }) => value ?? 'unsupported'),
    new Promise<'missing'>((resolve) => child.once('error', () => resolve('missing'))),
  ]);
  if (first === 'missing') return 'missing';
  const [word, pid] = first.split(' ');
  if (word === 'unsupported') return undefined;
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = (async (): Promise<CommandEnd> => {
    let end = endOf(first);
    for await (const line of told) end ??= endOf(line);
    await closed;
    return end ?? { signal: 'SIGHUP' };
  })();
  return {
    inTerminal: true,
    child,
    copy: { from: copy },
    kill(signal) {
      try {
        process.kill(Number(pid), signal);
      } catch {
        // It has just ended.
      }
    },
    ended,
  };
}

/** What a line of the relay says about the end of the command; undefined when it says something else. */
function endOf(line: string): CommandEnd | undefined {
  const [word, value = '', ...rest] = line.split(' ');
  if (word === 'exit') return { code: Number(value) };
  if (word === 'signal') return { signal: SIGNALS.get(Number(value)) ?? 'SIGKILL' };
  if (word === 'error') return { missing: value === 'ENOENT', why: rest.join(' ') };
  return undefined;
}

async function* lines(from: Readable): AsyncGenerator<string, undefined> {
  let text = '';
  from.on('error', () => undefined);
  for await (const chunk of from) {
    text += String(chunk);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return undefined;
}
