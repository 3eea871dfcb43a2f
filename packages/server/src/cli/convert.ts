import { LIMITS } from '@sitrep/schema';
import type { Decoded, Dialect } from '@sitrep/schema/dialect';
import { createEncoder } from '@sitrep/schema/translate';
import type { Encoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { parse } from './arguments.ts';
import { AUTO, dialectNamed, frameReader, OWN } from './frame-reader.ts';
import { inputFile } from './input-file.ts';
import { jsonLines } from './json-lines.ts';
import { lineIssues } from './line-issues.ts';
import { CONVERT_USAGE } from './usage.ts';

/** Sessions written for at once; the one that was begun first is forgotten when there are more. */
const MAX_SESSIONS = 1000;

/** `sitrep convert`: 0 when every line could be read, 1 when one could not. */
export async function convert(args: string[]): Promise<number> {
  const { values, positionals } = parse('convert', args, {
    from: { type: 'string' },
    to: { type: 'string' },
    session: { type: 'string' },
    run: { type: 'string' },
    raw: { type: 'boolean' },
  });
  if (values.help) {
    process.stdout.write(CONVERT_USAGE);
    return 0;
  }
  const { name, input } = inputFile('convert', positionals.length === 0 ? ['-'] : positionals, 'frames');
  const session = values.session ?? (process.env['SITREP_SESSION'] || 'default');
  const reader = frameReader('convert', '--from', values.from ?? AUTO, { session, run: values.run });
  const write = writerOf(values.to ?? OWN);
  const counts = { frames: 0, bad: 0, events: 0, dropped: 0, written: 0 };
  let unread = false;
  process.stdout.once('error', () => (unread = true));
  try {
    for await (const line of jsonLines(input)) {
      const decoded: Decoded = 'issues' in line ? { ok: false, issues: line.issues } : reader.read(line.value, Date.now());
      counts.frames += 1;
      if (!decoded.ok) counts.bad += 1;
      process.stderr.write(lineIssues(line.number, decoded.ok ? (decoded.mended ?? []) : decoded.issues));
      if (!decoded.ok) continue;
      for (const event of decoded.events) {
        const { frames, dropped } = write(event);
        counts.events += 1;
        if (dropped) counts.dropped += 1;
        counts.written += frames.length;
        for (const frame of frames) {
          if (!process.stdout.write(lineOf(frame, values.raw === true)) && !unread) await drained();
        }
      }
      if (unread) break;
    }
  } catch (error) {
    throw new Error(`Cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
  const { frames, bad, events, dropped, written } = counts;
  process.stderr.write(`${frames} frames, ${bad} bad; ${events} events, ${dropped} that came too late; ${written} frames written\n`);
  return bad === 0 ? 0 : 1;
}

interface Written {
  readonly frames: readonly unknown[];
  readonly dropped: boolean;
}

/** Our own events go out as they came in, late ones included: whoever reads them orders them himself. */
function writerOf(name: string): (event: ProgressEvent) => Written {
  if (name === OWN) return (event) => ({ frames: [event], dropped: false });
  const dialect = dialectNamed(name, { command: 'convert', flag: '--to', way: 'out', others: [OWN] });
  const encoders = new Map<string, Encoder<unknown>>();
  return (event) => {
    const encoder = encoderOf(encoders, dialect, event.session);
    const before = encoder.session.outcomes.applied;
    const frames = encoder.encode(event);
    return { frames, dropped: encoder.session.outcomes.applied === before };
  };
}

function encoderOf(encoders: Map<string, Encoder<unknown>>, dialect: Dialect<unknown>, session: string): Encoder<unknown> {
  const known = encoders.get(session);
  if (known !== undefined) return known;
  const encoder = createEncoder(dialect, session, { operations: LIMITS.operations });
  encoders.set(session, encoder);
  const [oldest] = encoders.keys();
  if (encoders.size > MAX_SESSIONS && oldest !== undefined) encoders.delete(oldest);
  return encoder;
}

/** Frames that are text (what a terminal is sent) are JSON texts too, unless they are asked for as they are. */
function lineOf(frame: unknown, raw: boolean): string {
  return raw && typeof frame === 'string' ? frame : `${JSON.stringify(frame)}\n`;
}

/** Resolves when standard output takes more, or will never take anything again. */
function drained(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      process.stdout.off('drain', done).off('close', done).off('error', done);
      resolve();
    };
    process.stdout.on('drain', done).on('close', done).on('error', done);
  });
}
