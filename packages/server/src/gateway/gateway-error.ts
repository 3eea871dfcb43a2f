/** Why a request as a whole was refused. Every code has one HTTP status. */
export type GatewayErrorCode =
  | 'bad_json'
  | 'bad_request'
  | 'busy'
  | 'closed'
  | 'forbidden'
  | 'forbidden_host'
  | 'forbidden_origin'
  | 'headers_too_large'
  | 'idempotency_key_reused'
  | 'in_doubt'
  | 'internal'
  | 'invalid_card'
  | 'invalid_token'
  | 'method_not_allowed'
  | 'no_producer'
  | 'not_found'
  | 'payload_too_large'
  | 'push_off'
  | 'request_timeout'
  | 'store_failed'
  | 'store_full'
  | 'store_read_only'
  | 'token_expired'
  | 'too_many_clients'
  | 'too_many_events'
  | 'too_many_requests'
  | 'too_many_streams'
  | 'too_many_subscriptions'
  | 'unauthorized'
  | 'unavailable'
  | 'unknown_dialect'
  | 'unsupported_media_type'
  | 'upgrade_required';

/** A request that was refused as a whole: nothing of it was stored. Of `in_doubt` alone that is not known. */
export class GatewayError extends Error {
  readonly code: GatewayErrorCode;
  /** Seconds after which it is worth asking again; undefined where that is not known. */
  readonly retryAfter: number | undefined;

  constructor(code: GatewayErrorCode, message: string, options?: ErrorOptions & { readonly retryAfter?: number }) {
    super(message, options);
    this.name = 'GatewayError';
    this.code = code;
    this.retryAfter = options?.retryAfter;
  }
}
