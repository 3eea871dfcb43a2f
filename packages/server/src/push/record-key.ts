import { createHash } from 'node:crypto';

/** One key for several names, whatever characters they have: of one length, and for no two lists the same. */
export function recordKey(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 22);
}
