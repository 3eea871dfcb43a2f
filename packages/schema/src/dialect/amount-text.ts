import { truncate } from '../check/text/truncate.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import { hundredthsDone } from './amounts-out.ts';

/** An amount in words, for a peer that has no number: "41/82 files", "3 files", "65%". Empty when there is none. */
export function amountText(event: OperationEvent): string {
  const { current, total, fraction, unit } = event;
  const counted = unit === undefined || unit === null || unit === '' ? '' : ` ${unit}`;
  if (typeof current === 'number') return typeof total === 'number' && total > 0 ? `${current}/${total}${counted}` : `${current}${counted}`;
  return typeof fraction === 'number' ? `${hundredthsDone(event) ?? 0}%` : '';
}

/** A text with the amount behind it: "Compiling (41/82 files)". */
export function withAmount(text: string, event: OperationEvent): string {
  const amount = amountText(event);
  if (amount === '' || text === '') return text === '' ? amount : text;
  return truncate(`${text} (${amount})`, LIMITS.message);
}
