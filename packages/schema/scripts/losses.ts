/**
 * What is left of our events after they were written in a peer's words and read again, dialect by dialect:
 * `fixtures/losses.json`, and the same as a table in `docs/dialects.md`. With `--check` nothing is written; the exit code
 * tells whether what is committed is what would be written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { dialects } from '../src/dialect/dialects.ts';
import type { Dialect } from '../src/dialect/dialect.ts';
import { SessionIndex } from '../src/reduce/session-index.ts';
import { createDecoder } from '../src/translate/decoder.ts';
import { createEncoder } from '../src/translate/encoder.ts';
import type { ProgressEvent } from '../src/wire/event.ts';
import type { EventType } from '../src/wire/states.ts';
import { PROBES } from './loss-probes.ts';
import type { Probe } from './loss-probes.ts';

/** What became of each thing that was said: the same, something else (as JSON), gone, or never written. */
export type Fates = Readonly<Record<string, string>>;

/** One dialect's row. */
export interface Losses {
  /** Event types that travel whole beside the peer's own words, for a reader that knows the place. */
  readonly whole: readonly EventType[];
  /** By the peer's own words alone. */
  readonly words: Fates;
}

const SESSION = 'chat-1';
const ALL = Object.values(PROBES).flat();
const FIXTURE = new URL('../fixtures/losses.json', import.meta.url);
const PAGE = new URL('../../../docs/dialects.md', import.meta.url);
const BEGIN = '<!-- what is lost: generated -->';
const END = '<!-- end of what is lost -->';

/** The rows of all dialects that write anything. */
export function losses(): Record<string, Losses> {
  const rows = Object.entries(dialects).map(([name, dialect]) => [name, lossesOf(dialect as Dialect<unknown>)] as const);
  return Object.fromEntries(rows.filter(([, { words }]) => Object.values(words).some((fate) => fate !== 'not written')));
}

function lossesOf(dialect: Dialect<unknown>): Losses {
  return { whole: dialect.whole, words: Object.fromEntries(ALL.map((probe) => [probe.name, fateOf(dialect, probe)])) };
}

function fateOf(dialect: Dialect<unknown>, { events, look, expected }: Probe): string {
  const encoder = createEncoder(dialect, SESSION);
  const decoder = createDecoder(dialect, { session: SESSION });
  const index = new SessionIndex(SESSION);
  let written = 0;
  for (const event of events) {
    const frames = encoder.encode(event).flatMap(wordsOnly);
    if (event === events.at(-1)) written = frames.length;
    for (const frame of frames) for (const read of eventsOf(decoder.decode(frame, event.at))) index.apply(read);
  }
  if (written === 0) return 'not written';
  const seen = look(index);
  if (isDeepStrictEqual(seen, expected)) return 'kept';
  return seen === undefined || seen === null ? 'lost' : JSON.stringify(seen);
}

function eventsOf(decoded: ReturnType<Dialect<unknown>['decode']>): readonly ProgressEvent[] {
  return decoded.ok ? decoded.events : [];
}

/** A frame as a peer sees it that does not know us: without what stands under a name of ours; a frame all ours is none. */
function wordsOnly(frame: unknown): unknown[] {
  if (typeof frame !== 'object' || frame === null) return [frame];
  const members = frame as Record<string, unknown>;
  if (['type', 'activityType', 'name'].some((key) => isOurs(members[key]))) return [];
  return [stripped(frame)];
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isOurs(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, stripped(member)]));
}

function isOurs(word: unknown): boolean {
  return typeof word === 'string' && word.includes('sitrep');
}

/** The table, one section a dialect. */
function page(rows: Readonly<Record<string, Losses>>): string {
  const parts = Object.entries(rows).map(([name, { whole, words }]) => {
    const changed = Object.entries(words).filter(([, fate]) => !PLAIN.has(fate));
    return [
      `### \`${name}\``,
      '',
      whole.length === 0
        ? 'No place for our whole event.'
        : `Whole events beside the words: ${whole.map((type) => `\`${type}\``).join(', ')}.`,
      '',
      `- kept: ${named(words, 'kept')}`,
      `- changed: ${changed.map(([probe, fate]) => `${probe} → \`${fate}\``).join(', ') || 'nothing'}`,
      `- lost: ${named(words, 'lost')}`,
      `- not written: ${named(words, 'not written')}`,
    ].join('\n');
  });
  return `${BEGIN}\n\n${[...parts, ...wholeOnly(rows)].join('\n\n')}\n\n${END}`;
}

/** Dialects that write our events whole and nothing beside them have no list; that there is none says little by itself. */
function wholeOnly(rows: Readonly<Record<string, Losses>>): string[] {
  const silent = Object.entries(dialects).filter(
    ([name, { only, whole }]) => rows[name] === undefined && only !== 'in' && whole.length > 0,
  );
  return silent.map(([name, { whole }]) =>
    [
      `### \`${name}\``,
      '',
      `Whole events and no words beside them: ${whole.map((type) => `\`${type}\``).join(', ')}. Who knows the place loses nothing of`,
      'them; who does not sees nothing of them, so there is no list.',
    ].join('\n'),
  );
}

const PLAIN: ReadonlySet<string> = new Set(['kept', 'lost', 'not written']);

/** What met this fate, by one name for all that is about one thing. */
function named(words: Fates, fate: string): string {
  const names = Object.entries(PROBES).flatMap(([about, probes]) => {
    const met = probes.filter((probe) => words[probe.name] === fate).map((probe) => probe.name);
    return met.length === probes.length ? [`all of ${about}`] : met;
  });
  return names.join(', ') || 'nothing';
}

function withTable(text: string, table: string): string {
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`docs/dialects.md must hold "${BEGIN}" and "${END}".`);
  return text.slice(0, before) + table + text.slice(after + END.length);
}

if (import.meta.main) {
  const rows = losses();
  const texts = new Map([
    [FIXTURE, `${JSON.stringify(rows, undefined, 2)}\n`],
    [PAGE, withTable(readFileSync(PAGE, 'utf8'), page(rows))],
  ]);
  for (const [file, text] of texts) {
    if (readText(file) === text) continue;
    if (process.argv.includes('--check')) {
      console.error(`${file.pathname.split('/').slice(-2).join('/')} is not what the dialects give: run npm run generate`);
      process.exitCode = 1;
    } else writeFileSync(file, text);
  }
}

function readText(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
