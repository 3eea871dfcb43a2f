import { checkProgressCardInput, cleanLine, startOf, truncate } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import { openClawPlanEvent } from '@sitrep/schema/dialect/progress-card';
import { cardBody } from '@sitrep/schema/reduce';
import { PROGRESS_CARD_SCHEMA } from '@sitrep/schema/tool-schemas';
import type { Card } from '@sitrep/schema/wire';
import type { CardPutResult, CardWrite, CardWriter, StepCounts } from '../card/card-writer.ts';
import { cardReceipt } from '../card/receipt.ts';
import { systemClock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import { attempt } from '../sink/hand-over.ts';
import { answered, failure, notConnected, refusal } from './answers.ts';
import type { CardAnswer, ProgressTool, ToolAnswer, ToolContext } from './tool.ts';

const NAME = 'progress_card';

/**
 * `progress_card`: the whole card, replaced by each call; nothing in it clears the card, whatever its steps say. Waits
 * for the writer no longer than `timeoutMs` and then says that nothing is confirmed.
 */
export const progressCardTool: ProgressTool<CardAnswer> = {
  name: NAME,
  description:
    "Replace the session's progress card, which the user follows instead of the transcript: a plan of ordered steps, a " +
    'short Markdown note, or both. What you leave out is removed; leave out both to clear the card.',
  inputSchema: PROGRESS_CARD_SCHEMA,
  handle: (input, context) =>
    answered(NAME, context, async () => {
      const checked = checkProgressCardInput(input);
      if (!checked.ok) return refusal(NAME, nameSteps(input, checked.issues), input);
      if (context.cards === undefined) return notConnected(NAME);
      const body: CardWrite = context.run === undefined ? checked.value : { ...checked.value, run: context.run };
      const result = await putInTime(context.cards, body, context);
      if (result.ok && context.onPlanEvent !== undefined) tellPlan(context.onPlanEvent, cardBody(checked.value), context);
      return answer(result);
    }),
};

async function putInTime(cards: CardWriter, body: CardWrite, context: ToolContext): Promise<CardPutResult> {
  const { session, timeoutMs = 5000, clock = systemClock } = context;
  const abort = new AbortController();
  let cancel = (): void => {};
  let resolve: (result: CardPutResult) => void = () => {};
  const timeout = new Promise<CardPutResult>((settle) => (resolve = settle));
  const giveUp = (): void => {
    abort.abort();
    resolve({ ok: false, code: 'unavailable', message: `No answer within ${timeoutMs} ms.` });
  };
  try {
    cancel = clock.after(timeoutMs, giveUp, true);
    const result: CardPutResult | undefined | null = await Promise.race([cards.put(session, body, { signal: abort.signal }), timeout]);
    return isResult(result) ? result : { ok: false, code: 'unavailable', message: 'The card store gave no readable answer.' };
  } catch {
    return { ok: false, code: 'unavailable', message: 'The card store failed.' };
  } finally {
    cancel();
  }
}

/** For readers who know plans and no cards. A listener that fails costs the model nothing: the card is written. */
function tellPlan(listener: NonNullable<ToolContext['onPlanEvent']>, card: Card | null, { onDiagnostic }: ToolContext): void {
  attempt(
    () => listener(openClawPlanEvent(card)),
    () =>
      tell(onDiagnostic, { code: 'listener_failed', message: 'The listener for plan events failed; the card was written all the same.' }),
  );
}

/** A writer may be written in JavaScript, or sit on the other side of a wire. */
function isResult(result: CardPutResult | undefined | null): result is CardPutResult {
  if (typeof result !== 'object' || result === null) return false;
  if (result.ok === true) return Number.isSafeInteger(result.revision) && (result.steps === null || isCounts(result.steps));
  if (result.ok !== false) return false;
  if (result.code === 'invalid') return Array.isArray(result.issues);
  return result.code === 'unavailable' ? typeof result.message === 'string' : result.code === 'conflict';
}

function isCounts(steps: StepCounts | undefined): boolean {
  return Number.isSafeInteger(steps?.completed) && Number.isSafeInteger(steps?.total);
}

function answer(result: CardPutResult): ToolAnswer<CardAnswer> {
  if (result.ok) return { text: cardReceipt(result), structured: { revision: result.revision, steps: result.steps }, isError: false };
  switch (result.code) {
    case 'invalid':
      return refusal(NAME, result.issues);
    case 'conflict':
      return failure('conflict', `${NAME} wrote nothing: the card is at revision ${result.revision} already. Write the whole card again.`);
    case 'unavailable':
      return failure(
        'unavailable',
        `${NAME}: the write is not confirmed. ${result.message} Go on with the work; the next call replaces the whole card.`,
      );
  }
}

/** Two steps in progress: the model is told which ones, by their own words, so that it can settle one of them. */
function nameSteps(input: unknown, issues: readonly Issue[]): readonly Issue[] {
  const first = issues.find(({ code }) => code === 'in_progress');
  if (first === undefined) return issues;
  const steps = ((input as { plan: readonly { step: string; status: string }[] }).plan ?? []).flatMap(({ step, status }, index) =>
    status === 'in_progress' ? [`plan[${index}] "${truncate(cleanLine(startOf(step)), 60)}"`] : [],
  );
  const message = `Only one step may be in_progress, but ${steps.slice(0, 4).join(' and ')} are; set the others to pending or completed.`;
  return issues.filter(({ code }) => code !== 'in_progress').concat([{ ...first, message }]);
}
