import { cardLiveness, currentStep, sessionState, summary } from '@sitrep/schema/select';
import type { Language } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import type { FeedState, SessionState } from '../display/feed.ts';
import { findRun } from '../display/find-run.ts';
import type { Sum } from '../display/session-link.ts';
import { hasEnded, isSettled } from '../display/shown-state.ts';

/** The sum of a session, or of one `run` of it. What cannot be known at the moment is said instead of what was true before. */
export function sessionSum({ session: whole, error }: FeedState, language: Language, run: string | undefined): Sum {
  const session = whole && run !== undefined ? onlyRun(whole, run) : whole;
  if (!session?.loaded) return { state: error ? 'lost' : 'connecting', settled: true };
  const state = sessionState(session, { now: Date.now(), connection: session.connection });
  const said = state === 'reconnecting' || state === 'lost' ? undefined : whatAbout(session, state, language);
  return { state, summary: said, settled: isSettled(state) };
}

/** The session as far as it belongs to one of its runs. */
function onlyRun(session: SessionState, key: string): SessionState {
  const { operations, runs, card } = session;
  return {
    ...session,
    operations: operations.filter((operation) => operation.run === key),
    runs: runs.filter(({ run }) => run === key),
    card: card.run === key ? card : { revision: 0, card: null },
  };
}

/** What the word of the sum is about: what needs a person, what failed, what is going on; else the session itself. */
function whatAbout(session: SessionState, state: Sum['state'], language: Language): string | undefined {
  const { operations, title } = session;
  const newest = (fits: (operation: Operation) => boolean): string | undefined => {
    const seen = operations.filter((operation) => fits(operation) && (!operation.ambient || operation.state === 'blocked'));
    const found = seen.findLast((operation) => operation.parent === undefined) ?? seen.at(-1);
    return found && summary(found, language);
  };
  switch (state) {
    case 'needs-you':
      return newest((operation) => operation.state === 'blocked');
    case 'failed':
      return newest((operation) => operation.state === 'failed' || operation.state === 'denied') ?? title;
    case 'working':
      return stepOf(session) ?? newest((operation) => operation.state === 'running') ?? title;
    case 'waiting':
    case 'quiet':
    case 'stale':
      return newest((operation) => !hasEnded(operation)) ?? title;
    default:
      return title ?? newest(hasEnded);
  }
}

/** The step at work, if the card can be believed to go on. */
function stepOf({ card, runs, connection }: SessionState): string | undefined {
  const step = currentStep(card.card?.plan);
  const view = { now: card.updatedAt ?? 0, connection, run: findRun(runs, card.run) };
  return step?.status === 'in_progress' && cardLiveness(card, view) === 'moving' ? step.step : undefined;
}
