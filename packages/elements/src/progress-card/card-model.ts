import type { CardRecord, Operation, Run } from '@sitrep/schema';
import { activity, currentStepIndex, sessionState, summary } from '@sitrep/schema/select';
import type { Language, View } from '@sitrep/schema/select';
import type { FeedState } from '../display/feed.ts';
import { findRun } from '../display/find-run.ts';
import { hasEnded, isSettled } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr, trProblem } from '../display/tr.ts';
import { shownStep } from './plan.ts';
import type { ShownStep } from './plan.ts';

/** Where the parts of a card come from: own properties first, the session otherwise. */
export interface CardInput {
  readonly now: number;
  readonly language: Language;
  readonly feed: FeedState | undefined;
  /** Somebody around it says that the connection is lost. */
  readonly told: boolean;
  readonly card: CardRecord | NonNullable<CardRecord['card']> | undefined;
  readonly operations: readonly Operation[] | undefined;
  readonly runs: readonly Run[] | undefined;
}

/** What the card shows, derived once per render. */
export interface CardModel {
  readonly card: CardRecord;
  readonly view: View;
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  /** When anything in it last changed. */
  readonly updatedAt: number | undefined;
  /** The state in the pill; undefined when there is nothing to say. */
  readonly state: ShownState | undefined;
  /** Nothing is going on any more. */
  readonly settled: boolean;
  /** There is something to open. */
  readonly content: boolean;
  /** It may be put away: nothing is active, everything is complete, or what was is over without an end. */
  readonly dismissible: boolean;
  readonly problem: string | undefined;
  readonly steps: readonly ShownStep[];
  /** The one step, or else the line, that says what is going on while the card is closed. */
  readonly current: ShownStep | undefined;
  readonly headline: string | undefined;
}

/** States in which something goes on, or nobody can know whether it does. */
const ACTIVE: ReadonlySet<ShownState> = new Set(['working', 'waiting', 'needs-you', 'quiet', 'connecting', 'reconnecting', 'lost']);

/** Puts together what the card shows. */
export function cardModel(input: CardInput): CardModel {
  const { now, feed, language } = input;
  const session = feed?.session;
  const own = input.card ?? input.operations;
  const { operations = session?.operations ?? [], runs = session?.runs ?? [] } = input;
  const card = input.card ? asRecord(input.card, runs) : (session?.card ?? { revision: 0, card: null });
  const view = { now, connection: own ? undefined : session?.connection, run: runOfCard(card, runs) };
  const content = !!card.card || operations.length > 0;
  const error = own ? undefined : feed?.error;
  const loading = !own && feed && !session?.loaded;
  const state = content ? sessionState({ card, operations, runs }, view) : error ? 'lost' : loading ? 'connecting' : undefined;
  const plan = card.card?.plan ?? [];
  const steps = plan.map((step) => shownStep(step, card, view, language));
  const complete = plan.length > 0 && plan.every(({ status }) => status === 'completed') && operations.every(hasEnded);
  return {
    card,
    view,
    operations,
    runs,
    updatedAt: newest(card, operations),
    state,
    settled: isSettled(state) && operations.every(hasEnded) && !runs.some(isActive),
    content,
    dismissible: content && (complete || !ACTIVE.has(state!)),
    problem: error
      ? trProblem(error, language)
      : view.connection?.state === 'lost' && !input.told
        ? tr('The connection was lost.', language)
        : undefined,
    steps,
    current: steps[currentStepIndex(plan)],
    headline: headline(operations, language),
  };
}

/** A bare body says no time and no run: while a run is active it is taken to be of that one. */
function asRecord(card: NonNullable<CardInput['card']>, runs: readonly Run[]): CardRecord {
  return 'revision' in card ? card : { revision: 1, card, run: runs.findLast(isActive)?.run as string };
}

/**
 * The run by which a card is judged: its own while that is active, or while a run it started still is; else whichever is
 * active now; else its own, else the last.
 */
function runOfCard(card: CardRecord, runs: readonly Run[]): Run | undefined {
  const own = findRun(runs, card.run);
  if (own && isActive(own)) return own;
  const active = runs.findLast(isActive);
  if (own && active && descends(active, own, runs)) return { ...own, state: 'running', endedAt: undefined } as unknown as Run;
  return active ?? own ?? (card.run === undefined ? runs.at(-1) : undefined);
}

const isActive = ({ state }: Run): boolean => state === 'running';

function descends(run: Run, from: Run, runs: readonly Run[]): boolean {
  let left = runs.length;
  for (let at: Run | undefined = run; at && left--; at = findRun(runs, at.parent)) if (at.parent === from.run) return true;
  return false;
}

/** Newest change of anything shown. */
function newest(card: CardRecord, operations: readonly Operation[]): number | undefined {
  let at = card.card ? card.updatedAt : undefined;
  for (const { updatedAt } of operations) if (at === undefined || updatedAt > at) at = updatedAt;
  return at;
}

/** What somebody has to know first: what is asked of a person, in the words it is asked in, else what is going on. */
function headline(operations: readonly Operation[], language: Language): string | undefined {
  const live = operations.filter((operation) => !hasEnded(operation) && !operation.ambient);
  const asking = live.find((operation) => activity(operation) === 'needs-you');
  const first = asking ?? live[0];
  if (!first) return undefined;
  const more = live.filter((operation) => operation.parent === undefined).length - 1;
  const what = asking?.blockedOn?.prompt || summary(first, language);
  return !asking && more > 0 && first.parent === undefined ? tr('{what} and {n} more', language, { what, n: more }) : what;
}
