import { checkEvent, checkSnapshot } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import { operationKey } from '@sitrep/schema/reduce';
import type { Activity } from '@sitrep/schema/select';
import type { CardRecord, Run, Usage } from '@sitrep/schema';
import type { Snapshot } from '@sitrep/schema/wire';
import { sessionNameFault } from '../gateway/session/session-name.ts';
import { isEpoch } from '../gateway/read/cursor.ts';
import { newEpoch } from '../gateway/session/sessions.ts';
import type { LoggedEvent, SessionChange, Store, StoredOperation, StoredTombstone } from '../store/store.ts';
import { EXPORT_VERSION } from './format.ts';

/** Lines one session may have: far more than a store keeps of one. */
const MAX_LINES = 200_000;
/** Characters one session may have in its lines. */
const MAX_SIZE = 268_435_456;
const ACTIVITIES: readonly unknown[] = ['working', 'waiting', 'needs-you', 'idle', 'done', 'failed'] satisfies Activity[];

/** One line of an export: its number and its value, or why it has none. */
export type NumberedLine = { readonly number: number } & ({ readonly value: unknown } | { readonly issues: readonly Issue[] });

/** How what is there already is dealt with. */
export interface ImportOptions {
  /** Puts what is imported in the place of another history of the same session. Default: such a session is refused. */
  readonly replace?: boolean | undefined;
  /** Begins a new epoch for each session, so that readers who saw more of its history than is imported begin anew. */
  readonly newEpochs?: boolean | undefined;
  /** Told of each line, and each session, that could not be taken. */
  readonly onFault: (number: number, message: string) => void;
}

/** What became of an import. */
export interface Imported {
  /** Sessions that were stored. */
  imported: number;
  /** Sessions that were there already, just so. */
  unchanged: number;
  /** Sessions that were refused, or whose lines were bad. */
  refused: number;
  /** False when the export ended before its end. */
  complete: boolean;
}

interface Draft {
  readonly number: number;
  readonly head: Readonly<Record<string, unknown>>;
  readonly operations: { readonly position: number; readonly record: unknown }[];
  readonly tombstones: StoredTombstone[];
  readonly events: LoggedEvent[];
  lines: number;
  size: number;
  isBad: boolean;
}

/**
 * Takes an export into a store, each session in one commit or not at all. One session is held at a time. A second time nothing
 * changes. Bad lines are told by their numbers and spoil their own session alone.
 *
 * @throws when the first line is not that of an export this version reads
 */
export async function importLines(lines: AsyncIterable<NumberedLine>, store: Store, options: ImportOptions): Promise<Imported> {
  const result: Imported = { imported: 0, unchanged: 0, refused: 0, complete: false };
  let isBegun = false;
  let draft: Draft | undefined;
  const fault = (number: number, message: string): void => {
    if (draft) draft.isBad = true;
    options.onFault(number, message);
  };
  const giveUp = (): void => {
    if (draft) result.refused += 1;
    draft = undefined;
  };
  for await (const line of lines) {
    const { number } = line;
    if ('issues' in line) {
      if (!isBegun) throw notAnExport();
      fault(number, line.issues.map(({ message }) => message).join(' '));
      continue;
    }
    const value = isRecord(line.value) ? line.value : {};
    if (!isBegun) {
      if (value['type'] !== 'export') throw notAnExport();
      if (value['version'] !== EXPORT_VERSION)
        throw new Error(`This export is of version ${String(value['version'])}; this program reads version ${EXPORT_VERSION}.`);
      isBegun = true;
      continue;
    }
    if (result.complete) {
      fault(number, 'This line stands after the end of the export.');
      continue;
    }
    switch (value['type']) {
      case 'session':
        if (draft) fault(draft.number, 'This session has no end.');
        giveUp();
        draft = { number, head: value, operations: [], tombstones: [], events: [], lines: 0, size: 0, isBad: false };
        break;
      case 'operation':
      case 'tombstone':
      case 'event':
        if (draft) add(draft, value, (message) => fault(number, message));
        else fault(number, 'This line belongs to no session.');
        break;
      case 'session.end': {
        const ended: Draft | undefined = draft;
        if (!ended) fault(number, 'This line ends no session.');
        else if (value['session'] !== ended.head['session'] || value['lines'] !== ended.lines)
          fault(number, `The session has ${ended.lines} lines here, and ${String(value['lines'])} in the export: some are missing.`);
        if (ended && !ended.isBad) {
          const outcome = await keep(ended, store, options);
          result[outcome] += 1;
          draft = undefined;
        } else giveUp();
        break;
      }
      case 'export.end':
        if (draft) fault(draft.number, 'This session has no end.');
        giveUp();
        result.complete = true;
        break;
      default:
        fault(number, 'This line is none of an export.');
    }
  }
  if (draft) fault(draft.number, 'This session has no end.');
  giveUp();
  if (!isBegun) throw notAnExport();
  return result;
}

function add(draft: Draft, value: Readonly<Record<string, unknown>>, fault: (message: string) => void): void {
  draft.lines += 1;
  if (draft.lines > MAX_LINES || draft.size > MAX_SIZE) {
    // Nothing more of it is held; the first fault says why.
    if (!draft.isBad) fault('This session is larger than a store keeps one.');
    return;
  }
  if (value['type'] === 'operation') {
    const { position, record } = value;
    if (!isCount(position) || position === 0) return fault('position must be a whole number above 0.');
    draft.size += JSON.stringify(record ?? null).length;
    draft.operations.push({ position, record });
  } else if (value['type'] === 'tombstone') {
    const { key, attempt } = value;
    if (typeof key !== 'string' || key === '' || key.length > 2_048 || !isCount(attempt))
      return fault('A tombstone needs a key and an attempt.');
    draft.size += key.length;
    draft.tombstones.push({ key, attempt });
  } else {
    const { seq, event } = value;
    const checked = checkEvent(event);
    if (!checked.ok) return fault(checked.issues.map(({ message }) => message).join(' '));
    if (checked.value.session !== draft.head['session']) return fault('The event is of another session.');
    if (!isCount(seq) || seq === 0 || (draft.events.length > 0 && seq !== (draft.events.at(-1)?.seq ?? 0) + 1))
      return fault('seq must be the one before and one.');
    const data = JSON.stringify(event);
    draft.size += data.length;
    draft.events.push({ seq, type: checked.value.type, data });
  }
}

/** Stores a whole session, unless it is there. */
async function keep(draft: Draft, store: Store, options: ImportOptions): Promise<'imported' | 'unchanged' | 'refused'> {
  const fault = (message: string): 'refused' => {
    options.onFault(draft.number, message);
    return 'refused';
  };
  const stored = async (whole: SessionChange): Promise<'imported' | 'refused'> => {
    const refusal = (await store.commit([whole])).refused?.get(whole.session);
    if (refusal === undefined) return 'imported';
    return fault(refusal === 'moved' ? 'The session is written to meanwhile. Import it again.' : refusal.message);
  };
  const change = changeOf(draft);
  if (typeof change === 'string') return fault(change);
  const { session } = change;
  const present = await store.load(session);
  if (!present) {
    const epoch = options.newEpochs ? newEpoch() : change.epoch;
    // Readers who wait for it were told how it will begin: they begin anew.
    const first = (await store.shared?.reserve(session, epoch)) ?? epoch;
    return stored({ ...change, epoch, base: { epoch: first, seq: 0 } });
  }
  if (present.epoch === change.epoch && present.seq === change.seq && !options.newEpochs) return 'unchanged';
  if (!options.replace)
    return fault(`The session ${JSON.stringify(session)} is there already, with another history. --replace puts this one in its place.`);
  // Of the same history another part may have been seen by readers.
  const epoch = options.newEpochs || present.epoch === change.epoch ? newEpoch() : change.epoch;
  return stored({ ...change, epoch, reset: true, runs: change.runs ?? [], base: { epoch: present.epoch, seq: present.seq } });
}

/** The session as one change, or what is wrong with it. */
function changeOf({ head, operations, tombstones, events }: Draft): SessionChange | string {
  const { session, epoch, seq, updatedAt, activity, open, title, usage, card, runs } = head;
  const nameFault = sessionNameFault(session);
  if (nameFault !== undefined) return nameFault;
  if (!isEpoch(epoch)) return 'epoch is none of a gateway.';
  if (!isCount(seq) || seq === 0) return 'seq must be a whole number above 0.';
  if (!isCount(updatedAt)) return 'updatedAt must be epoch milliseconds.';
  if (!ACTIVITIES.includes(activity) || typeof open !== 'boolean') return 'activity and open must be those of a session.';
  if (!isRecord(card) || !isCount(card['revision'])) return 'card must be a card with its revision.';
  if (events.length > 0 && events.at(-1)?.seq !== seq) return 'The newest event must be at seq.';
  if (operations.some(({ position }) => position > seq)) return 'An operation must not begin after seq.';
  const { revision, card: body = null, updatedAt: cardUpdatedAt, run: cardRun } = card as unknown as CardRecord;
  const about = { ...(title === undefined ? {} : { title }), ...(usage === undefined ? {} : { usage }) };
  const ofCard = { ...(cardUpdatedAt === undefined ? {} : { cardUpdatedAt }), ...(cardRun === undefined ? {} : { cardRun }) };
  const records = operations.map(({ record }) => record);
  const checked = checkSnapshot({
    type: 'snapshot',
    session,
    epoch,
    seq,
    at: updatedAt,
    card: body,
    revision,
    ...ofCard,
    operations: records,
    runs,
    ...about,
  });
  if (!checked.ok) return checked.issues.map(({ path, message }) => `${path} ${message}`).join(' ');
  const snapshot: Snapshot = checked.value;
  const stored: StoredOperation[] = snapshot.operations.map((record, n) => {
    return { key: operationKey(record.id, record.run), position: operations[n]?.position ?? seq, record };
  });
  if (new Set(stored.map(({ key }) => key)).size < stored.length) return 'Two operations have the same run and id.';
  return {
    session: snapshot.session,
    epoch: snapshot.epoch,
    seq,
    updatedAt,
    activity: activity as Activity,
    open,
    title: snapshot.title,
    usage: snapshot.usage as Usage | undefined,
    // As it was written: in the order of its fields, which a store keeps.
    card: revision === 0 ? undefined : { ...(card as unknown as CardRecord), card: snapshot.card },
    runs: snapshot.runs as readonly Run[],
    operations: stored,
    removed: tombstones,
    events,
  };
}

function notAnExport(): Error {
  return new Error('The first line is not that of an export: {"type":"export","version":1,…}. `sitrep export` writes them.');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
