import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import { activity, cardLiveness, sessionActivity, summary } from '@sitrep/schema/select';
import type { View } from '@sitrep/schema/select';
import type { FeedState } from '../display/feed.ts';
import { findRun } from '../display/lookup.ts';
import { hasEnded, viewOf } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';

/** Where the parts of a card come from: own properties first, the session otherwise. */
export interface CardInput {
  readonly now: number;
  readonly feed: FeedState | undefined;
  readonly card: CardRecord | NonNullable<CardRecord['card']> | undefined;
  readonly operations: readonly Operation[] | undefined;
  readonly runs: readonly Run[] | undefined;
  readonly usage: Usage | undefined;
}

/** What the card shows, derived once per render. */
export interface CardModel {
  readonly now: number;
  readonly card: CardRecord;
  readonly view: View;
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly title: string | undefined;
  readonly usage: string | undefined;
  /** When anything in it last changed. */
  readonly updatedAt: number | undefined;
  /** The state in the pill; undefined when there is nothing to say. */
  readonly state: ShownState | undefined;
  /** Nothing is going on any more. */
  readonly settled: boolean;
  /** There is something to open. */
  readonly content: boolean;
  readonly loading: boolean;
  readonly problem: string | undefined;
  /** One line for a card without a plan. */
  readonly headline: string | undefined;
}

const NO_CARD: CardRecord = { revision: 0, card: null };

/** Puts together what the card shows. */
export function cardModel(input: CardInput): CardModel {
  const { now, feed } = input;
  const session = feed?.session;
  const card = input.card ? asRecord(input.card) : (session?.card ?? NO_CARD);
  const operations = input.operations ?? session?.operations ?? [];
  const runs = input.runs ?? session?.runs ?? [];
  const own = input.card !== undefined || input.operations !== undefined;
  const loading = !own && feed !== undefined && !session?.loaded && feed.error === undefined;
  const view = viewOf(now, own ? undefined : session?.connection, runOfCard(card, runs));
  const content = card.card !== null || operations.length > 0;
  const state = content ? stateOf(card, operations, runs, view) : loading ? 'connecting' : feed?.error && !own ? 'lost' : undefined;
  return {
    now,
    card,
    view,
    operations,
    runs,
    title: session?.title,
    usage: usageText(input.usage ?? session?.usage),
    updatedAt: newest(card, operations),
    state,
    settled: isSettled(state, operations, runs),
    content,
    loading,
    problem: own ? undefined : (feed?.error ?? (view.connection?.state === 'lost' ? 'The connection was lost.' : undefined)),
    headline: headline(operations),
  };
}

function asRecord(card: NonNullable<CardInput['card']>): CardRecord {
  return 'revision' in card ? card : { revision: 1, card };
}

/**
 * The run by which a card is judged: its own while that is active, or while a run it started still is; else whichever is
 * active now; else its own, else the last.
 */
function runOfCard(card: CardRecord, runs: readonly Run[]): Run | undefined {
  const own = findRun(runs, card.run);
  if (own?.state === 'running') return own;
  const active = runs.findLast((run) => run.state === 'running');
  if (own && active && descends(active, own, runs)) {
    const { endedAt: _endedAt, ...rest } = own;
    return { ...rest, state: 'running' };
  }
  return active ?? own ?? (card.run === undefined ? runs.at(-1) : undefined);
}

function descends(run: Run, from: Run, runs: readonly Run[]): boolean {
  const seen = new Set<Run>();
  for (let at: Run | undefined = run; at && !seen.has(at); at = findRun(runs, at.parent)) {
    if (at.parent === from.run) return true;
    seen.add(at);
  }
  return false;
}

/** The session's activity, unless the card knows better or nobody can know at the moment. */
function stateOf(card: CardRecord, operations: readonly Operation[], runs: readonly Run[], view: View): ShownState {
  const doing = sessionActivity(operations, runs);
  const live = doing === 'working' || doing === 'waiting' || doing === 'needs-you';
  const life = cardLiveness(card, view);
  const connection = view.connection?.state;
  if (live || (life !== 'settled' && doing === 'idle')) {
    if (connection === 'reconnecting' || connection === 'connecting') return 'reconnecting';
    if (connection === 'lost') return 'lost';
    if (connection === 'ended') return 'stale';
  }
  if (doing === 'working') return silence(operations, card, view) ?? doing;
  if (doing !== 'idle' || card.card === null) return doing;
  if (life === 'moving') return isOpenPlan(card) ? 'working' : 'idle';
  if (life !== 'settled') return life;
  return card.card.plan?.some((step) => step.status === 'failed') ? 'failed' : 'done';
}

/** Work is said to go on, and nobody has been heard for a while; what waits owes no news. */
function silence(operations: readonly Operation[], card: CardRecord, { now, run, quietAfter }: View): 'quiet' | 'stale' | undefined {
  const updatedAt = newest(card, operations);
  if (updatedAt === undefined || operations.some((operation) => !hasEnded(operation) && operation.state !== 'running')) return undefined;
  const heard: CardRecord = { revision: 1, card: {}, updatedAt, ...(run && { run: run.run }) };
  const life = cardLiveness(heard, { now, run, quietAfter });
  return life === 'quiet' || life === 'stale' ? life : undefined;
}

function isOpenPlan({ card }: CardRecord): boolean {
  return card?.plan?.some((step) => step.status === 'in_progress') ?? false;
}

/** Nothing goes on: no operation lives, no run is active, and the card does not claim otherwise. */
function isSettled(state: ShownState | undefined, operations: readonly Operation[], runs: readonly Run[]): boolean {
  const over = state === 'done' || state === 'failed' || state === 'idle';
  return over && operations.every(hasEnded) && !runs.some((run) => run.state === 'running');
}

/** Newest change of anything shown. */
function newest(card: CardRecord, operations: readonly Operation[]): number | undefined {
  let at = card.card === null ? undefined : card.updatedAt;
  for (const { updatedAt } of operations) if (at === undefined || updatedAt > at) at = updatedAt;
  return at;
}

/** What somebody has to know first: what needs a person, else what is going on. */
function headline(operations: readonly Operation[]): string | undefined {
  const live = operations.filter((operation) => !hasEnded(operation) && !operation.ambient);
  const first = live.find((operation) => activity(operation) === 'needs-you') ?? live.at(0);
  if (!first) return undefined;
  const more = live.filter((operation) => operation.parent === undefined).length - 1;
  return more > 0 && first.parent === undefined ? `${summary(first)} and ${more} more` : summary(first);
}

function usageText(usage: Usage | undefined): string | undefined {
  if (!usage) return undefined;
  if (usage.label) return usage.label;
  const tokens = usage.tokens === undefined ? undefined : `${usage.tokens.toLocaleString('en')} tokens`;
  const cost = usage.cost && `${usage.cost.amount} ${usage.cost.currency}`;
  return [tokens, cost].filter((part) => part !== undefined).join(' · ') || undefined;
}
