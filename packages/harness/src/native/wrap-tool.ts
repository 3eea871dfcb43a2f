import { withReporter } from '../context/current.ts';
import { toFailure } from '../reporter/failure.ts';
import { createReporter } from '../reporter/reporter.ts';
import { reportThrown } from '../reporter/track.ts';
import type { NestedOptions, Reporter } from '../reporter/types.ts';
import { attempt } from '../sink/hand-over.ts';
import { namedAfter } from './named-after.ts';
import { observed } from './observe.ts';
import { kindOf } from '../setup.ts';

/** A tool's function. `context` is whatever the harness hands to its tools; it arrives untouched. */
export type Execute<Input, Context, Output> = (input: Input, context: Context, reporter: Reporter) => Output;

/** The same function without the reporter it has. The context may be left out where the tool takes none. */
export type WrappedTool<Input, Context, Output> = undefined extends Context
  ? (input: Input, context?: Context) => Output
  : (input: Input, context: Context) => Output;

/** What a tool's call is reported as. Say at least where to (`sink`, `session`) and, where there is one, the call's `id`. */
export type ToolReport<Input, Context> = NestedOptions | ((input: Input, context: Context) => NestedOptions);

/**
 * Gives a tool its reporter: as the third argument, and as `currentReporter()` in all it calls. Every call is one
 * invocation, ended by how the call ends; an end that the tool reports itself stands.
 *
 * The call behaves as it did: what is answered at once is answered at once, what is thrown is thrown, a promise settles to
 * the same value or error, and a stream (generator, async iterable, `ReadableStream`, Node stream) gives the same items,
 * the invocation ending with it. A plain promise is a new one, any other answer the same object or one in its place that
 * behaves as it does: class, members and private state. Name and number of parameters are those of `execute`. If `report` throws or names no place, the tool runs unreported under a reporter that goes nowhere. Sink and session may be left out where a reporter is current.
 */
export function wrapTool<Input, Context = undefined, Output = unknown>(
  execute: Execute<Input, Context, Output>,
  report: ToolReport<Input, Context>,
): WrappedTool<Input, Context, Output> {
  if (typeof execute !== 'function') {
    throw new TypeError(`wrapTool needs the function of a tool, (input, context, reporter) => answer, not ${kindOf(execute)}.`);
  }
  if (typeof report !== 'function' && (typeof report !== 'object' || report === null)) {
    throw new TypeError(`wrapTool needs what to report calls as: { sink, session } or a function that answers it, not ${kindOf(report)}.`);
  }
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
  let options: NestedOptions | undefined;
  try {
    options = typeof report === 'function' ? report(input, context) : report;
    return createReporter(options);
  } catch (error) {
    const message = `The tool runs unreported, because its report could not be made: ${toFailure(error).message}`;
    attempt(
      () => options?.onDiagnostic?.({ code: 'invalid', message }),
      () => {},
    );
    return createReporter({ sink: NOWHERE, session: 'unreported', parent: null, signal: null });
  }
}
