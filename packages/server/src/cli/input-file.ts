import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { UsageError } from './usage-error.ts';

/** The one file a command line names, `-` being standard input. Throws a UsageError when it names none or several. */
export function inputFile(
  command: string,
  [file, more]: readonly string[],
  what: string,
): { readonly name: string; readonly input: Readable } {
  if (file === undefined || more !== undefined) throw new UsageError(`Name one file of ${what}, or - for standard input.`, command);
  return { name: file, input: file === '-' ? process.stdin : createReadStream(file) };
}
