import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { checkEvent, cleanLine } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import { parse } from './arguments.ts';
import { inputLines } from './input-lines.ts';
import { UsageError } from './usage-error.ts';
import { VALIDATE_USAGE } from './usage.ts';

/** Bytes of one line: a gateway takes no larger request body, and no more than this is ever held. */
const MAX_LINE = 1_048_576;

/** `sitrep validate`: 0 when every line is a good event, 1 when one is not. */
export async function validate(args: string[]): Promise<number> {
  const { values, positionals } = parse('validate', args, {});
  if (values.help) {
    process.stdout.write(VALIDATE_USAGE);
    return 0;
  }
  const [file, more] = positionals;
  if (file === undefined || more !== undefined) throw new UsageError('Name one file of events, or - for standard input.', 'validate');
  const input: Readable = file === '-' ? process.stdin : createReadStream(file);
  const counts = { good: 0, bad: 0 };
  let number = 0;
  let unread = false;
  process.stdout.once('error', () => (unread = true));
  try {
    for await (const line of inputLines(input, MAX_LINE)) {
      number += 1;
      if ('text' in line && line.text.trim() === '') continue;
      const issues = 'text' in line ? issuesOf(line.text) : TOO_LONG;
      if (issues.length === 0) counts.good += 1;
      else counts.bad += 1;
      // A field may be named anything, escape sequences included.
      for (const { path, message } of issues) process.stdout.write(`${cleanLine(`${number}:${path}: ${message}`)}\n`);
      // Whoever reads the answer has gone.
      if (unread) break;
    }
  } catch (error) {
    throw new Error(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  process.stdout.write(`${counts.good + counts.bad} events: ${counts.good} good, ${counts.bad} bad\n`);
  return counts.bad === 0 ? 0 : 1;
}

const TOO_LONG: readonly Issue[] = [
  { path: '', code: 'too_many_bytes', message: `This line is longer than ${MAX_LINE} bytes, which no gateway takes.` },
];

function issuesOf(text: string): readonly Issue[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ path: '', code: 'syntax', message: 'This line is not JSON.' }];
  }
  const checked = checkEvent(value);
  return checked.ok ? [] : checked.issues;
}
