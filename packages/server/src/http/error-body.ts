import type { Issue } from '@sitrep/schema/check';
import type { GatewayErrorCode } from '../gateway/gateway-error.ts';

/** The status every code is answered with. */
export const STATUS = {
  bad_json: 400,
  bad_request: 400,
  unknown_dialect: 400,
  too_many_events: 400,
  invalid_token: 401,
  token_expired: 401,
  unauthorized: 401,
  forbidden: 403,
  forbidden_host: 403,
  forbidden_origin: 403,
  not_found: 404,
  push_off: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  no_producer: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  invalid_card: 422,
  too_many_requests: 429,
  too_many_streams: 429,
  too_many_subscriptions: 429,
  upgrade_required: 426,
  headers_too_large: 431,
  internal: 500,
  busy: 503,
  closed: 503,
  in_doubt: 503,
  store_failed: 503,
  store_read_only: 503,
  too_many_clients: 503,
  store_full: 507,
  unavailable: 503,
} as const satisfies Record<GatewayErrorCode, number>;

/** Body of every answer that is not a success. */
export interface ErrorBody {
  readonly error: { readonly code: GatewayErrorCode | 'conflict'; readonly message: string };
  readonly issues?: readonly Issue[];
}

export function errorBody(code: ErrorBody['error']['code'], message: string, issues?: readonly Issue[]): ErrorBody {
  return { error: { code, message }, ...(issues ? { issues } : {}) };
}
