import type { NoticeSlot } from '@sitrep/schema/select';
import type { RecordStore } from '../store/records.ts';
import { recordKey } from './record-key.ts';

const KIND = 'push.places';
/** Milliseconds after which what is shown of a session is forgotten: as long as a push service keeps it. */
const FORGET_MS = 86_400_000;

/** What one user was last told of one session. */
export interface Places {
  readonly user: string;
  readonly session: string;
  /** What stands in each place, as far as is known: an id of a message, or for progress its text. */
  readonly shown: { readonly [K in NoticeSlot]?: string | undefined };
  /** When the newest message went out, epoch milliseconds. */
  readonly last: number;
  /** The newest alerts: their ids and when they went out. */
  readonly alerts: readonly (readonly [id: string, at: number])[];
  /** The newest that only replaced: their places and when they went out. */
  readonly quiet?: readonly (readonly [slot: NoticeSlot, at: number])[] | undefined;
}

/** Messages without a sound that one place is given in QUIET_MS. */
const QUIET = 2;
const QUIET_MS = 60_000;

/** When a place may be written to without a sound; undefined for now. Times ahead are of a clock that was set back. */
export function quietUntil({ quiet = [] }: Places, slot: NoticeSlot, now: number): number | undefined {
  const recent = quiet.filter(([place, at]) => place === slot && Math.abs(now - at) < QUIET_MS);
  return recent.length < QUIET ? undefined : (recent.at(-QUIET)?.[1] ?? now) + QUIET_MS;
}

/** Those that went out, with one more. */
export function withQuiet({ quiet = [] }: Places, slot: NoticeSlot, now: number): NonNullable<Places['quiet']> {
  const others = quiet.filter(([place]) => place !== slot);
  const own = quiet.filter(([place]) => place === slot);
  return [...others, ...[...own, [slot, now] as const].slice(-QUIET)];
}

/** Keeps them in the store, so that no node and no restart tells twice or too often. */
export class PlacesStore {
  readonly #records: RecordStore;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  async get(user: string, session: string): Promise<{ readonly places: Places; readonly version: number }> {
    const held = await this.#records.get(KIND, recordKey(user, session));
    if (held) return { places: JSON.parse(held.value) as Places, version: held.version };
    return { places: { user, session, shown: {}, last: -Infinity, alerts: [] }, version: 0 };
  }

  /** Writes them if nobody else did meanwhile. */
  async put(places: Places, expected: number): Promise<boolean> {
    const { user, session, last } = places;
    const value = JSON.stringify({ ...places, last: Number.isFinite(last) ? last : 0 });
    return this.#records.write([{ kind: KIND, key: recordKey(user, session), value, expected }]);
  }

  /** Changes them, whatever others do meanwhile. */
  async change(user: string, session: string, change: (places: Places) => Places): Promise<void> {
    for (;;) {
      const { places, version } = await this.get(user, session);
      if (await this.put(change(places), version)) return;
    }
  }

  async sweep(now: number): Promise<void> {
    for (const { key, value, version } of await this.#records.list(KIND)) {
      if (now - (JSON.parse(value) as Places).last < FORGET_MS) continue;
      await this.#records.write([{ kind: KIND, key, value: null, expected: version }]);
    }
  }
}
