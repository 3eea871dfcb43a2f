import { isUnavailable } from '../store/unavailable.ts';
import { GatewayError } from './gateway-error.ts';

/** Seconds after which a store that cannot be reached is asked for again: a few, and not all at once. */
function soon(): number {
  return 1 + Math.floor(Math.random() * 2);
}

/** The refusal that a fault of the store leads to. */
export function storeFault(cause: unknown): GatewayError {
  if (!isUnavailable(cause)) {
    return new GatewayError('store_failed', 'The store failed; nothing of this request was kept. Send it again later.', { cause });
  }
  if (cause.inDoubt) {
    const message = 'The store went away while it was being written to, and it is not known whether this request was kept. Send it again.';
    return new GatewayError('in_doubt', message, { cause, retryAfter: soon() });
  }
  const message = 'The store cannot be reached; nothing of this request was kept. Send it again in a few seconds.';
  return new GatewayError('unavailable', message, { cause, retryAfter: soon() });
}
