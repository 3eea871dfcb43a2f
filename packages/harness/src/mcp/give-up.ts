import type { Json } from '../json.ts';
import { unchangedMs } from './call-limit.ts';
import type { Reached } from './call-limit.ts';
import type { Token } from './messages.ts';
import type { OpenCall } from './open-call.ts';
import type { McpTimeLimits } from './types.ts';

/** JSON-RPC error of a request that took too long, as the official SDK numbers it. */
const REQUEST_TIMEOUT = -32_001;
/** The same for one whose connection is gone. */
const CONNECTION_CLOSED = -32_000;

const WORDS: Readonly<Record<Reached, (name: string, seconds: number) => string>> = {
  idle: (name, seconds) => `Nothing was heard of ${name} for ${seconds} s; the call was given up.`,
  unchanged: (name, seconds) => `${name} has reported nothing new for ${seconds} s; the call was given up.`,
  total: (name, seconds) => `${name} took longer than ${seconds} s; the call was given up.`,
};

/** What there is to say when a call reaches a limit: to people, to the server, and to the caller. */
export interface GivenUp {
  readonly message: string;
  readonly requestId: Token;
  /** The notice to the server that it may stop. */
  readonly cancelled: Json;
  /** The answer the caller gets in place of the server's. */
  readonly answer: Json;
}

/** The words for a call that reached a limit. */
export function givenUp({ call, envelope }: OpenCall, reached: Reached, limits: McpTimeLimits): GivenUp {
  const { requestId, name } = call;
  const after = { idle: limits.idleMs, unchanged: unchangedMs(limits), total: limits.totalMs }[reached];
  const message = WORDS[reached](name, after / 1000);
  const meta = Object.keys(envelope).length === 0 ? undefined : { _meta: envelope };
  return {
    message,
    requestId,
    cancelled: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: message, ...meta } },
    answer: { jsonrpc: '2.0', id: requestId, error: { code: REQUEST_TIMEOUT, message, data: { limit: reached, ms: after } } },
  };
}

/** What the caller gets for a call whose stream has ended without an answer. */
export function noAnswer({ call: { requestId, name } }: OpenCall): Json {
  const message = `The server ended the stream of ${name} without an answer.`;
  return { jsonrpc: '2.0', id: requestId, error: { code: CONNECTION_CLOSED, message } };
}
