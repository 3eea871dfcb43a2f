/**
 * Reports the tools that the AI SDK runs, and writes what is reported into its UI message stream. By shape alone; nothing of
 * the AI SDK is imported.
 *
 * ```ts
 * const tools = wrapToolSet({ scan: tool({ inputSchema, execute: async ({ dir }, options) => {
 *   reporterOf(options)?.update({ current: 42, total: 100 }); … } }) }, { sink, session: 'chat-1', run: messageId });
 * const stream = createUIMessageStream({ execute: ({ writer }) => {
 *   const sink = createMessageSink(writer, 'chat-1'); … } });
 * ```
 */
import { aiSdk } from '@sitrep/schema/dialect/ai-sdk';
import { LIMITS } from '@sitrep/schema';
import { checkEvent, truncate } from '@sitrep/schema/check';
import { createEncoder } from '@sitrep/schema/translate';
import type { Failure, OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import { isObject } from '../json.ts';
import { inPlaceOf } from '../native/in-place-of.ts';
import { namedAfter } from '../native/named-after.ts';
import { wrapTool } from '../native/wrap-tool.ts';
import { toFailure } from '../reporter/failure.ts';
import type { Reporter, ReporterOptions } from '../reporter/types.ts';
import { createCallbackSink } from '../sink/callback.ts';
import type { CallbackSinkOptions } from '../sink/callback.ts';
import { handOver, isThenable } from '../sink/hand-over.ts';
import type { Sink } from '../sink/sink.ts';

/** What a tool's function is called with, beside its input. */
export interface ToolCallLike {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
  readonly messages?: unknown;
}

/** What every call is reported with. The call's own id, its tool and its abort signal are added. */
export type ToolSetReport = Omit<ReporterOptions, 'id' | 'tool' | 'attempt' | 'signal' | 'state'>;

type AnyFunction = (this: unknown, input: unknown, options: ToolCallLike) => unknown;

const reporters = new WeakMap<object, Reporter>();

/** The reporter of the call whose options a tool was handed; undefined for any other object. `currentReporter()` is the same where async context is. */
export function reporterOf(options: object): Reporter | undefined {
  return reporters.get(options);
}

/**
 * The same tools, each call of which is reported under its `toolCallId`. Results, preliminary results of a generator, errors
 * and aborts are what they were, also when the sink throws or never answers. A call that needs an approval is `blocked` until
 * it runs; one that was refused never does: see `reportDenied`. Tools that the client or the provider runs stay as they are.
 * With the id of the message as `run`, a reader of the stream takes what its chunks say of a call for the same operation.
 */
export function wrapToolSet<Tools extends Readonly<Record<string, object>>>(tools: Tools, report: ToolSetReport): Tools {
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, wrapped(name, tool, report)])) as unknown as Tools;
}

function wrapped(name: string, tool: object, report: ToolSetReport): object {
  const { execute, needsApproval, title } = tool as { execute?: unknown; needsApproval?: unknown; title?: unknown };
  if (typeof execute !== 'function') return tool;
  const named = { title: typeof title === 'string' && title !== '' ? title : name, tool: { name, origin: 'native' } };
  const reported = wrapTool<unknown, ToolCallLike, unknown>(
    (input, options, reporter) => {
      if (typeof options === 'object' && options !== null) reporters.set(options, reporter);
      return (execute as AnyFunction).call(tool, input, options);
    },
    (_, { toolCallId, abortSignal }) => ({ ...named, ...report, tool: named.tool, id: toolCallId, signal: abortSignal ?? null }),
  );
  const asks = needsApproval === undefined || needsApproval === false ? undefined : asking(tool, needsApproval, named, report);
  const members = {
    execute: namedAfter(execute as AnyFunction, reported, 2),
    ...(asks === undefined ? undefined : { needsApproval: asks }),
  };
  // A tool of a class keeps its accessors and methods, which a copy would not have.
  return Object.getPrototypeOf(tool) === Object.prototype ? { ...tool, ...members } : inPlaceOf(tool, members);
}

/** The same answer, and a call that has to wait for an approval nobody gave yet is blocked. */
function asking(tool: object, needsApproval: unknown, named: Partial<OperationEvent>, report: ToolSetReport): AnyFunction {
  const told = (isNeeded: unknown, options: ToolCallLike): void => {
    if (isNeeded !== true || answersIn(options.messages).has(options.toolCallId)) return;
    send(report, options.toolCallId, { ...named, state: 'blocked', blockedOn: { kind: 'permission' } });
  };
  return (input, options) => {
    const answer: unknown = typeof needsApproval === 'function' ? (needsApproval as AnyFunction).call(tool, input, options) : needsApproval;
    if (!isThenable(answer)) {
      told(answer, options);
      return answer;
    }
    return Promise.resolve(answer).then((isNeeded) => {
      told(isNeeded, options);
      return isNeeded;
    });
  };
}

/** How many messages are looked through for answers, the newest first. */
const MAX_MESSAGES = 200;

interface Approval {
  readonly approved: boolean;
  readonly reason: string | undefined;
}

/**
 * Reports the calls among `messages` (model messages or UI messages, as they are handed to `streamText`) that a person did not
 * allow: such a call is never run, so nobody else can say that it ended. Answers their ids.
 */
export function reportDenied(messages: unknown, report: ToolSetReport): string[] {
  const denied = [...answersIn(messages)].filter(([, { approved }]) => !approved);
  for (const [id, { reason }] of denied) {
    send(report, id, { state: 'denied', ...(reason === undefined ? undefined : { error: toFailure(reason) }) });
  }
  return denied.map(([id]) => id);
}

/** The answers to requests for approval, by the call they are about. What cannot be read is no answer. */
function answersIn(messages: unknown): Map<string, Approval> {
  const answers = new Map<string, Approval>();
  const calls = new Map<unknown, string>();
  for (const message of Array.isArray(messages) ? messages.slice(-MAX_MESSAGES) : []) {
    try {
      const parts: unknown = isObject(message) ? (message['parts'] ?? message['content']) : undefined;
      for (const part of Array.isArray(parts) ? parts : []) if (isObject(part)) readAnswer(part, calls, answers);
    } catch {
      // A message that throws when it is read says nothing.
    }
  }
  return answers;
}

function readAnswer(part: Record<string, unknown>, calls: Map<unknown, string>, answers: Map<string, Approval>): void {
  const { type, toolCallId, approvalId, approval } = part;
  if (type === 'tool-approval-request' && typeof toolCallId === 'string') calls.set(approvalId, toolCallId);
  const id = type === 'tool-approval-response' ? calls.get(approvalId) : isObject(approval) ? toolCallId : undefined;
  const { approved, reason } = isObject(approval) ? approval : part;
  if (typeof id !== 'string' || typeof approved !== 'boolean') return;
  answers.set(id, { approved, reason: typeof reason === 'string' && reason !== '' ? reason : undefined });
}

/** One event outside of a call: without a sequence, because the call may run in another process, which numbers its own. */
function send(report: ToolSetReport, id: string, said: Partial<OperationEvent>): void {
  const { sink, session, run, clock } = report;
  const head = { type: 'operation', session, id, ...(run === undefined ? undefined : { run }), at: (clock ?? systemClock).now() };
  const checked = checkEvent({ ...head, ...said });
  if (checked.ok) handOver(sink, checked.value, () => {});
}

/** As much of a UI message stream's writer as is needed. */
export interface MessageWriterLike {
  write(part: { readonly type: `data-${string}`; readonly id: string; readonly data: unknown }): void;
}

/** Options of a sink that writes into a UI message stream. */
export interface MessageSinkOptions extends CallbackSinkOptions {
  /**
   * What the page may know of the error of a tool, as `onError` of `toUIMessageStream` says it for the AI SDK's own chunks.
   * Default: `An error occurred.`, and no code. What a person said when they refused a call always goes out.
   */
  readonly onError?: ((error: Failure) => string) | undefined;
}

/** The same event with only as much of its errors as the page may know. */
function masked(event: ProgressEvent, onError: MessageSinkOptions['onError']): ProgressEvent {
  if (event.type !== 'operation' || event.error === undefined || event.error === null || event.state === 'denied') return event;
  if (onError === undefined) return { ...event, error: { message: 'An error occurred.' } };
  return { ...event, error: { ...event.error, message: truncate(onError(event.error), LIMITS.message) } };
}

/**
 * A sink that writes the events of one session into a UI message stream, as data parts `data-sitrep` that replace themselves:
 * the message always holds the newest of every call, of the card and of the run. What came too late is not written.
 * What went wrong in a tool is told as the AI SDK tells it: not at all, unless `onError` says so.
 */
export function createMessageSink(writer: MessageWriterLike, session: string, options: MessageSinkOptions = {}): Sink & AsyncDisposable {
  const encoder = createEncoder(aiSdk, session);
  return createCallbackSink((event) => {
    for (const { type, id, data } of encoder.encode(masked(event, options.onError))) {
      // What the AI SDK itself said of a call stands in the stream already.
      if (type.startsWith('data-')) writer.write({ type: type as `data-${string}`, id: String(id), data });
    }
  }, options);
}
