import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { createHttpSink } from '@sitrep/harness/sink';
import { createReporter } from '@sitrep/harness/reporter';
import type { Patch, Reporter } from '@sitrep/harness/reporter';
import { cleanLine } from '@sitrep/schema/check';
import { sessionNameFault } from '../gateway/session-name.ts';
import { gatewayUrl, idFault, parse } from './arguments.ts';
import { OutputLines } from './output-lines.ts';
import { openOutputPipes } from './output-pipes.ts';
import { progressOf } from './output-progress.ts';
import { UsageError } from './usage-error.ts';
import { RUN_USAGE } from './usage.ts';

/** Milliseconds between two updates; the newest line is never lost. */
const THROTTLE_MS = 200;
/** Milliseconds the end of the command waits for the gateway to take the last events: in any case, and if it seems to be there. */
const FIRST_FLUSH_MS = 400;
const FLUSH_MS = 2_500;
/** Milliseconds after which a gateway that does not answer counts as not there. */
const REQUEST_MS = 3_000;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Signals by which people and supervisors end a command, as opposed to a crash. */
const STOP_SIGNALS = new Set<string>([...FORWARDED, 'SIGKILL', 'SIGQUIT', 'SIGPIPE']);

/** `sitrep run`: answers the command's own exit code. */
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
  const url = gatewayUrl('run', values.url);
  const session = values.session ?? (process.env['SITREP_SESSION'] || 'default');
  const fault = sessionNameFault(session) ?? (values.id === undefined ? undefined : idFault(values.id));
  if (fault !== undefined) throw new UsageError(fault, 'run');

  let warned = false;
  const warn = (message: string): void => {
    if (!warned) process.stderr.write(`sitrep: ${message}\n`);
    warned = true;
  };
  const over = new AbortController();
  const sink = createHttpSink({
    url,
    session,
    fetch: (address, init) => fetch(address, { ...init, signal: init.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal }),
    timeoutMs: REQUEST_MS,
    onDiagnostic: ({ code, message }) => {
      if (code === 'network')
        warn(`the gateway at ${url} cannot be reached; the command goes on, and its progress is shown once the gateway is there.`);
      else if (code !== 'flush_timeout') warn(`the gateway at ${url}: ${message}`);
    },
  });
  const reporter = createReporter({
    sink,
    session,
    // A named row is the same row at the next run, begun afresh; the time is an attempt that only rises.
    ...(values.id === undefined ? {} : { id: values.id, attempt: Date.now() }),
    title: cleanLine(values.title ?? [command, ...rest].join(' ')),
    kind: 'command',
    throttleMs: THROTTLE_MS,
  });
  const code = await runCommand(command, rest, reporter, values.inherit ?? false);
  await sink.flush({ timeoutMs: FIRST_FLUSH_MS });
  // A gateway that was never there is not worth a longer wait.
  if (sink.stats.pending > 0 && (sink.stats.acknowledged > 0 || !warned)) await sink.flush({ timeoutMs: FLUSH_MS });
  if (sink.stats.pending > 0) warn(`the gateway at ${url} did not take how the command ended.`);
  // A request that is still under way must not hold up whoever waits for the command.
  over.abort();
  return code;
}

/** Runs the command and reports how it goes and ends. Never rejects. */
function runCommand(command: string, args: readonly string[], reporter: Reporter, inherit: boolean): Promise<number> {
  return new Promise((resolve) => {
    let failed = false;
    const notStarted = (error: NodeJS.ErrnoException): void => {
      failed = true;
      const missing = error.code === 'ENOENT';
      const message = missing ? `${command}: command not found` : `${command} could not be started: ${error.message}`;
      process.stderr.write(`sitrep: ${message}\n`);
      reporter.fail(message);
      resolve(missing ? 127 : 126);
    };
    const [out, err] = (inherit ? undefined : openOutputPipes()) ?? [];
    let child: ChildProcess;
    try {
      child = spawn(command, args, { stdio: inherit ? 'inherit' : ['inherit', out?.write ?? 'pipe', err?.write ?? 'pipe'] });
    } catch (error) {
      // Some failures to start are thrown, others come as an event.
      return notStarted(error as NodeJS.ErrnoException);
    } finally {
      for (const pipe of [out, err]) if (pipe) closeSync(pipe.write);
    }
    const received = new Set<string>();
    const stopForwarding = forwardSignals(child, received);
    const read = [follow(out?.read ?? child.stdout, process.stdout, reporter), follow(err?.read ?? child.stderr, process.stderr, reporter)];
    child.once('error', (error) => {
      // A child that was started and could not be signalled is still running.
      if (child.pid !== undefined) return;
      stopForwarding();
      notStarted(error);
    });
    child.once('close', (code, signal) => {
      if (failed) return;
      const end = (): void => {
        stopForwarding();
        resolve(reportEnd(reporter, code, signal, received));
      };
      Promise.all(read).then(end, end);
    });
  });
}

function reportEnd(reporter: Reporter, code: number | null, signal: NodeJS.Signals | null, received: ReadonlySet<string>): number {
  if (signal !== null) {
    if (STOP_SIGNALS.has(signal)) reporter.cancel(signal);
    else reporter.fail(`Ended by ${signal}`, { reason: signal });
    return 128 + constants.signals[signal];
  }
  if (code === 0) reporter.complete();
  // Many programs catch the signal and end with a code of their own.
  else if (received.size > 0) reporter.cancel([...received][0]);
  else reporter.fail(`Exited with code ${code}`, { reason: 'exit_code' });
  return code ?? 1;
}

/**
 * Passes the output on byte for byte, no faster than it is read, and reports its newest line and amount. Resolves when
 * there is no more of it; at once when there is none to read.
 */
function follow(from: Readable | null, to: Writable, reporter: Reporter): Promise<void> {
  if (!from) return Promise.resolve();
  const lines = new OutputLines();
  from.pipe(to, { end: false });
  // Whoever reads our output has gone: let the command notice by its own next write.
  to.on('error', () => from.destroy());
  from.on('data', (chunk: Buffer) => {
    let patch: Patch = {};
    for (const line of lines.push(chunk)) {
      const progress = progressOf(line);
      if (progress) patch = { ...patch, ...('fraction' in progress ? { fraction: progress.fraction } : progress) };
      const message = cleanLine(line.text);
      if (message !== '') patch = { ...patch, message };
    }
    const pending = progressOf({ text: lines.rest, redrawn: false });
    if (pending && lines.rest.includes('\u001B]9;4;')) patch = { ...patch, ...pending };
    if (Object.keys(patch).length > 0) reporter.update(patch);
  });
  from.on('error', () => undefined);
  return new Promise((resolve) => from.once('close', resolve));
}

/**
 * Hands signals on to the command and outlives it, so that its end is reported. A Ctrl-C in a terminal reaches the
 * command by itself; sent twice, many programs would give up what they still have to do.
 */
function forwardSignals(child: ChildProcess, received: Set<string>): () => void {
  const handlers = FORWARDED.map((signal) => {
    const handler = (): void => {
      received.add(signal);
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => handlers.forEach(({ signal, handler }) => process.off(signal, handler));
}
