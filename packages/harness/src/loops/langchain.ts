/**
 * Reports the tools that LangChain runs: a callback handler for `callbacks: [progress]`, on an agent, a chain or one tool.
 * By shape alone; nothing of LangChain is imported.
 *
 * ```ts
 * const progress = createProgressCallbacks({ sink, session: 'chat-1', run: 'turn-7' });
 * const scan = tool(progress.inside(async ({ dir }) => { currentReporter()?.update({ current: 42, total: 100 }); … }), { … });
 * await agent.invoke(input, { callbacks: [progress] });
 * ```
 */
import { isObject } from '../json.ts';
import { oldestBeyond } from '../mcp/oldest.ts';
import { namedAfter } from '../native/named-after.ts';
import { inside } from '../native/observe.ts';
import { abortReason } from '../reporter/failure.ts';
import { createReporter } from '../reporter/reporter.ts';
import { reportThrown } from '../reporter/track.ts';
import type { Patch, Reporter, ReporterOptions } from '../reporter/types.ts';
import { checkOptions } from '../setup.ts';

/** Options of the callbacks: what every invocation is reported with. */
export type ProgressCallbacksOptions = Omit<ReporterOptions, 'id' | 'tool' | 'attempt' | 'current' | 'total' | 'fraction'>;

/** The part of a runnable's configuration that says which call it belongs to. */
export interface RunnableConfigLike {
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
  readonly callbacks?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** A callback handler, and the way from a tool to the reporter of its call. */
export interface ProgressCallbacks {
  readonly name: string;
  /** True: an invocation has begun before its tool runs, and ended before its result is used. */
  readonly awaitHandlers: boolean;
  readonly raiseError: boolean;
  handleChainStart(chain: unknown, inputs: unknown, runId: string, parentRunId?: string): void;
  handleChainEnd(outputs: unknown, runId: string): void;
  handleChainError(error: unknown, runId: string): void;
  handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parentRunId?: string,
    tags?: string[],
    metadata?: Record<string, unknown>,
    runName?: string,
    toolCallId?: string,
  ): void;
  handleToolEvent(chunk: unknown, runId: string): void;
  handleToolEnd(output: unknown, runId: string): void;
  handleToolError(error: unknown, runId: string): void;
  /** The reporter of the call that a tool was handed `config` for; undefined when it did not come through this handler. */
  reporterOf(config: RunnableConfigLike | undefined): Reporter | undefined;
  /** The same tool function, with the reporter of its call as the current one. */
  inside<Args extends readonly unknown[], Output>(fn: (...args: Args) => Output): (...args: Args) => Output;
}

/** Runs that are known at a time; beyond it the oldest are forgotten, which costs a nested call its parent. */
const MAX_RUNS = 10_000;

interface Run {
  /** The nearest tool around this run, itself included. */
  readonly reporter: Reporter | undefined;
  /** The signal the tool was called with, where its function is inside its call. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes the callbacks. Each tool run is one invocation, keyed by the model's tool call id, or by LangChain's run id where
 * there is none; a tool run inside another one, through chains too, gets its parent. A run ends as LangChain says: an answer
 * whose status is `error` fails, an abort cancels (one with a reason of its own is known by the signal, for tools that are
 * `inside`), an interrupt of the graph leaves it `blocked`, and the same call
 * after it is the next attempt. What a streaming tool yields is a message if it is text, and a change if it is an object
 * with amounts or words.
 */
export function createProgressCallbacks(options: ProgressCallbacksOptions): ProgressCallbacks {
  checkOptions('createProgressCallbacks', options, { sink: 'object', session: 'string' });
  const runs = new Map<string, Run>();
  const blocked = new Map<string, Reporter>();
  const remember = <T>(map: Map<string, T>, key: string, value: T): void => {
    map.set(key, value);
    const oldest = oldestBeyond(MAX_RUNS, map);
    if (oldest !== undefined) map.delete(oldest);
  };
  const take = (runId: string): Run | undefined => {
    const run = runs.get(runId);
    runs.delete(runId);
    return run;
  };
  const around = (parentRunId: string | undefined): Reporter | undefined =>
    parentRunId === undefined ? undefined : runs.get(parentRunId)?.reporter;

  const callbacks: ProgressCallbacks = {
    name: 'sitrep_progress',
    awaitHandlers: true,
    raiseError: false,
    handleChainStart(_chain, _inputs, runId, parentRunId) {
      remember(runs, runId, { reporter: around(parentRunId) });
    },
    handleChainEnd: (_outputs, runId) => void runs.delete(runId),
    handleChainError: (_error, runId) => void runs.delete(runId),
    handleToolStart(tool, _input, runId, parentRunId, _tags, _metadata, runName, toolCallId) {
      const id = toolCallId ?? runId;
      const name = runName ?? nameOf(tool);
      const suspended = blocked.get(id);
      blocked.delete(id);
      const parent = options.parent === undefined ? around(parentRunId) : options.parent;
      const reporter = suspended?.retry() ?? createReporter({ title: name, ...options, parent, id, tool: { name, origin: 'native' } });
      remember(runs, runId, { reporter });
    },
    handleToolEvent(chunk, runId) {
      const reporter = runs.get(runId)?.reporter;
      if (typeof chunk === 'string') reporter?.update({ message: chunk });
      else if (isObject(chunk)) reporter?.update({ ...(chunk as Patch), state: undefined });
    },
    handleToolEnd(output, runId) {
      const reporter = take(runId)?.reporter;
      if (reporter === undefined || reporter.ended) return;
      if (isObject(output) && output['status'] === 'error')
        reporter.fail(typeof output['content'] === 'string' ? output['content'] : undefined);
      else reporter.complete();
    },
    handleToolError(error, runId) {
      const { reporter, signal } = take(runId) ?? {};
      if (reporter === undefined || reporter.ended) return;
      if (signal?.aborted === true) reporter.cancel(abortReason(signal.reason));
      else if (isObject(error) && error['name'] === 'GraphInterrupt') {
        reporter.block('question');
        remember(blocked, String(reporter.id), reporter);
      } else reportThrown(reporter, error);
    },
    reporterOf(config) {
      return around(runOf(config));
    },
    inside<Args extends readonly unknown[], Output>(fn: (...args: Args) => Output) {
      function tool(this: unknown, ...args: Args): Output {
        const config = args.find((arg): arg is typeof arg & RunnableConfigLike => isObject(arg) && 'callbacks' in arg);
        const run = runs.get(runOf(config) ?? '');
        if (run?.reporter === undefined) return Reflect.apply(fn, this, args);
        run.signal = config?.signal;
        return inside(run.reporter, () => Reflect.apply(fn, this, args));
      }
      return namedAfter(fn, tool, fn.length);
    },
  };
  return callbacks;
}

/** The run a tool is in: the parent of whatever it would begin. */
function runOf(config: RunnableConfigLike | undefined): string | undefined {
  const manager = config?.callbacks as { getParentRunId?: () => string | undefined } | undefined;
  return typeof manager?.getParentRunId === 'function' ? manager.getParentRunId() : undefined;
}

/** The name of a serialized tool: its own, else the last part of its identifier. */
function nameOf(tool: unknown): string {
  if (!isObject(tool)) return 'tool';
  const { name, id } = tool;
  if (typeof name === 'string' && name !== '') return name;
  const last: unknown = Array.isArray(id) ? id.at(-1) : undefined;
  return typeof last === 'string' && last !== '' ? last : 'tool';
}
