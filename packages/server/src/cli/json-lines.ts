import type { Issue } from '@sitrep/schema/check';
import { inputLines } from './input-lines.ts';

/** Bytes of one line: a gateway takes no larger request body, and no more than this is ever held. */
const MAX_LINE = 1_048_576;

/** One line that is not blank: its value, or why it has none. */
export type JsonLine =
  { readonly number: number; readonly value: unknown } | { readonly number: number; readonly issues: readonly Issue[] };

const TOO_LONG: readonly Issue[] = [
  { path: '', code: 'too_many_bytes', message: `This line is longer than ${MAX_LINE} bytes, which no gateway takes.` },
];
const NO_JSON: readonly Issue[] = [{ path: '', code: 'syntax', message: 'This line is not JSON.' }];

/** What of a recorded event stream carries no data of the peer's: its other fields, its comments, the word some end it with. */
const NO_DATA = /^(?:(?:event|id|retry)?:|data: ?\[DONE\]\s*$)/;

/**
 * Reads one JSON value a line, numbered from 1. Blank lines are passed over. The lines may be those of a recorded stream of
 * server-sent events, whose data is one value a line: no JSON begins as their fields do.
 */
export async function* jsonLines(input: AsyncIterable<Buffer>): AsyncGenerator<JsonLine> {
  let number = 0;
  for await (const line of inputLines(input, MAX_LINE)) {
    number += 1;
    if (!('text' in line)) yield { number, issues: TOO_LONG };
    else if (line.text.trim() !== '' && !NO_DATA.test(line.text)) yield { number, ...parsed(line.text.replace(/^data:/, '')) };
  }
}

function parsed(text: string): { readonly value: unknown } | { readonly issues: readonly Issue[] } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { issues: NO_JSON };
  }
}
