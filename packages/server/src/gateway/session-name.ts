import { LIMITS } from '@sitrep/schema';
import { codePointLength } from '@sitrep/schema/check';
import { GatewayError } from './gateway-error.ts';

/** Throws a GatewayError unless this can name a session: 1 to 256 characters, none of them a control character. */
export function checkSessionName(session: string): void {
  assertName('session', session);
}

/** The same for the name of a run. */
export function checkRunName(run: unknown): void {
  assertName('run', run);
}

function assertName(field: string, value: unknown): void {
  if (typeof value === 'string' && value !== '' && codePointLength(value) <= LIMITS.id && !/[\p{Cc}\p{Cs}]/u.test(value)) return;
  throw new GatewayError('bad_request', `${field} must be 1 to ${LIMITS.id} characters without control characters.`);
}
