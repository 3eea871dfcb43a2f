import { isThenable } from '../sink/hand-over.ts';
import { CallObserver } from './observer.ts';
import { interceptHandler, interceptMethod } from './transport.ts';
import type { McpTransportLike } from './transport.ts';
import type { McpTapCounts, McpTapOptions } from './types.ts';

export type { McpTransportLike } from './transport.ts';
export type { McpCall, McpProgress, McpTapCounts, McpTapOptions } from './types.ts';

/** A tapped transport. */
export interface McpTap<T> {
  /** The same object that was handed over, for the client to connect to. */
  readonly transport: T;
  readonly counts: McpTapCounts;
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
 * (`protocol_error`); cancellation sent → `cancelled`; request not sent → `failed` (`send_failed`); transport closed →
 * `interrupted` (`transport_closed`). A call that became a task stays open until the task ends. A server that reports
 * nothing gets no amounts.
 *
 * Throws a TypeError when the object is no transport or is frozen.
 */
export function tapMcpTransport<T extends McpTransportLike>(transport: T, options: McpTapOptions): McpTap<T> {
  const observer = new CallObserver(options);
  const onClose = (): void => observer.closed('transport_closed');

  interceptMethod(transport, 'send', (send) => (message, ...rest) => {
    const outgoing = observer.outgoing(message);
    const failed = (error: unknown): void => observer.sendFailed(outgoing, error);
    let answer: unknown;
    try {
      answer = send(outgoing, ...rest);
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
  interceptHandler(transport, 'onmessage', ([message], next) => {
    if (delivering.has(message)) return next();
    delivering.add(message);
    try {
      return observer.incoming(message) ? next() : undefined;
    } finally {
      delivering.delete(message);
    }
  });

  return {
    transport,
    get counts() {
      return observer.counts;
    },
    detach: () => observer.detach(),
  };
}
