import { isThenable } from '../sink/hand-over.ts';
import { CallObserver } from './observer.ts';
import { requestStream } from './request-stream.ts';
import { checkOptions, kindOf } from '../setup.ts';
import { interceptHandler, interceptMethod } from './transport.ts';
import type { McpTransportLike } from './transport.ts';
import type { McpTapCounts, McpTapOptions } from './types.ts';

export type { McpTransportLike } from './transport.ts';
export type { McpCall, McpProgress, McpTapCounts, McpTapOptions, McpTimeLimits } from './types.ts';

/** How much later than the tap a client may give up, so that the tap comes first, milliseconds. */
const AFTER_US = 1000;

/** A tapped transport. */
export interface McpTap<T> {
  /** The same object that was handed over, for the client to connect to. */
  readonly transport: T;
  readonly counts: McpTapCounts;
  /**
   * Options for a call of the client whose time the tap keeps: a timeout of its own that comes after the tap's. Empty
   * without limits. `client.callTool(params, schema, tap.requestOptions)` with SDK 1.x, without the schema with 2.x.
   */
  readonly requestOptions: { readonly timeout?: number };
  /** Stops observing: open operations end as `interrupted` (`detached`), messages pass on as before. */
  detach(): void;
}

/**
 * Observes an MCP client's transport and reports each tool call as one operation: its progress, and how it ended.
 * Messages are read in wire order as they pass, so progress that arrives in one read with the response is not lost.
 * May be called before or after the client connects.
 *
 * Everything passes on unchanged and in order, with one exception. A call without a progress token gets one (its other
 * `_meta` stays), and what the server sends for that token is kept from the client, which never asked: an SDK would
 * call it an error. Tokens of the caller are left exactly as they are, and their progress passes on.
 *
 * Ends: result → `completed`; result with `isError` → `failed` (`tool_error`); JSON-RPC error → `failed`
 * (`protocol_error`); cancellation sent, or the stream of the request closed (2026-07-28 over HTTP) → `cancelled`; request not
 * sent → `failed` (`send_failed`); a limit reached → `failed` (`timeout`); the stream of the request ended without an answer →
 * `interrupted` (`stream_ended`); transport closed → `interrupted` (`transport_closed`). A call that became a task stays open
 * until the task ends, in either revision, or the server answers a poll that it knows no such task (`interrupted`,
 * `task_unknown`); one the server answers with a question is blocked until the client brings the answer. A server that reports
 * nothing gets no amounts.
 *
 * A server that sends our whole event beside its numbers is taken at its word in what it says of the call: title, texts,
 * amounts, unit, usage, what it waits for, and the operations inside the call, which become children. Never in what names the
 * call here (session, run, id, parent, kind, tool, native, ext). That the call ended only the response says; a response
 * without an error and an event that says `denied` make `denied`.
 *
 * Throws a TypeError when the object is no transport or is frozen, or a limit is no time.
 */
export function tapMcpTransport<T extends McpTransportLike>(transport: T, options: McpTapOptions): McpTap<T> {
  if (typeof transport !== 'object' || transport === null) {
    throw new TypeError(`tapMcpTransport needs the transport of a client, not ${kindOf(transport)}.`);
  }
  checkOptions('tapMcpTransport', options, {});
  let sendOn: (message: unknown) => unknown = () => undefined;
  const observer = new CallObserver(options, {
    send(message) {
      const sent = sendOn(message);
      // A notice that is not taken has nobody to tell: the call it is about is over.
      if (isThenable(sent)) void Promise.resolve(sent).then(undefined, () => {});
    },
    deliver: (message) => transport.onmessage?.(message as never),
  });
  const onClose = (): void => observer.closed('transport_closed');

  interceptMethod(transport, 'send', (send) => (message, ...rest) => {
    sendOn = send;
    const outgoing = observer.outgoing(message);
    const failed = (error: unknown): void => observer.sendFailed(outgoing, error);
    const [sendOptions, ...more] = rest;
    const stream = requestStream(transport, outgoing, sendOptions, () => observer.streamEnded(outgoing));
    if (stream?.signal !== undefined) observer.onStream(outgoing, stream.signal, stream.abort);
    let answer: unknown;
    try {
      answer = stream === undefined ? send(outgoing, ...rest) : send(outgoing, stream.options, ...more);
    } catch (error) {
      failed(error);
      throw error;
    }
    if (isThenable(answer)) void Promise.resolve(answer).then(undefined, failed);
    return answer;
  });
  interceptMethod(transport, 'close', (close) => (...args) => {
    const answer = close(...args);
    void Promise.resolve(answer).then(onClose, onClose);
    return answer;
  });
  interceptHandler(transport, 'onclose', (_, next) => {
    onClose();
    return next();
  });

  // A client may chain the handler it finds in front of its own, so one message can come through twice.
  const delivering = new Set<unknown>();
  interceptHandler(transport, 'onmessage', ([message, ...more], next) => {
    if (delivering.has(message)) return next();
    delivering.add(message);
    let passing: unknown;
    try {
      passing = observer.incoming(message);
      delivering.add(passing);
      return passing === undefined ? undefined : next([passing, ...more]);
    } finally {
      delivering.delete(message);
      delivering.delete(passing);
    }
  });

  const { limits } = options;
  return {
    transport,
    requestOptions: limits === undefined ? {} : { timeout: limits.totalMs + AFTER_US },
    get counts() {
      return observer.counts;
    },
    detach: () => observer.detach(),
  };
}
