import type { Activity } from './activity.ts';
import { formatNumber } from './format.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import { localeOf } from './language.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/**
 * Activities in the order in which a reader has to know of them, each with its word where many are counted. What is paused, cancelled,
 * interrupted or in the background has no word that is true of all of it.
 */
const WORDS = [
  ['needs-you', 'needs you'],
  ['working', 'running'],
  ['waiting', 'waiting'],
  ['failed', 'failed'],
  ['done', 'done'],
  ['idle', 'other'],
] as const satisfies readonly (readonly [Activity, string])[];

/** The activities in the order in which a reader has to know of them. */
export const ACTIVITIES: readonly Activity[] = WORDS.map(([activity]) => activity);

/** An activity in a word or two: "needs you", "running". */
export function activityWord(activity: Activity, language: LanguageLike = DEFAULT_LOCALE): string {
  return say(WORDS.find(([one]) => one === activity)?.[1] ?? activity, language);
}

/** How many there are of each, in one line: "needs you 1 · running 3 · failed 1 · done 12". Empty where there is nothing. */
export function rollUpText(counts: Readonly<Record<Activity, number>>, language: LanguageLike = DEFAULT_LOCALE): string {
  return ACTIVITIES.filter((activity) => counts[activity] > 0)
    .map((activity) => `${activityWord(activity, language)} ${formatNumber(counts[activity], localeOf(language))}`)
    .join(' · ');
}
