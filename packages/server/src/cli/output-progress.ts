import { cleanLine } from '@sitrep/schema/check';
import type { OutputLine } from './output-lines.ts';

/** How far the output says the command is. */
export type OutputProgress = { readonly current: number; readonly total: number } | { readonly fraction: number };

// oxlint-disable-next-line no-control-regex -- the sequence is made of control characters
const OSC_PERCENT = /\u001B\]9;4;1;(\d{1,3})(?:\u0007|\u001B\\|\u009C)/g;

/**
 * Reads an amount from a line, only where it cannot well be anything else:
 * - counts of a whole in brackets, `[3/10]` or `(3/10)`;
 * - a percent at the start of a line in the form of a progress bar: `[ 42%]`, `42%|███`, `42%`;
 * - a percent in a line that is redrawn in place;
 * - the terminal's own progress sequence, `OSC 9;4;1;42`.
 *
 * "Coverage: 85%" and "100% tests passed" are not progress, and neither is anything in a line that is not UTF-8. Undefined when the line says nothing.
 */
export function progressOf(line: OutputLine): OutputProgress | undefined {
  // Bytes that are no text can look like anything.
  if (line.text.includes('\uFFFD')) return undefined;
  const sequence = [...line.text.matchAll(OSC_PERCENT)].at(-1);
  if (sequence) return fromPercent(sequence[1]);
  const text = cleanLine(line.text);
  const counts = /[[(] {0,8}(\d{1,12}) {0,2}\/ {0,2}(\d{1,12}) {0,2}[\])]/.exec(text);
  if (counts) {
    const current = Number(counts[1]);
    const total = Number(counts[2]);
    if (total > 0 && current <= total) return { current, total };
  }
  const leading = /^ {0,8}(?:\[ {0,8}(\d{1,3}(?:\.\d{1,6})?) ?%\]|(\d{1,3}(?:\.\d{1,6})?) ?%(?= {0,8}(?:\||\[|\(|$)))/.exec(text);
  if (leading) return fromPercent(leading[1] ?? leading[2]);
  if (!line.redrawn) return undefined;
  const percents = [...text.matchAll(/(?<![\d.,-])(\d{1,3}(?:\.\d{1,6})?) ?%/g)];
  // Two different percents in one line: which of them is the progress is a guess.
  return percents.length === 1 ? fromPercent(percents[0]?.[1]) : undefined;
}

function fromPercent(text: string | undefined): OutputProgress | undefined {
  const percent = Number(text);
  return percent >= 0 && percent <= 100 ? { fraction: percent / 100 } : undefined;
}
