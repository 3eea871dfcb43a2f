import { withReporter } from '../context/current.ts';
import { createReporter } from '../reporter/reporter.ts';
import { reportThrown } from '../reporter/track.ts';
import type { Reporter, ReporterOptions } from '../reporter/types.ts';
import { namedAfter } from './named-after.ts';
import { observed } from './observe.ts';

/** A tool's function. `context` is whatever the harness hands to its tools; it arrives untouched. */
export type Execute<Input, Context, Output> = (input: Input, context: Context, reporter: Reporter) => Output;

/** The same function without the reporter it has. The context may be left out where the tool takes none. */
export type WrappedTool<Input, Context, Output> = undefined extends Context
  ? (input: Input, context?: Context) => Output
  : (input: Input, context: Context) => Output;

/** What a tool's call is reported as. Say at least where to (`sink`, `session`) and, where there is one, the call's `id`. */
export type ToolReport<Input, Context> = ReporterOptions | ((input: Input, context: Context) => ReporterOptions);

/**
 * Gives a tool its reporter: as the third argument, and as `currentReporter()` in all it calls. Every call is one
 * invocation, ended by how the call ends; an end that the tool reports itself stands.
 *
 * The call behaves as it did: what is answered at once is answered at once, what is thrown is thrown, a promise settles to
 * the same value or error, and a stream (generator, async iterable, `ReadableStream`, Node stream) gives the same items,
 * the invocation ending with it. A plain promise is a new one, any other answer the same object or one in its place that
 * behaves as it does: class, members and private state. Name and number of parameters are those of `execute`. If `report` throws, the tool runs unreported under a reporter that goes nowhere.
 */
export function wrapTool<Input, Context = undefined, Output = unknown>(
  execute: Execute<Input, Context, Output>,
  report: ToolReport<Input, Context>,
): WrappedTool<Input, Context, Output> {
  function tool(this: unknown, input: Input, context?: Context): Output {
    const given = context as Context;
    return runTool(reporterOf(report, input, given), (reporter) => execute.call(this, input, given, reporter));
  }
  return namedAfter(execute, tool, 2);
}

/** Runs one call under its reporter; see `wrapTool`. */
export function runTool<Output>(reporter: Reporter, call: (reporter: Reporter) => Output): Output {
  let output: Output;
  try {
    output = withReporter(reporter, () => call(reporter));
  } catch (error) {
    reportThrown(reporter, error);
    throw error;
  }
  return observed(reporter, output);
}

const NOWHERE = { send: () => {}, flush: () => Promise.resolve(), close: () => Promise.resolve() };

function reporterOf<Input, Context>(report: ToolReport<Input, Context>, input: Input, context: Context): Reporter {
  try {
    return createReporter(typeof report === 'function' ? report(input, context) : report);
  } catch {
    return createReporter({ sink: NOWHERE, session: 'unreported', parent: null, signal: null });
  }
}
