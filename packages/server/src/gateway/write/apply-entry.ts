import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Lease } from '../../store/lease-store.ts';
import { beginsInLostRun, endOfAttempt } from '../session/ended.ts';
import { PRODUCER_LOST } from '../lease/lease.ts';
import type { LiveSession } from '../session/live-session.ts';
import { prepareEntry, UNANNOUNCED } from './prepare.ts';
import type { EntryContext, EventResult, Prepared } from './prepare.ts';

/** The highest revision a posted card may jump to: writes that count up from there never come to the end of the numbers. */
const MAX_REVISION = 2 ** 52;

/** A foreign frame is read with what the session is when its turn comes, and with what was written to it in that dialect before. */
export function prepareForeign(live: LiveSession, entry: unknown, context: EntryContext): Prepared {
  const name = context.dialect?.name ?? '';
  const prepared = prepareEntry(entry, {
    ...context,
    revision: live.index.card.revision,
    memory: live.memories.get(name),
    held: live.index,
  });
  if (prepared.memory !== undefined) live.memories.set(name, prepared.memory);
  return prepared;
}

/** An entry may hold several events: the first that was applied speaks for it, else the first. */
export function applyEntry(live: LiveSession, entry: Prepared, lease: Lease | undefined): EventResult {
  if (!entry.ok) return entry.result;
  const results = entry.events.map((prepared): EventResult => {
    if (entry.knownOnly && !live.knows(prepared.event)) return UNANNOUNCED;
    if (jumpsTooFar(prepared.event, live.index.card.revision)) return TOO_FAR;
    // A run that was taken for lost goes on under another name, and so does what begins in it.
    if (lease !== undefined && beginsInLostRun(live.index, prepared.event)) return { outcome: 'late', reason: PRODUCER_LOST };
    const outcome = live.apply(prepared, lease);
    const reason = outcome === 'applied' || lease === undefined ? undefined : endOfAttempt(live.index, prepared.event);
    return { outcome, ...(entry.mended ? { issues: entry.mended } : {}), ...(reason ? { reason } : {}) };
  });
  return results.find(({ outcome }) => outcome === 'applied') ?? (results[0] as EventResult);
}

/** A card that counts up from where it stands may always be written, however high somebody else had gone. */
function jumpsTooFar(event: ProgressEvent, standing: number): boolean {
  return event.type === 'card' && event.revision > MAX_REVISION && event.revision > standing + 1;
}

const TOO_FAR: EventResult = {
  outcome: 'invalid',
  issues: [
    { path: '/revision', code: 'range', message: `revision must be at most ${MAX_REVISION}, so that the card can go on being written.` },
  ],
};
