import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import { wordTable } from '../word-table.ts';

/** What of an ACP connection says something about the session, told apart by its own words. */
export type AcpMessageKind =
  'update' | 'permission' | 'question' | 'prompt' | 'load' | 'cancel' | 'cancel-call' | 'cancel-request' | 'result' | 'error' | 'other';

/** One message, unwrapped. */
export interface AcpMessage {
  readonly kind: AcpMessageKind;
  /** What it says: the update, the parameters, the result or the error. */
  readonly body: Record<string, unknown>;
  /** Place of the body within the frame. */
  readonly path: string;
  /** The session it names. */
  readonly sessionId: string | undefined;
  /** The request it makes or answers. */
  readonly rpc: string | number | undefined;
}

const METHODS: Readonly<Record<string, AcpMessageKind>> = wordTable({
  'session/request_permission': 'permission',
  'elicitation/create': 'question',
  'session/prompt': 'prompt',
  'session/cancel': 'cancel',
  'session/load': 'load',
  'tool_call/cancel': 'cancel-call',
  '$/cancel_request': 'cancel-request',
});

/** The code of an error that says: the request was given up, as its sender wanted. */
const REQUEST_CANCELLED = -32_800;

/** True for the error of a request its sender has taken back. */
export function isTakenBack({ code }: Record<string, unknown>): boolean {
  return code === REQUEST_CANCELLED;
}

const NOTHING: Record<string, unknown> = Object.freeze({});

/**
 * Unwraps a message: a JSON-RPC request, notification or response, the parameters alone as the SDKs hand them to a handler,
 * or an update alone. Undefined when it is none of these.
 */
export function readMessage(frame: unknown): AcpMessage | undefined {
  if (!isObject(frame)) return undefined;
  const { method, params, id, result, error } = frame;
  const rpc = readRpc(id);
  if (typeof method === 'string') {
    const body = isObject(params) ? params : NOTHING;
    if (method === 'session/update') return isObject(params) ? updateIn(params, '/params') : undefined;
    return { kind: METHODS[method] ?? 'other', body, path: '/params', sessionId: readSessionId(body), rpc };
  }
  if (typeof frame['sessionUpdate'] === 'string') return { kind: 'update', body: frame, path: '', sessionId: undefined, rpc: undefined };
  if (isObject(frame['update'])) return updateIn(frame, '');
  if (frame['jsonrpc'] === '2.0' && rpc !== undefined) {
    if (isObject(error)) return { kind: 'error', body: error, path: '/error', sessionId: undefined, rpc };
    return { kind: 'result', body: isObject(result) ? result : NOTHING, path: '/result', sessionId: undefined, rpc };
  }
  return bare(frame);
}

/** True for the request that opens a connection, or its answer, of this version of the protocol: the versions of others are no numbers. */
export function opens(frame: unknown, version: number): boolean {
  if (!isObject(frame)) return false;
  const { method, params, result } = frame;
  if (method === 'initialize') return isObject(params) && params['protocolVersion'] === version;
  return frame['jsonrpc'] === '2.0' && isObject(result) && result['protocolVersion'] === version;
}

function updateIn(params: Record<string, unknown>, path: string): AcpMessage | undefined {
  const { update } = params;
  if (!isObject(update) || typeof update['sessionUpdate'] !== 'string') return undefined;
  return { kind: 'update', body: update, path: `${path}/update`, sessionId: readSessionId(params), rpc: undefined };
}

/** Parameters and results without their envelope, where they cannot be anything else. */
function bare(frame: Record<string, unknown>): AcpMessage | undefined {
  const { sessionId, options, prompt, stopReason, outcome } = frame;
  const at = { body: frame, path: '', sessionId: readSessionId(frame), rpc: undefined };
  if (typeof sessionId === 'string' && Array.isArray(options)) return { ...at, kind: 'permission' };
  if (typeof sessionId === 'string' && Array.isArray(prompt)) return { ...at, kind: 'prompt' };
  if (typeof stopReason === 'string') return { ...at, kind: 'result' };
  return isObject(outcome) && typeof outcome['outcome'] === 'string' ? { ...at, kind: 'result' } : undefined;
}

/** The number of a request: any text or number, as it came. */
function readRpc(id: unknown): string | number | undefined {
  return isText(id, 0, LIMITS.id) || (typeof id === 'number' && Number.isFinite(id)) ? id : undefined;
}

/** A name that is longer than any of ours is of no session. */
function readSessionId({ sessionId }: Record<string, unknown>): string | undefined {
  return isText(sessionId, 0, LIMITS.id) ? sessionId : undefined;
}
