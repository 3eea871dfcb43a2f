import { readHookInput } from './hook/input.ts';
import { slimClaudeInput } from './hook/slim.ts';
import type { HookMessage } from './hook/slim.ts';
import { postQuietly } from './hook/post.ts';
import { HOOK_USAGE } from './usage.ts';

/**
 * Milliseconds the whole may take, the start of the program included: the agent waits for its hooks. What it takes to end is
 * the rest of the 1.5 seconds that are promised.
 */
const DEADLINE_MS = 1_350;

/**
 * `sitrep hook <harness>`: forwards what a harness tells its hook. Answers 0 whatever became of it, so that no agent is held
 * up or turned back by a gateway that is not there; 1 when the command line itself is wrong, never 2, which Claude Code takes
 * for "do not do that". Writes nothing to standard output, which harnesses hand to the model.
 *
 * Arguments are read by hand: this runs before and after every tool call, and parsing them would take longer than the rest.
 */
export async function hook(args: string[]): Promise<number> {
  const options = optionsOf(args);
  if (options === undefined) {
    process.stderr.write(`sitrep hook: the command line must be: sitrep hook claude|codex [options]\n${HOOK_USAGE}`);
    return 1;
  }
  if (options.help) {
    process.stdout.write(HOOK_USAGE);
    return 0;
  }
  const say = (message: string): void => {
    if (options.verbose) process.stderr.write(`sitrep hook: ${message}\n`);
  };
  const deadline = Math.round(performance.timeOrigin) + DEADLINE_MS;
  const read = options.json === undefined ? await readHookInput(process.stdin, deadline) : { value: options.json };
  if ('why' in read) {
    say(`the input ${read.why}; nothing was sent.`);
    return 0;
  }
  const input = read.value;
  const message = options.harness === 'claude' ? slimClaudeInput(input) : codexNotice(input);
  if (message === undefined) {
    say(`the input is none that ${options.harness} gives its hooks; nothing was sent.`);
    return 0;
  }
  const session = options.session ?? (process.env['SITREP_SESSION'] || message.session);
  const url = options.url ?? (process.env['SITREP_URL'] || 'http://127.0.0.1:4747');
  const path = `${url.replace(/\/+$/, '')}/v1/sessions/${encodeURIComponent(session.replace(/\p{Surrogate}/gu, '\uFFFD'))}/events${message.dialect === undefined ? '' : `?dialect=${message.dialect}`}`;
  say(await postQuietly(path, message.body, deadline));
  return 0;
}

interface HookOptions {
  readonly harness: 'claude' | 'codex';
  readonly json?: unknown;
  readonly url?: string | undefined;
  readonly session?: string | undefined;
  readonly verbose: boolean;
  readonly help: boolean;
}

function optionsOf(args: readonly string[]): HookOptions | undefined {
  const values: { url?: string; session?: string } = {};
  let harness: string | undefined;
  let json: unknown;
  let verbose = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg === '--help' || arg === '-h') return { harness: 'claude', verbose, help: true };
    if (arg === '--verbose') verbose = true;
    else if (arg === '--url' || arg === '--session') {
      const value = args[(index += 1)];
      if (value === undefined || value === '') return undefined;
      values[arg === '--url' ? 'url' : 'session'] = value;
    } else if (harness === undefined && (arg === 'claude' || arg === 'codex')) harness = arg;
    // Codex gives its notice as the last argument.
    else if (harness === 'codex' && json === undefined && arg.startsWith('{')) json = parsed(arg);
    else return undefined;
  }
  if (harness !== 'claude' && harness !== 'codex') return undefined;
  return { harness, json, ...values, verbose, help: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The notice of `notify`: a turn of Codex is over. How, it does not say; that it is, is something. */
function codexNotice(input: unknown): HookMessage | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  // Hooks of Codex are given the same as those of Claude Code.
  if ('hook_event_name' in input) return slimClaudeInput(input);
  const { type, 'thread-id': thread, 'turn-id': turn } = input as Record<string, unknown>;
  if (type !== 'agent-turn-complete' || typeof thread !== 'string' || typeof turn !== 'string') return undefined;
  return { session: thread, body: { type: 'run', run: turn, state: 'completed' } };
}
