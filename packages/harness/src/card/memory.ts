import { LIMITS } from '@sitrep/schema';
import { checkCardPut, codePointLength } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import { cardBody } from '@sitrep/schema/reduce';
import { planCounts } from '@sitrep/schema/select';
import type { Card, CardEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { handOver } from '../sink/hand-over.ts';
import type { Sink } from '../sink/sink.ts';
import type { CardPutResult, CardWrite, CardWriter } from './card-writer.ts';
import { splitRun } from './split-run.ts';

/** Options of a card writer in memory. */
export interface MemoryCardWriterOptions {
  /** Told of each write as a `card` event. */
  readonly sink?: Sink | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
}

/** A card writer that keeps cards itself, for tests and for hosts without a gateway. */
export interface MemoryCardWriter extends CardWriter {
  /** The session's card and its revision; revision 0 when there never was one. */
  get(session: string): { readonly revision: number; readonly card: Card | null };
}

const BAD_RUN: Issue = { path: '/run', code: 'type', message: `run must be text of 1 to ${LIMITS.id} characters.` };

function isRunName(run: unknown): run is string {
  return typeof run === 'string' && run !== '' && codePointLength(run) <= LIMITS.id;
}

/** Makes a card writer in memory. Revisions rise for ever per session, clears included. */
export function createMemoryCardWriter(options: MemoryCardWriterOptions = {}): MemoryCardWriter {
  const clock = options.clock ?? systemClock;
  const cards = new Map<string, { revision: number; card: Card | null }>();
  const get: MemoryCardWriter['get'] = (session) => cards.get(session) ?? { revision: 0, card: null };

  function write(session: string, given: CardWrite): CardPutResult {
    const { run, body } = splitRun(given);
    if (run !== undefined && !isRunName(run)) return { ok: false, code: 'invalid', issues: [BAD_RUN] };
    const checked = checkCardPut(body);
    if (!checked.ok) return { ok: false, code: 'invalid', issues: checked.issues };
    const { expectedRevision, ...content } = checked.value;
    const stored = get(session);
    if (expectedRevision !== undefined && expectedRevision !== stored.revision) return { ok: false, code: 'conflict', ...stored };
    const card = cardBody(content);
    const cleared = card === null;
    // There is nothing to clear, and no revision to spend on it.
    if (cleared && stored.revision === 0) return { ok: true, revision: 0, steps: null, cleared };
    const revision = stored.revision + 1;
    cards.set(session, { revision, card });
    const event: CardEvent = { type: 'card', session, revision, at: clock.now(), card };
    if (run !== undefined) event.run = run;
    if (options.sink !== undefined) handOver(options.sink, event, () => {});
    return { ok: true, revision, steps: card?.plan === undefined ? null : planCounts(card.plan), cleared };
  }

  return { get, put: (session, body) => Promise.resolve(write(session, body)) };
}
