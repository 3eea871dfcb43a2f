import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { kept } from './kept.ts';
import { openOutputPipes } from './pipes.ts';
import { startInTerminal } from './terminal.ts';
import type { CommandEnd, CommandOutput, RunningCommand } from './types.ts';

/** How the command sees its three descriptors. */
export interface StartOptions {
  /** Hand it ours as they are; nothing is read then. */
  readonly inherit: boolean;
}

/**
 * Starts a command that sees what it would see without us: a terminal where we have one, no terminal where we have none.
 * Where we have a terminal and cannot give it one of its own, it gets ours, and what it shows there is not read.
 */
export async function startCommand(command: string, args: readonly string[], { inherit }: StartOptions): Promise<RunningCommand> {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  const shown = inherit ? [1, 2] : terminals.filter((fd) => fd > 0);
  const piped = [1, 2].filter((fd) => !shown.includes(fd));
  // One pipe for what goes to one place, so that the order of the two is kept.
  const together = piped.length === 2 && isSameFile(1, 2);
  const pipes = openOutputPipes(together ? 1 : piped.length);
  const writeEnd = (fd: number): number | 'pipe' => pipes?.[together ? 0 : piped.indexOf(fd)]?.write ?? 'pipe';
  try {
    if (!inherit && shown.length > 0) {
      const started = await startInTerminal(command, args, terminals, { 1: writeEnd(1), 2: writeEnd(2) });
      if (started) return withOutputs(started, piped, started.child, pipes, started.copy);
    }
    const stdio: StdioOptions = ['inherit', shown.includes(1) ? 'inherit' : writeEnd(1), shown.includes(2) ? 'inherit' : writeEnd(2)];
    const plain = startPlain(command, args, stdio);
    return withOutputs(plain, piped, plain.child, pipes, undefined);
  } finally {
    // Ours must be closed, or the end of its output would never be seen.
    for (const pipe of pipes ?? []) closeSync(pipe.write);
  }
}

/** A started command before it is known where its output is read. */
export type Started = Omit<RunningCommand, 'outputs'> & { readonly child: ChildProcess | undefined };

function withOutputs(
  started: Started,
  piped: readonly number[],
  child: ChildProcess | undefined,
  pipes: ReturnType<typeof openOutputPipes>,
  copy: CommandOutput | undefined,
): RunningCommand {
  const outputs: CommandOutput[] = copy ? [copy] : [];
  const to = (fd: number): 1 | 2 => (fd === 1 ? 1 : 2);
  if (pipes) for (const [n, pipe] of pipes.entries()) outputs.push({ from: pipe.read, to: to(piped[n] ?? 1) });
  else
    for (const fd of piped) {
      const from = child?.stdio[copy ? fd + 4 : fd];
      if (from && 'read' in from) outputs.push({ from: kept(from), to: to(fd) });
    }
  const { inTerminal, kill, ended } = started;
  return { inTerminal, kill, ended, outputs };
}

function startPlain(command: string, args: readonly string[], stdio: StdioOptions): Started {
  let child: ChildProcess;
  try {
    child = spawn(command, args, { stdio });
  } catch (error) {
    // Some failures to start are thrown, others come as an event.
    return {
      inTerminal: false,
      kill: () => undefined,
      ended: Promise.resolve(notStarted(error as NodeJS.ErrnoException)),
      child: undefined,
    };
  }
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('error', (error) => {
      // A child that was started and could not be signalled is still running.
      if (child.pid === undefined) resolve(notStarted(error));
    });
    child.once('exit', (code, signal) => resolve(signal === null ? { code: code ?? 1 } : { signal }));
  });
  return { inTerminal: false, kill: (signal) => void child.kill(signal), ended, child };
}

function notStarted({ code, message }: NodeJS.ErrnoException): CommandEnd {
  return { missing: code === 'ENOENT', why: message };
}

function isSameFile(a: number, b: number): boolean {
  try {
    const [one, other] = [fstatSync(a), fstatSync(b)];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}
