import { faultReason } from '../store/store-fault.ts';
import { isUnavailable } from '../store/unavailable.ts';
import type { StoreUnavailable } from '../store/unavailable.ts';
import { GatewayError } from './gateway-error.ts';

/** Seconds after which a store that cannot be reached is asked for again: a few, and not all at once. */
function soon(): number {
  return 1 + Math.floor(Math.random() * 2);
}

/** The refusal that a fault of the store leads to, where nothing was written or it makes no difference. */
export function storeFault(cause: unknown): GatewayError {
  const reason = faultReason(cause);
  if (reason === 'full') {
    const message =
      'There is no room on the disk of the store; nothing of this request was kept. Reading goes on, and what frees room is done.';
    return new GatewayError('store_full', message, { cause: cause as Error, retryAfter: 5 });
  }
  if (reason === 'read_only') {
    const message = 'The store may not be written to any more; nothing of this request was kept. Reading goes on.';
    return new GatewayError('store_read_only', message, { cause: cause as Error, retryAfter: 30 });
  }
  if (!isUnavailable(cause)) {
    return new GatewayError('store_failed', 'The store failed; nothing of this request was kept. Send it again later.', { cause });
  }
  const message = 'The store cannot be reached; nothing of this request was kept. Send it again in a few seconds.';
  return new GatewayError('unavailable', message, { cause, retryAfter: soon() });
}

/** The refusal that a fault of a commit leads to. */
export function commitFault(cause: StoreUnavailable): GatewayError {
  if (!cause.inDoubt) return storeFault(cause);
  const message = 'The store went away while it was being written to, and it is not known whether this request was kept. Send it again.';
  return new GatewayError('in_doubt', message, { cause, retryAfter: soon() });
}
