import { currentStep, planCounts, sessionState } from '@sitrep/schema/select';
import type { Language } from '@sitrep/schema/select';
import type { FeedState } from '../display/feed.ts';
import { sentence } from '../display/punctuation.ts';
import { look } from '../display/shown-state.ts';
import { tr, trProblem } from '../display/tr.ts';

/** The session in a few sentences, for who hears of it: what it is called, where it stands, the step, how many are done. */
export function wordsOf({ session, error }: FeedState, name: string, language: Language): string {
  if (!session?.loaded) return error ? trProblem(error, language) : tr('Loading…', language);
  const { card, operations } = session;
  const plan = card.card?.plan;
  if (!card.card && operations.length === 0) return sentencesOf([name, tr('Nothing has been reported yet.', language)], language);
  const state = sessionState(session, { now: Date.now(), connection: session.connection });
  const { completed, total } = planCounts(plan);
  const said = [tr('{title}: {what}', language, { title: name, what: tr(look(state)[2], language) }), currentStep(plan)?.step];
  if (total) said.push(tr('{n} of {total} completed', language, { n: completed, total }));
  return sentencesOf(said, language);
}

const sentencesOf = (all: readonly (string | undefined)[], language: Language): string =>
  all.flatMap((one) => (one ? [sentence(one, language)] : [])).join(' ');
