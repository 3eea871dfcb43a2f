import { readFileSync } from 'node:fs';
import { readKeys } from '../auth/keys.ts';
import type { TokenKey } from '../auth/keys.ts';
import { UsageError } from './usage-error.ts';

/** Keys of tokens: from the file of the flag, else of SITREP_KEY_FILE, else from SITREP_KEY, else none. */
export function keysOf(command: string, flag: string | undefined): readonly TokenKey[] {
  const file = flag ?? (process.env['SITREP_KEY_FILE'] || undefined);
  const from = file === undefined ? 'SITREP_KEY' : file;
  const text = file === undefined ? process.env['SITREP_KEY'] || undefined : readFile(command, file);
  if (text === undefined) return [];
  try {
    return readKeys(text);
  } catch (error) {
    throw new UsageError(`${from}: ${(error as Error).message}`, command);
  }
}

function readFile(command: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`The keys cannot be read: ${(error as Error).message}`, command);
  }
}
