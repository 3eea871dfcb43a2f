/** The frames of OpenClaw's gateway, as of 2026.9: requests, answers, events, and errors in its words. */
import { GatewayError } from '../gateway/gateway-error.ts';

/** A request of a client. */
export interface RequestFrame {
  readonly type: 'req';
  readonly id: string;
  readonly method: string;
  readonly params?: unknown;
}

/** Why a request was refused. */
export interface ErrorShape {
  readonly code: 'INVALID_REQUEST' | 'FORBIDDEN' | 'UNAVAILABLE';
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
}

/** A request that was refused, in the shape its sender knows. */
export class RefusedError extends Error {
  readonly shape: ErrorShape;

  constructor(code: ErrorShape['code'], message: string, more: Omit<ErrorShape, 'code' | 'message'> = {}) {
    super(message);
    this.name = 'RefusedError';
    this.shape = { code, message, ...more };
  }
}

const KEYS = new Set(['type', 'id', 'method', 'params', 'traceparent', 'expectedProfileId']);

/** A request, or the id to refuse it under; undefined for a frame that asks for no answer. */
export function readFrame(text: string): RequestFrame | { readonly bad: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { bad: 'invalid' };
  }
  const { type, id, method } = (value ?? {}) as { readonly type?: unknown; readonly id?: unknown; readonly method?: unknown };
  if (type === 'cancel') return undefined;
  const named = typeof id === 'string' && id !== '';
  const whole = type === 'req' && named && typeof method === 'string' && method !== '';
  if (whole && Object.keys(value as object).every((key) => KEYS.has(key))) return value as RequestFrame;
  return { bad: named ? id : 'invalid' };
}

export const answerFrame = (id: string, payload: unknown): string => JSON.stringify({ type: 'res', id, ok: true, payload });
export const errorFrame = (id: string, error: ErrorShape): string => JSON.stringify({ type: 'res', id, ok: false, error });
export const eventFrame = (event: string, payload: unknown, seq?: number): string =>
  JSON.stringify({ type: 'event', event, payload, ...(seq === undefined ? {} : { seq }) });

/** Whatever went wrong, in the words of that gateway. */
export function shapeOf(error: unknown): ErrorShape {
  const { name, message, shape } = error as RefusedError;
  if (name === 'RefusedError') return shape;
  if (name !== 'GatewayError') return { code: 'UNAVAILABLE', message: 'The gateway failed on this request; its log says why.' };
  const { code, retryAfter } = error as GatewayError;
  if (code === 'bad_request') return { code: 'INVALID_REQUEST', message };
  return { code: 'UNAVAILABLE', message, retryable: true, retryAfterMs: (retryAfter ?? 2) * 1_000 };
}
