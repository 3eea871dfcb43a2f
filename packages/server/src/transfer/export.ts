import type { LoggedEvent, SessionSummary, Store, StoredSession } from '../store/store.ts';
import { EXPORT_VERSION } from './format.ts';
import type { EventLine, ExportEnd, ExportHead, OperationLine, SessionEnd, SessionLine, TombstoneLine } from './format.ts';

/** How often a session that is written to meanwhile is read again, until it stands still for one reading. */
const TRIES = 20;

/** What is taken, and when. */
export interface ExportOptions {
  /** Names of the sessions. Default: all. */
  readonly sessions?: readonly string[] | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Everything a store keeps of sessions, as lines of JSON; see `format.ts`. One session is held at a time. Each is as it was at
 * one moment; the sessions need not be of the same one. Leases, remembered answers and other records are not taken.
 *
 * @throws when a session that was named is not there, or is written to without a pause
 */
export async function* exportLines(store: Store, { sessions, at }: ExportOptions): AsyncGenerator<string> {
  const summaries = new Map<string, SessionSummary>();
  for (const summary of await store.list({ limit: Number.MAX_SAFE_INTEGER })) summaries.set(summary.session, summary);
  // The least recently written first, so that they come back in that order.
  const names = sessions ?? [...summaries.keys()].toReversed();
  const missing = names.find((name) => !summaries.has(name));
  if (missing !== undefined) throw new Error(`There is no session ${JSON.stringify(missing)}.`);
  yield line({ type: 'export', version: EXPORT_VERSION, at } satisfies ExportHead);
  let count = 0;
  for (const name of names) {
    const taken = await take(store, name);
    // Let go meanwhile.
    if (taken === undefined) continue;
    count += 1;
    yield* sessionLines(taken, summaries.get(name) as SessionSummary);
  }
  yield line({ type: 'export.end', sessions: count } satisfies ExportEnd);
}

interface Taken {
  readonly stored: StoredSession;
  readonly events: readonly LoggedEvent[];
}

/** A session and its history of one moment. */
async function take(store: Store, session: string): Promise<Taken | undefined> {
  for (let n = 0; n < TRIES; n += 1) {
    const stored = await store.load(session);
    if (stored === undefined) return undefined;
    const events = await keptEvents(store, stored);
    const after = await store.load(session);
    if (after?.epoch === stored.epoch && after.seq === stored.seq) return { stored, events };
  }
  throw new Error(`The session ${JSON.stringify(session)} is written to all the time. Try again later.`);
}

/** All events that are kept: a store only says whether those after a position are. */
async function keptEvents(store: Store, { session, seq }: StoredSession): Promise<readonly LoggedEvent[]> {
  let kept: readonly LoggedEvent[] = [];
  let [low, high] = [0, seq];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const events = await store.eventsAfter(session, middle);
    if (events) {
      kept = events;
      high = middle;
    } else low = middle + 1;
  }
  return kept;
}

function* sessionLines({ stored, events }: Taken, { activity, open }: SessionSummary): Generator<string> {
  const { session, epoch, seq, updatedAt, title, usage, card, runs, operations, tombstones } = stored;
  yield line({ type: 'session', session, epoch, seq, updatedAt, activity, open, title, usage, card, runs } satisfies SessionLine);
  for (const { position, record } of operations) yield line({ type: 'operation', position, record } satisfies OperationLine);
  for (const { key, attempt } of tombstones) yield line({ type: 'tombstone', key, attempt } satisfies TombstoneLine);
  for (const { seq: at, data } of events) yield `{"type":"event","seq":${at},"event":${data}}\n`;
  const lines = operations.length + tombstones.length + events.length;
  yield line({ type: 'session.end', session, lines } satisfies SessionEnd);
}

function line(value: ExportHead | SessionLine | OperationLine | TombstoneLine | EventLine | SessionEnd | ExportEnd): string {
  return `${JSON.stringify(value)}\n`;
}
