import type { Unit } from './block.ts';
import type { Target } from './links.ts';
import { readUnits } from './read-blocks.ts';
import type { Names, Scope } from './scope.ts';
import { writeBlocks } from './write.ts';

/** Elements and texts of one note. */
const NODES = 1_990;
/** Characters of HTML of one note. */
const ROOM = 200_000;
/** Characters that may be looked at in search of the ends of links, in one unit: what others hold must not decide how it is read. */
const WORK = 100_000;

/** One unit of a note, and what has become of it. */
export interface Entry {
  start: number;
  end: number;
  readonly unit: Unit;
  readonly linked: boolean;
  html: string | undefined;
  nodes: number;
  room: number;
  /** Its elements in the document, one for each block. */
  elements: Element[] | undefined;
}

/** A note as it was read last, from which the next reading takes what has not changed. */
export interface Layout {
  readonly lines: readonly string[];
  readonly entries: readonly Entry[];
  /** What the note defines, as one text, to see whether it changed. */
  readonly defined: string;
  /** How many entries are laid out; from there on the note is too large and stays the text that it is. */
  readonly shown: number;
}

/**
 * Reads a note. Where an earlier reading is given, only the units between the first and the last change are read again, and
 * only those whose text or whose definitions changed are written again. The result is that of reading it afresh.
 */
export function layOut(text: string, names: Names, pictures: boolean, earlier?: Layout): Layout {
  const lines = text.replaceAll('\0', '\ufffd').split(/\r\n?|\n/);
  const entries = earlier ? join(lines, earlier) : readUnits(lines, 0, () => false).map((unit) => entryOf(unit, lines));
  const definitions = new Map<string, Target>();
  for (const { unit } of entries) for (const one of unit.definitions) if (!definitions.has(one.label)) definitions.set(one.label, one);
  const defined = definitions.size ? JSON.stringify([...definitions.values()]) : '';
  const again = earlier !== undefined && earlier.defined !== defined;
  const scope: Scope = { definitions, names, pictures, room: ROOM, nodes: NODES, work: WORK };
  let shown = 0;
  for (; shown < entries.length; shown++) {
    const entry = entries[shown]!;
    const kept = again && entry.linked ? (entries[shown] = { ...entry, html: undefined, elements: undefined }) : entry;
    if (!write(kept, scope)) break;
  }
  return { lines, entries, defined, shown };
}

/** Writes one entry, if there is room for it. */
function write(entry: Entry, scope: Scope): boolean {
  const { room, nodes } = scope;
  scope.work = WORK;
  if (entry.html !== undefined) {
    scope.room -= entry.room;
    scope.nodes -= entry.nodes;
    return scope.room >= 0 && scope.nodes >= 0;
  }
  try {
    entry.html = writeBlocks(entry.unit.blocks, scope);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
  entry.nodes = nodes - scope.nodes;
  entry.room = room - scope.room;
  return true;
}

function entryOf(unit: Unit, lines: readonly string[]): Entry {
  const { start, end } = unit;
  let linked = false;
  for (let line = start; line < end; line++) linked ||= lines[line]!.includes('[');
  return { start, end, unit, linked, html: undefined, nodes: 0, room: 0, elements: undefined };
}

/**
 * A unit is decided by its own lines and the one that begins the next. So what ends before the first changed line stays,
 * and once a unit begins on a line that began one before, all that follows is as it was.
 */
function join(lines: readonly string[], { lines: before, entries }: Layout): Entry[] {
  const shorter = Math.min(lines.length, before.length);
  let head = 0;
  while (head < shorter && lines[head] === before[head]) head++;
  let tail = 0;
  while (tail < shorter - head && lines[lines.length - 1 - tail] === before[before.length - 1 - tail]) tail++;
  let kept = 0;
  while (kept < entries.length && entries[kept]!.end < head) kept++;
  const moved = lines.length - before.length;
  const starts = new Map<number, number>();
  for (let place = kept; place < entries.length; place++)
    if (entries[place]!.start >= before.length - tail) starts.set(entries[place]!.start, place);
  let rest = entries.length;
  const fresh = readUnits(lines, kept > 0 ? entries[kept - 1]!.end : 0, (line) => {
    const place = starts.get(line - moved);
    if (place === undefined) return false;
    rest = place;
    return true;
  });
  const following = entries.slice(rest);
  if (moved !== 0) {
    for (const entry of following) {
      entry.start += moved;
      entry.end += moved;
    }
  }
  return [...entries.slice(0, kept), ...fresh.map((unit) => entryOf(unit, lines)), ...following];
}
