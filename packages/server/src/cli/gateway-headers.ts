import { readFileSync } from 'node:fs';

/**
 * Headers for a gateway that asks for tokens: the token in the file of SITREP_TOKEN_FILE, read anew for each request so
 * that somebody may renew it meanwhile, else the one in SITREP_TOKEN. Without either there are none.
 */
export function gatewayHeaders(): Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined {
  const file = process.env['SITREP_TOKEN_FILE'] || undefined;
  if (file !== undefined) return () => bearer(readQuietly(file));
  const token = process.env['SITREP_TOKEN'] || undefined;
  return token === undefined ? undefined : bearer(token);
}

/** A file that is not there, or is being written, gives none: the gateway then says that it wants one. */
function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** What no header can carry is left out, with the header. */
function bearer(text: string): Readonly<Record<string, string>> {
  const token = text.trim();
  return /^[\w.~+/=-]+$/.test(token) ? { authorization: `Bearer ${token}` } : {};
}
