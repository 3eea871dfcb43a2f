/** JSON-RPC as it passes over an MCP transport, read by shape: nothing of an SDK is needed, and nothing is trusted. */

import { isObject } from '../json.ts';
import type { Json } from '../json.ts';

/** A request id or a progress token. Its JSON type counts: 7 is not "7", and 0 is a token like any other. */
export type Token = string | number;
/** The value as a token, or undefined when it is none. */
export function asToken(value: unknown): Token | undefined {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)) ? value : undefined;
}

/** The object under `key`, or an empty one. */
export function objectAt(value: unknown, key: string): Json {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

/** The text under `key`, unless it is blank. */
export function textAt(value: unknown, key: string): string | undefined {
  const inner = isObject(value) ? value[key] : undefined;
  return typeof inner === 'string' && inner.trim() !== '' ? inner : undefined;
}

/** A request: it has a method and wants an answer. */
export function isRequest(message: unknown): message is Json & { readonly method: string; readonly id: Token } {
  return isObject(message) && typeof message['method'] === 'string' && asToken(message['id']) !== undefined;
}

/** A notification: it has a method and wants none. */
export function isNotification(message: unknown): message is Json & { readonly method: string } {
  return isObject(message) && typeof message['method'] === 'string' && message['id'] === undefined;
}

/** An answer to a request, good or bad. */
export function isResponse(message: unknown): message is Json & { readonly id: Token } {
  return (
    isObject(message) &&
    message['method'] === undefined &&
    asToken(message['id']) !== undefined &&
    ('result' in message || 'error' in message)
  );
}

/** An answer that says no. Some servers write `error: null` beside a result: that says nothing. */
export function isFailure(response: Json): boolean {
  return isObject(response['error']) || response['result'] === undefined;
}

/** JSON-RPC's code for parameters that are of no use; what a server answers a poll for a task it does not know, or no longer. */
const INVALID_PARAMS = -32_602;

/** True for the answer to a poll that there is no such task. */
export function isUnknownTask(response: Json): boolean {
  return isFailure(response) && objectAt(response, 'error')['code'] === INVALID_PARAMS;
}

/** The first text of a tool result, for people: what an `isError` result says went wrong. */
export function firstText(result: Json): string | undefined {
  const content = result['content'];
  if (!Array.isArray(content)) return undefined;
  for (const block of content as unknown[]) {
    if (isObject(block) && block['type'] === 'text') return textAt(block, 'text');
  }
  return undefined;
}

/** A result of a kind a later revision has added: whatever it is, it is not known to be success. */
export function isUnknownResult(result: Json): boolean {
  const type = result['resultType'];
  return typeof type === 'string' && type !== 'complete';
}

const ENVELOPE = 'io.modelcontextprotocol/';

/** What the protocol itself keeps in `_meta`: members it has named, which go with every message of a connection. */
export function envelopeOf(meta: Json): Json {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => key.startsWith(ENVELOPE)));
}

/** The server, as its results name it since 2026-07-28. */
export function serverOf(result: Json): Json {
  return objectAt(objectAt(result, '_meta'), `${ENVELOPE}serverInfo`);
}
