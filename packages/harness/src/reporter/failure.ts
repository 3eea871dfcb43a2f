import { cleanLine, startOf } from '@sitrep/schema/check';
import type { Failure } from '@sitrep/schema/wire';

function read(value: unknown, key: string | symbol): unknown {
  try {
    return typeof value === 'object' && value !== null ? (value as Record<string | symbol, unknown>)[key] : undefined;
  } catch {
    return undefined;
  }
}

/** The numbers of a DOMException are history; its name is what it is known by. */
function codeOf(error: unknown): unknown {
  return read(error, Symbol.toStringTag) === 'DOMException' ? undefined : read(error, 'code');
}

function isPrimitive(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object' && typeof value !== 'function';
}

function isVisible(text: string): boolean {
  return cleanLine(startOf(text)).trim() !== '';
}

/**
 * What a person may know of a thrown value: its message and its code, or its name where it has no code. Never the
 * stack. By shape, because errors cross realms and package copies.
 */
export function toFailure(error: unknown): Failure {
  const message = isPrimitive(error) ? String(error) : read(error, 'message');
  const code = codeOf(error);
  const name = read(error, 'name');
  const failure: Failure = { message: typeof message === 'string' && isVisible(message) ? message : 'Failed without a message.' };
  if ((typeof code === 'string' && isVisible(code)) || typeof code === 'number') failure.code = String(code);
  else if (typeof name === 'string' && isVisible(name) && name !== 'Error') failure.code = name;
  return failure;
}

/** True for what an aborted operation throws. */
export function isAbort(error: unknown): boolean {
  return read(error, 'name') === 'AbortError';
}

/** The stable word for an aborted signal: its reason when that is a short text, `timeout` for a timeout, else `aborted`. */
export function abortReason(reason: unknown): string {
  if (typeof reason === 'string' && reason.trim() !== '') return reason;
  return read(reason, 'name') === 'TimeoutError' ? 'timeout' : 'aborted';
}
