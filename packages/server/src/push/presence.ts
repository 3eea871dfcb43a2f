import type { RecordStore } from '../store/records.ts';
import { recordKey } from './record-key.ts';

const KIND = 'push.presence';
/** Milliseconds for which a page that looks at a session is believed to: two and a quarter of the beats it sends. */
export const LOOK_MS = 45_000;
/** Pages of one user that are remembered for one session. */
const MAX_PAGES = 32;
const TRIES = 5;

/** Until when each page looks, epoch milliseconds. */
type Pages = Readonly<Record<string, { readonly seen: number; readonly until: number }>>;

/** Who looks at which session. In the store, so that every node knows, and a restarted one. */
export class Presence {
  readonly #records: RecordStore;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  /** Notes that a page looks, or does not any more. */
  async note(user: string, session: string, page: string, visible: boolean, now: number): Promise<void> {
    const key = recordKey(user, session);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const held = await this.#records.get(KIND, key);
      const pages = new Map(
        Object.entries(held ? (JSON.parse(held.value) as Pages) : {}).filter(([, { until }]) => isBelieved(until, now)),
      );
      pages.delete(page);
      if (visible) pages.set(page, { seen: now, until: now + LOOK_MS });
      const kept = [...pages].slice(-MAX_PAGES);
      if (kept.length === 0 && !held) return;
      const value = kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept));
      if (await this.#records.write([{ kind: KIND, key, value, expected: held?.version ?? 0 }])) return;
    }
  }

  /** When a page of the user that still looks at the session was last heard of, and until when it is believed; undefined when none does. */
  async looking(user: string, session: string, now: number): Promise<{ readonly seen: number; readonly until: number } | undefined> {
    const held = await this.#records.get(KIND, recordKey(user, session));
    const pages = held ? Object.values(JSON.parse(held.value) as Pages).filter(({ until }) => isBelieved(until, now)) : [];
    if (pages.length === 0) return undefined;
    return { seen: Math.max(...pages.map(({ seen }) => seen)), until: Math.max(...pages.map(({ until }) => until)) };
  }

  /** Forgets pages that went without a word. */
  async sweep(now: number): Promise<void> {
    for (const { key, value, version } of await this.#records.list(KIND)) {
      if (Object.values(JSON.parse(value) as Pages).some(({ until }) => isBelieved(until, now))) continue;
      await this.#records.write([{ kind: KIND, key, value: null, expected: version }]);
    }
  }
}

/** True while a page is believed. One from farther ahead than a page ever is was heard of before the clock was set back. */
function isBelieved(until: number, now: number): boolean {
  return until > now && until <= now + 2 * LOOK_MS;
}
