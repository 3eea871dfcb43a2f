import { createHttpSink } from '@sitrep/harness/sink';
import { createReporter } from '@sitrep/harness/reporter';
import type { Reporter } from '@sitrep/harness/reporter';
import { cleanLine } from '@sitrep/schema/check';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { sessionNameFault } from '../gateway/session-name.ts';
import { gatewayUrl, idFault, parse } from './arguments.ts';
import { reportEnd, reportSaid } from './command/report.ts';
import { forwardSignals } from './command/signals.ts';
import { startCommand } from './command/start.ts';
import type { CommandOutput } from './command/types.ts';
import { OutputReader } from './output/reader.ts';
import { UsageError } from './usage-error.ts';
import { RUN_USAGE } from './usage.ts';

/** Milliseconds between two updates; the newest line is never lost. */
const THROTTLE_MS = 200;
/** Milliseconds the end of the command waits for the gateway to take the last events: in any case, and if it seems to be there. */
const FIRST_FLUSH_MS = 400;
const FLUSH_MS = 2_500;
/** Milliseconds after which a gateway that does not answer counts as not there. */
const REQUEST_MS = 3_000;

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
  const code = await runCommand(command, rest, reporter, (event) => sink.send(event), values.inherit ?? false);
  await sink.flush({ timeoutMs: FIRST_FLUSH_MS });
  // A gateway that was never there is not worth a longer wait.
  if (sink.stats.pending > 0 && (sink.stats.acknowledged > 0 || !warned)) await sink.flush({ timeoutMs: FLUSH_MS });
  if (sink.stats.pending > 0) warn(`the gateway at ${url} did not take how the command ended.`);
  // A request that is still under way must not hold up whoever waits for the command.
  over.abort();
  return code;
}

/** Runs the command and reports how it goes and ends. Never rejects. */
async function runCommand(
  command: string,
  args: readonly string[],
  reporter: Reporter,
  emit: (event: ProgressEvent) => void,
  inherit: boolean,
): Promise<number> {
  const running = await startCommand(command, args, { inherit });
  const forwarding = forwardSignals(running.kill, running.inTerminal);
  const reader = new OutputReader([command, ...args], (said) => reportSaid(reporter, said), {
    place: { session: reporter.session, id: reporter.id },
    emit,
  });
  const passed = running.outputs.map((output) => follow(output, reader));
  const ended = await running.ended;
  await Promise.all(passed);
  reader.look(true);
  forwarding.end();
  if (!('why' in ended)) return reportEnd(reporter, ended, forwarding.stop);
  const why = ended.missing ? `${command}: command not found` : `${command} could not be started: ${ended.why}`;
  process.stderr.write(`sitrep: ${why}\n`);
  return reportEnd(reporter, { ...ended, why }, undefined);
}

/** Passes an output on byte for byte, no faster than it is read, and has it looked at. Resolves when there is no more of it. */
function follow({ from, to }: CommandOutput, reader: OutputReader): Promise<void> {
  const stream = reader.stream();
  if (to) {
    from.pipe(to, { end: false });
    // Whoever reads our output has gone: let the command notice by its own next write.
    to.on('error', () => from.destroy());
  }
  from.on('data', (chunk: Buffer) => stream.push(chunk));
  from.on('error', () => undefined);
  return new Promise((resolve) => from.once('close', resolve));
}
