import { LIMITS } from '@sitrep/schema';
import { codePointLength } from '@sitrep/schema/check';
import { GatewayError } from '../gateway-error.ts';

/** Throws a GatewayError unless this can name a session: see sessionNameFault. */
export function checkSessionName(session: string): void {
  const fault = sessionNameFault(session);
  if (fault !== undefined) throw new GatewayError('bad_request', fault);
}

/** Throws a GatewayError unless this can name a run: 1 to 256 characters, none of them a control character. */
export function checkRunName(run: unknown): void {
  const fault = nameFault('run', run);
  if (fault !== undefined) throw new GatewayError('bad_request', fault);
}

/**
 * What is wrong with the name of a session: it must have 1 to 256 characters, none of them a control character, and not
 * be `.` or `..`, which no URL can hold as a part of its path. Undefined when nothing is.
 */
export function sessionNameFault(session: unknown): string | undefined {
  if (session === '.' || session === '..') return `session must not be "${session}", which an address cannot hold.`;
  return nameFault('session', session);
}

function nameFault(field: string, value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '' && codePointLength(value) <= LIMITS.id && !/[\p{Cc}\p{Cs}]/u.test(value)) return undefined;
  return `${field} must be 1 to ${LIMITS.id} characters without control characters.`;
}
