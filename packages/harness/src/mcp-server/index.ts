import type { OperationEvent } from '@sitrep/schema/wire';
import { withReporter } from '../context/current.ts';
import { tell } from '../diagnostic.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { isObject } from '../json.ts';
import { firstText } from '../mcp/messages.ts';
import { questionOf } from '../mcp/question.ts';
import { createReporter } from '../reporter/reporter.ts';
import { namedAfter } from '../native/named-after.ts';
import { reportThrown } from '../reporter/track.ts';
import type { Reporter, ReporterOptions } from '../reporter/types.ts';
import { toFailure } from '../reporter/failure.ts';
import { handOver } from '../sink/hand-over.ts';
import type { Failed } from '../sink/hand-over.ts';
import type { Sink } from '../sink/sink.ts';
import { CallerSink } from './caller-sink.ts';
import { servedCall } from './served-call.ts';
import type { McpServedCall } from './served-call.ts';
import { kindOf } from '../setup.ts';

export type { McpServedCall } from './served-call.ts';

/** What a served call is reported as, beside to its caller. Most options of a reporter may be set too. */
export interface McpToolReport extends Omit<ReporterOptions, 'sink' | 'session' | 'signal' | 'state'> {
  /** Another place the events go, a gateway for example. Needs no token. */
  readonly sink?: Sink | undefined;
  /** The session the events belong to there. Default: the transport's session, else `mcp`. The caller puts them into its own. */
  readonly session?: string | undefined;
}

/** The same for every call, or decided for each. */
export type McpToolOptions = McpToolReport | ((call: McpServedCall) => McpToolReport);

/** A tool handler as it was, with a reporter as one more, last argument. */
export type ReportingHandler<Params extends readonly unknown[], Result> = (
  ...params: [...Params, Reporter]
) => Result | PromiseLike<Result>;

/**
 * Gives the handler of an MCP tool its reporter, as the last argument and as `currentReporter()` in all it calls. Works with
 * `registerTool` of `@modelcontextprotocol/sdk` 1.x and of `@modelcontextprotocol/server` 2.x, with or without arguments (a
 * handler without any has to name the types of its parameters).
 *
 * What is reported goes to the caller as `notifications/progress`, if it gave a token and only then: rising values for every
 * client, and our whole event in `_meta` for those who know it (the tap of this package does), with the operations inside the
 * call. A tool that reports nothing causes no notification. What the caller cancels ends as `cancelled`.
 *
 * Result and errors pass unchanged. A result with `isError` ends as `failed` (`tool_error`). A result that asks for input ends
 * this request but not the work: where the host gives the call an `id` of its own it stays blocked, for the next request of
 * the same call to go on with (a higher `attempt`); else it ends as `interrupted` (`input_required`).
 */
export function wrapMcpTool<Params extends readonly unknown[], Result>(
  handler: ReportingHandler<Params, Result>,
  options: McpToolOptions = {},
): (...params: Params) => Promise<Result> {
  if (typeof handler !== 'function') {
    throw new TypeError(`wrapMcpTool needs the handler of a tool, (args, extra, reporter) => result, not ${kindOf(handler)}.`);
  }
  async function tool(this: unknown, ...params: Params): Promise<Result> {
    const { call, notify } = servedCall(params.at(-1));
    const report = reportFor(options, call);
    const { sink, session, onDiagnostic, ...rest } = report;
    const failed = (): void =>
      tell(onDiagnostic, { code: 'notify_failed', message: 'A progress notification could not be sent; the tool goes on without it.' });
    const caller = call.progressToken === undefined || notify === undefined ? undefined : new CallerSink(call, notify, failed);
    const reporter = createReporter({
      parent: null,
      ...rest,
      onDiagnostic,
      sink: both(caller, sink, (error) => tell(onDiagnostic, sinkFailed(error))),
      session: session ?? call.sessionId ?? 'mcp',
      signal: call.signal ?? null,
    });
    try {
      const result = await withReporter(
        reporter,
        () => Reflect.apply(handler, this, [...params, reporter]) as Result | PromiseLike<Result>,
      );
      if (caller !== undefined) caller.leftToResponse = !reporter.ended;
      endWith(reporter, () => endOf(result), caller, rest.id !== undefined);
      return result;
    } catch (error) {
      if (caller !== undefined) caller.leftToResponse = !reporter.ended;
      reportThrown(reporter, error);
      throw error;
    } finally {
      void caller?.close();
    }
  }
  return namedAfter(handler, tool, 0);
}

function sinkFailed(error: unknown): Diagnostic {
  return { code: 'sink_failed', message: `The sink failed to take an event (${toFailure(error).message}); the tool goes on without it.` };
}

/** Options are the host's code: if they throw, the tool runs all the same. */
function reportFor(options: McpToolOptions, call: McpServedCall): McpToolReport {
  try {
    const report: McpToolReport | undefined | null = typeof options === 'function' ? options(call) : options;
    return report ?? {};
  } catch {
    return {};
  }
}

/** What a result says of the end. */
interface End {
  readonly question?: OperationEvent | undefined;
  readonly error?: string | undefined;
}

function endOf(result: unknown): End {
  if (!isObject(result)) return {};
  const question = questionOf(result, 0);
  if (question !== undefined || result['isError'] !== true) return { question };
  return { error: firstText(result) ?? 'The tool reported an error.' };
}

/** Ends the invocation as its result says, unless the tool has named an end itself. A result that cannot be read is one all the same. */
function endWith(reporter: Reporter, read: () => End, caller: CallerSink | undefined, goesOn: boolean): void {
  if (reporter.ended) return;
  let end: End = {};
  try {
    end = read();
  } catch {
    // The tool's result is the SDK's to judge.
  }
  const { question, error } = end;
  if (question !== undefined) {
    // The caller has the question itself.
    void caller?.close();
    if (!goesOn) reporter.interrupt('input_required');
    else if (question.state === 'waiting') reporter.wait(question.waitingOn ?? {});
    else reporter.block(question.blockedOn ?? 'question');
  } else if (error === undefined) reporter.complete();
  else reporter.fail(error, { reason: 'tool_error' });
}

/** One sink of two, of which each gets every event whatever the other does. */
function both(one: Sink | undefined, other: Sink | undefined, failed: Failed): Sink {
  const sinks = [one, other].filter((sink) => sink !== undefined);
  return {
    send(event) {
      for (const sink of sinks) handOver(sink, event, failed);
    },
    flush: async () => void (await Promise.all(sinks.map((sink) => sink.flush()))),
    close: async () => void (await Promise.all(sinks.map((sink) => sink.close()))),
  };
}
