import { LIMITS } from '@sitrep/schema';
import { codePointLength } from '@sitrep/schema/check';

/** What is wrong with the id of an operation, or undefined. */
export function idFault(id: string): string | undefined {
  return id !== '' && codePointLength(id) <= LIMITS.id ? undefined : `--id must be 1 to ${LIMITS.id} characters.`;
}
