import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { checkEvent } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import { parse } from './arguments.ts';
import { UsageError } from './usage-error.ts';
import { VALIDATE_USAGE } from './usage.ts';

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
  let line = 0;
  // Begun before the lines are read, or the failure to open the file would be nobody's.
  const failed = new Promise<never>((_, reject) =>
    input.once('error', (error: Error) => reject(new Error(`Cannot read ${file}: ${error.message}`))),
  );
  const reading = (async () => {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      if (text.trim() === '') continue;
      const issues = issuesOf(line === 1 ? text.replace(/^\uFEFF/, '') : text);
      if (issues.length === 0) counts.good += 1;
      else counts.bad += 1;
      for (const { path, message } of issues) process.stdout.write(`${line}:${path}: ${message}\n`);
    }
  })();
  await Promise.race([reading, failed]);
  process.stdout.write(`${counts.good + counts.bad} events: ${counts.good} good, ${counts.bad} bad\n`);
  return counts.bad === 0 ? 0 : 1;
}

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
