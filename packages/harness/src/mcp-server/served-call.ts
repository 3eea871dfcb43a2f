import { isObject } from '../json.ts';
import { asToken, objectAt } from '../mcp/messages.ts';
import type { Token } from '../mcp/messages.ts';
import { isSignal } from '../reporter/on-abort.ts';

/** What the handler's last argument tells of the request, in either generation of the official SDK. */
export interface McpServedCall {
  /** The request's id. */
  readonly requestId: Token | undefined;
  /** The token the caller wants its progress under; undefined when it wants none. 0 and the empty text are tokens. */
  readonly progressToken: Token | undefined;
  /** The session of the transport, where it has one. */
  readonly sessionId: string | undefined;
  /** The request's `_meta`, as it came. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal | undefined;
}

/** Sends one notification about the request. */
export type Notify = (notification: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }) => unknown;

/**
 * Reads `extra` of `@modelcontextprotocol/sdk` 1.x (`{requestId, sendNotification, signal, sessionId, _meta}`) or `ctx` of
 * `@modelcontextprotocol/server` 2.x (`{sessionId, mcpReq: {id, notify, signal, _meta}}`). Anything else is a call nobody
 * can be told of.
 */
export function servedCall(extra: unknown): { readonly call: McpServedCall; readonly notify: Notify | undefined } {
  const outer = isObject(extra) ? extra : {};
  const isNew = isObject(outer['mcpReq']);
  const request = isNew ? objectAt(outer, 'mcpReq') : outer;
  const meta = objectAt(request, '_meta');
  const { sessionId } = outer;
  const notify = isNew ? request['notify'] : request['sendNotification'];
  return {
    call: {
      requestId: asToken(isNew ? request['id'] : request['requestId']),
      progressToken: asToken(meta['progressToken']),
      sessionId: typeof sessionId === 'string' ? sessionId : undefined,
      meta,
      signal: isSignal(request['signal']) ? request['signal'] : undefined,
    },
    notify: typeof notify === 'function' ? (notification) => Reflect.apply(notify, request, [notification]) as unknown : undefined,
  };
}
