import { checkEvent } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import { detect } from '@sitrep/schema/dialect';
import type { Decoded } from '@sitrep/schema/dialect';
import { parse } from './arguments.ts';
import { frameReader, OWN } from './frame-reader.ts';
import { inputFile } from './input-file.ts';
import { jsonLines } from './json-lines.ts';
import { lineIssues } from './line-issues.ts';
import { VALIDATE_USAGE } from './usage.ts';

/** `sitrep validate`: 0 when every line is good, 1 when one is not. */
export async function validate(args: string[]): Promise<number> {
  const { values, positionals } = parse('validate', args, { dialect: { type: 'string' }, strict: { type: 'boolean' } });
  if (values.help) {
    process.stdout.write(VALIDATE_USAGE);
    return 0;
  }
  const { name, input } = inputFile('validate', positionals, 'events');
  const read = readerOf(values.dialect ?? OWN);
  const counts = { good: 0, mended: 0, bad: 0 };
  let unread = false;
  process.stdout.once('error', () => (unread = true));
  try {
    for await (const line of jsonLines(input)) {
      const decoded: Decoded = 'issues' in line ? { ok: false, issues: line.issues } : read(line.value);
      const verdict = !decoded.ok ? 'bad' : decoded.mended === undefined ? 'good' : 'mended';
      counts[verdict] += 1;
      process.stdout.write(lineIssues(line.number, decoded.ok ? (decoded.mended ?? []) : decoded.issues));
      // Whoever reads the answer has gone.
      if (unread) break;
    }
  } catch (error) {
    throw new Error(`Cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
  const { good, mended, bad } = counts;
  const mendedToo = mended === 0 ? '' : `, ${mended} with parts that had to be mended`;
  process.stdout.write(
    `${good + mended + bad} ${values.dialect === undefined ? 'events' : 'frames'}: ${good} good${mendedToo}, ${bad} bad\n`,
  );
  return bad > 0 || (values.strict === true && mended > 0) ? 1 : 0;
}

/** What is no event but certainly a frame of somebody else's: that says more than which types there are. */
function foreign(value: unknown, issues: readonly Issue[]): Decoded | undefined {
  const name = issues.some(({ path }) => path === '/type') ? detect(value) : OWN;
  if (name === OWN || name === 'unknown') return undefined;
  const message = `This is no event; it looks like a frame of ${name}: try --dialect ${name}.`;
  return { ok: false, issues: [{ path: '', code: 'unknown_type', message }] };
}

/** Our own events are held to what a gateway takes, not to what a reader puts up with. */
function readerOf(dialect: string): (value: unknown) => Decoded {
  if (dialect === OWN) {
    return (value) => {
      const checked = checkEvent(value);
      return checked.ok ? { ok: true, events: [checked.value] } : (foreign(value, checked.issues) ?? checked);
    };
  }
  const reader = frameReader('validate', '--dialect', dialect, { session: 'default' });
  return (value) => reader.read(value, Date.now());
}
