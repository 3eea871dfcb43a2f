import { setTimeout as wait } from 'node:timers/promises';
import { createHttpSink } from '@sitrep/harness/sink';
import { gatewayHeaders } from '../gateway-headers.ts';
import { createReporter } from '@sitrep/harness/reporter';
import { cleanLine } from '@sitrep/schema/check';
import { OutputReader } from '../output/reader.ts';
import { reportEnd, reportSaid } from './report.ts';
import type { Forwarding } from './signals.ts';
import type { CommandOutput, RunningCommand } from './types.ts';

/** Milliseconds between two updates; the newest line is never lost. */
const THROTTLE_MS = 200;
/** Milliseconds the end of the command waits for the gateway to take the last events: in any case, and if it seems to be there. */
const FIRST_FLUSH_MS = 400;
const FLUSH_MS = 2_500;
/** Milliseconds after which a gateway that does not answer counts as not there. */
const REQUEST_MS = 3_000;

/** Milliseconds that the output of a command which was told to end may still take. */
const STOPPED_MS = 500;

/** What is watched, and where that is reported. */
export interface WatchOptions {
  readonly command: readonly [string, ...string[]];
  readonly url: string;
  readonly session: string;
  readonly id: string | undefined;
  readonly title: string | undefined;
}

/** Follows a command that is running, passes its output on and reports it. Answers the exit code. Never rejects. */
export async function watchCommand(running: RunningCommand, forwarding: Forwarding, options: WatchOptions): Promise<number> {
  const { command, url, session, id, title } = options;
  let warned = false;
  let away = (): void => {};
  const isAway = new Promise<void>((resolve) => (away = resolve));
  const warn = (message: string): void => {
    // In the hands of the command a terminal does not return by itself.
    if (!warned) process.stderr.write(`sitrep: ${message}${running.inTerminal ? '\r' : ''}\n`);
    warned = true;
  };
  const over = new AbortController();
  const sink = createHttpSink({
    url,
    session,
    headers: gatewayHeaders(),
    fetch: (address, init) => fetch(address, { ...init, signal: init.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal }),
    timeoutMs: REQUEST_MS,
    onDiagnostic: ({ code, message }) => {
      if (code === 'network') {
        warn(`the gateway at ${url} cannot be reached; the command goes on, and its progress is shown once the gateway is there.`);
        away();
      } else if (code !== 'flush_timeout') warn(message.includes(' gateway at ') ? message : `the gateway at ${url}: ${message}`);
    },
  });
  const reporter = createReporter({
    sink,
    session,
    // A named row is the same row at the next run, begun afresh; the time is an attempt that only rises.
    ...(id === undefined ? {} : { id, attempt: Date.now() }),
    title: cleanLine(title ?? command.join(' ')),
    kind: 'command',
    throttleMs: THROTTLE_MS,
  });
  const reader = new OutputReader(command, (said) => reportSaid(reporter, said), {
    place: { session, id: reporter.id },
    emit: (event) => sink.send(event),
  });
  const passed = running.outputs.map((output) => follow(output, reader));
  const ended = await running.ended;
  const all = Promise.all(passed);
  // Who was told to end is not held up by a reader that does not read, nor by what it left running with its output open.
  const isStopped = 'signal' in ended || forwarding.stop !== undefined;
  const isWhole = await (isStopped ? Promise.race([all.then(() => true), wait(STOPPED_MS, false, { ref: false })]) : all.then(() => true));
  reader.look(true);
  forwarding.end();
  const why = 'why' in ended ? startFault(command[0], ended) : undefined;
  if (why !== undefined) process.stderr.write(`sitrep: ${why}\n`);
  const code = reportEnd(reporter, why === undefined ? ended : { ...ended, why }, forwarding.stop);

  // A gateway that was never there is not worth a wait; one that has answered is worth a longer one.
  const never = (): boolean => warned && sink.stats.acknowledged === 0;
  if (!never()) await Promise.race([sink.flush({ timeoutMs: FIRST_FLUSH_MS }), isAway]);
  if (sink.stats.pending > 0 && !never()) await sink.flush({ timeoutMs: FLUSH_MS });
  if (sink.stats.pending > 0) warn(`the gateway at ${url} did not take how the command ended.`);
  // A request that is still under way must not hold up whoever waits for the command.
  over.abort();
  if (!isWhole) process.exit(code);
  return code;
}

function startFault(command: string, { missing, why }: { readonly missing: boolean; readonly why: string }): string {
  return missing ? `${command}: command not found` : `${command} could not be started: ${why}`;
}

/** Passes an output on byte for byte, no faster than it is read, and has it looked at. Resolves when there is no more of it. */
function follow({ from, to }: CommandOutput, reader: OutputReader): Promise<void> {
  const stream = reader.stream();
  from.on('data', (chunk: Buffer) => stream.push(chunk));
  from.on('error', () => undefined);
  if (to !== undefined) {
    const out = to === 1 ? process.stdout : process.stderr;
    from.pipe(out, { end: false });
    // Whoever reads our output has gone: let the command notice by its own next write.
    out.on('error', () => from.destroy());
  }
  // One that was silent may be over before anybody looks.
  return from.closed ? Promise.resolve() : new Promise((resolve) => from.once('close', () => resolve()));
}
