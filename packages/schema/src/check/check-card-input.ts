import type { CardPut, ProgressCardInput } from '../wire/tool-inputs.ts';
import { cardPutRule, isCardPut, isProgressCardInput, progressCardInputRule } from '../generated/tool-inputs.ts';
import { finishCard } from './card-body.ts';
import type { Checked, Issue } from './issue.ts';
import { refused, unreadable } from './issue-list.ts';
import type { ObjectRule } from './rule.ts';
import { shapeIssues } from './shape.ts';

/** The input without the parts that say nothing: an empty plan, a blank note. Nothing left means: clear the card. */
function withoutEmpty<T extends ProgressCardInput>(input: T): T {
  const noPlan = input.plan?.length === 0;
  const noNote = input.markdown?.trim() === '';
  if (!noPlan && !noNote) return input;
  const result = { ...input };
  if (noPlan) delete result.plan;
  if (noNote) delete result.markdown;
  return result;
}

function checkInput<T extends ProgressCardInput>(value: unknown, is: (value: unknown) => value is T, rule: ObjectRule): Checked<T> {
  if (!is(value)) return refused(shapeIssues(rule, value, { path: '', body: value }));
  const issues: Issue[] = [];
  const input = finishCard(value, '', issues);
  return issues.length === 0 ? { ok: true, value: withoutEmpty(input) } : refused(issues);
}

/**
 * Checks the input of the `progress_card` tool. Closed; `null` is an error, not an absent part; a step takes at most
 * 512 and the note at most 8,192 UTF-8 bytes of raw text; at most one step is in progress; no step is blank.
 *
 * The value comes back cleaned and normalised: an empty plan and a note that is blank after cleaning are left out, so
 * the write clears the card exactly when neither `plan` nor `markdown` is present. Steps and note are not trimmed. The
 * same reference comes back when nothing changed. Never throws.
 */
export function checkProgressCardInput(value: unknown): Checked<ProgressCardInput> {
  try {
    return checkInput(value, isProgressCardInput, progressCardInputRule);
  } catch {
    return unreadable();
  }
}

/** Checks the body of a card write over HTTP: as `checkProgressCardInput`, with `expectedRevision` beside it. */
export function checkCardPut(value: unknown): Checked<CardPut> {
  try {
    return checkInput(value, isCardPut, cardPutRule);
  } catch {
    return unreadable();
  }
}
