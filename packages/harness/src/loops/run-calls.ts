import { isObject } from '../json.ts';
import { abortReason } from '../reporter/failure.ts';
import { mintId } from '../reporter/ids.ts';
import { onAbort } from '../reporter/on-abort.ts';
import { createReporter } from '../reporter/reporter.ts';
import type { Reporter, ReporterOptions } from '../reporter/types.ts';
import { runTool } from '../native/wrap-tool.ts';

/** One call that a model asks for. */
export interface ToolCall {
  /** The API's identifier of the call, which is the invocation's too. */
  readonly id: string;
  readonly name: string;
  /** What the model gave, parsed. */
  readonly input: unknown;
  /** Why the input could not be read; the tool is not run then, and the model is told. */
  readonly fault?: string | undefined;
}

/** What a tool is told of its call beside the input. */
export interface ToolCallContext {
  readonly callId: string;
  readonly name: string;
  /** Aborts when the loop is to stop. */
  readonly signal: AbortSignal | undefined;
}

/**
 * A tool: what it answers goes to the model. Text as it is, anything else as JSON; of a generator its return value, or
 * without one the last value it gave.
 */
export type ToolFunction = (input: never, context: ToolCallContext, reporter: Reporter) => unknown;

/** Tools by the names the model knows them by. */
export type ToolTable = Readonly<Record<string, ToolFunction>>;

/** Options of running the calls of one answer: what every invocation is reported with, and how they run. */
export interface ToolLoopOptions extends Omit<ReporterOptions, 'id' | 'tool' | 'state' | 'current' | 'total' | 'fraction'> {
  /** False runs one call after the other. Default: all at once. */
  readonly parallel?: boolean | undefined;
  /**
   * Asked before a tool runs, while its invocation is `blocked` on permission. False, or a text that says why, denies it:
   * the tool does not run, and the model is told.
   */
  readonly approve?: ((call: ToolCall) => boolean | string | PromiseLike<boolean | string>) | undefined;
}

/** What became of one call. */
export interface ToolOutcome {
  readonly call: ToolCall;
  /** What the tool answered, or the text for the model that says why there is no answer. */
  readonly value: unknown;
  readonly isError: boolean;
}

/**
 * Runs calls with one reporter each, keyed by the call's id. Answers in the order of the calls. What a tool throws becomes
 * an answer for the model and never rejects; an aborted `signal` rejects with its reason once every tool has settled.
 */
export async function runCalls(calls: readonly ToolCall[], tools: ToolTable, options: ToolLoopOptions): Promise<ToolOutcome[]> {
  checkSetup(tools, options);
  const { parallel = true } = options;
  const outcomes: ToolOutcome[] = [];
  // Two invocations need two ids, whatever the API says.
  const ids = calls.map(({ id }, index) => (id === '' || calls.findIndex((other) => other.id === id) < index ? mintId() : id));
  if (parallel) outcomes.push(...(await Promise.all(calls.map((call, index) => runCall(call, ids[index], tools, options)))));
  else for (const [index, call] of calls.entries()) outcomes.push(await runCall(call, ids[index], tools, options));
  options.signal?.throwIfAborted();
  return outcomes;
}

/** What the author has to mend must not reach the model as an answer it is to act on. */
function checkSetup(tools: ToolTable, options: ToolLoopOptions): void {
  if (!isObject(tools)) throw new TypeError('Tools are needed as { name: (input, context, reporter) => answer }.');
  for (const [name, tool] of Object.entries(tools) as [string, unknown][]) {
    if (typeof tool === 'function') continue;
    const execute = isObject(tool) && typeof tool['execute'] === 'function' ? ` Give its execute: { ${name}: tool.execute }.` : '';
    throw new TypeError(`Tool ${name} must be a function (input, context, reporter) => answer, not ${typeof tool}.${execute}`);
  }
  if (!isObject(options)) throw new TypeError('Options are needed that say where to report: { sink, session }.');
}

async function runCall(call: ToolCall, id: string | undefined, tools: ToolTable, options: ToolLoopOptions): Promise<ToolOutcome> {
  const { parallel: _, approve, ...given } = options;
  const reporter = createReporter({
    title: call.name === '' ? 'tool' : call.name,
    ...given,
    id,
    state: approve === undefined ? 'running' : 'pending',
    ...(call.name === '' ? undefined : { tool: { name: call.name, origin: 'native' } }),
  });
  const refuse = (value: string): ToolOutcome => ({ call, value, isError: true });
  if (reporter.ended) return refuse(`${call.name} was not run: ${abortReason(options.signal?.reason)}.`);
  const tool = Object.hasOwn(tools, call.name) ? tools[call.name] : undefined;
  const fault = tool === undefined ? `There is no tool ${call.name}; there is ${namesOf(tools)}.` : call.fault;
  if (tool === undefined || fault !== undefined) {
    reporter.fail({ message: fault, code: tool === undefined ? 'unknown_tool' : 'invalid_arguments' });
    return refuse(fault ?? '');
  }
  try {
    const denied = approve === undefined ? undefined : await denial(approve, call, reporter);
    if (denied !== undefined) return refuse(denied);
    const context: ToolCallContext = { callId: call.id, name: call.name, signal: reporter.signal };
    const value = await runTool(reporter, (own) => lastOf(tool.call(tools, call.input as never, context, own), own.signal));
    return { call, value, isError: false };
  } catch (error) {
    if (!reporter.ended) reporter.fail(error);
    return refuse(`${call.name} failed: ${messageOf(error)}`);
  }
}

function namesOf(tools: ToolTable): string {
  return Object.keys(tools).join(', ') || 'none';
}

function messageOf(error: unknown): string {
  const message: unknown = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return typeof message === 'string' && message !== '' ? message : 'it did not say why';
}

/** Why the call is not to run, for the model; undefined when it may. */
async function denial(approve: NonNullable<ToolLoopOptions['approve']>, call: ToolCall, reporter: Reporter): Promise<string | undefined> {
  reporter.block('permission');
  const answer = await untilAborted(approve(call), reporter.signal);
  if (reporter.ended) return `${call.name} was not run: ${abortReason(reporter.signal?.reason)}.`;
  if (answer === true) {
    reporter.resume();
    return undefined;
  }
  const why = typeof answer === 'string' && answer !== '' ? answer : undefined;
  reporter.deny('not_approved', why === undefined ? undefined : { message: why });
  return `${call.name} was not run: ${why ?? 'it was not approved'}.`;
}

/** An answer, or nothing once the loop is to stop: nobody answers a question of a turn that was stopped. */
async function untilAborted<T>(answer: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  if (signal === undefined) return answer;
  let unlisten = (): void => {};
  const aborted = new Promise<undefined>((resolve) => {
    unlisten = onAbort(signal, () => resolve(undefined));
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    unlisten();
  }
}

/** The value of a tool, once it is there; of a generator its return value, or the last value it gave. An abort reads no further. */
async function lastOf(output: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const value = await output;
  // A page of results may have a `next` too, and is no generator for it.
  if (!isIterator(value)) return value;
  const iterator = value;
  let last: unknown;
  for (;;) {
    const step = await iterator.next();
    if (step.done === true) return step.value ?? last;
    last = step.value;
    if (signal?.aborted === true) {
      await iterator.return?.();
      throw signal.reason;
    }
  }
}

function isIterator(value: unknown): value is Iterator<unknown> | AsyncIterator<unknown> {
  if (typeof value !== 'object' || value === null || !('next' in value) || typeof value.next !== 'function') return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

/**
 * A call as an API writes it. The arguments are the text a model wrote, nothing at all for a tool without parameters; some
 * servers parse them themselves. A call without an id or a name can still be answered.
 */
export function readCall(id: unknown, name: unknown, args: unknown): ToolCall {
  const call = { id: typeof id === 'string' ? id : '', name: typeof name === 'string' ? name : '' };
  if (args === undefined || args === null || (typeof args === 'string' && args.trim() === '')) return { ...call, input: {} };
  if (typeof args !== 'string') return { ...call, input: args };
  try {
    return { ...call, input: JSON.parse(args) as unknown };
  } catch {
    const fault = `The arguments of ${call.name} are no valid JSON; nothing was run. Send the whole object again.`;
    return { ...call, input: undefined, fault };
  }
}

/** An answer as text: text as it is, nothing as nothing, anything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'The tool answered, but its answer cannot be written as JSON.';
  }
}

/** True for a list of the API's own content parts, which pass as they are. */
export function isContent(value: unknown, types: readonly string[]): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((part: unknown) => typeof part === 'object' && part !== null && 'type' in part && types.includes(part.type as string))
  );
}
