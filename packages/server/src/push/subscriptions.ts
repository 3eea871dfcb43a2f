import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { RecordStore, RecordWrite } from '../store/records.ts';
import { DELIVERY, deliveryKey } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import { subscriptionId } from './subscription.ts';
import type { StoredSubscription, SubscriptionInput } from './subscription.ts';

const KIND = 'push.subscription';
/** Another one with each change, so that another node sees that there was one, and this one that it was its own. */
const CHANGED = { kind: 'push.subscriptions', key: 'changed' } as const;
/** Sessions one subscription may name. */
const MAX_SESSIONS = 100;
/** Subscriptions that are forgotten at once. */
const MAX_SWEPT = 5_000;
/** How often a write that another one came before is tried. */
const TRIES = 10;

/** What a token lets its user be told of. */
export interface Reach {
  readonly user: string;
  readonly sessions: readonly string[];
  readonly prefixes: readonly string[];
}

export interface SubscriptionLimits {
  /** Subscriptions of one user; the one renewed longest ago goes first. */
  readonly perUser: number;
  /** Subscriptions in all. */
  readonly total: number;
  /** Milliseconds one lives after a page last renewed it. */
  readonly lifetimeMs: number;
}

/** The subscriptions of all users, in the store; what was read is kept until one changes. */
export class Subscriptions {
  readonly #records: RecordStore;
  readonly #limits: SubscriptionLimits;
  #held: ReadonlyMap<string, StoredSubscription> = new Map();
  #version: number | undefined;
  /** What those that were read name: sessions, and beginnings of names. */
  #names: ReadonlySet<string> = new Set();
  #prefixes: ReadonlySet<string> = new Set();

  constructor(records: RecordStore, limits: SubscriptionLimits) {
    this.#records = records;
    this.#limits = limits;
  }

  /** How many there were when they were last read; undefined before. */
  get count(): number | undefined {
    return this.#version === undefined ? undefined : this.#held.size;
  }

  /** False when none of those that were last read can want to be told of this session. Cheap, however many there are. */
  mayConcern(session: string): boolean {
    if (this.#version === undefined || this.#names.has(session)) return true;
    for (const prefix of this.#prefixes) if (session.startsWith(prefix)) return true;
    return false;
  }

  /** All that have not lapsed at this time. */
  async all(now: number): Promise<readonly StoredSubscription[]> {
    const version = (await this.#records.get(CHANGED.kind, CHANGED.key))?.version ?? 0;
    if (version !== this.#version) {
      const found = await this.#records.list(KIND);
      this.#hold(new Map(found.map(({ key, value }) => [key, JSON.parse(value) as StoredSubscription])), version);
    }
    return [...this.#held.values()].filter(({ renewedAt }) => now - renewedAt < this.#limits.lifetimeMs);
  }

  #hold(held: ReadonlyMap<string, StoredSubscription>, version: number): void {
    const all = [...held.values()];
    this.#held = held;
    this.#version = version;
    this.#names = new Set(all.flatMap(({ only, sessions }) => only ?? sessions));
    this.#prefixes = new Set(all.flatMap(({ only, prefixes }) => (only === null ? prefixes : [])));
  }

  /**
   * Makes or renews one. Answers `full` when there is no room for another, and `foreign` when its endpoint belongs to somebody else and has
   * another secret: that is not the browser it says it is. With the same secret it is, and passes to who uses it now.
   */
  async put(input: SubscriptionInput, reach: Reach, now: number): Promise<StoredSubscription | 'full' | 'foreign'> {
    const { endpoint, p256dh, auth, session } = input;
    const id = subscriptionId(endpoint);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const all = await this.all(now);
      const version = this.#version ?? 0;
      const held = all.find((other) => other.id === id);
      const before = held?.user === reach.user ? held : undefined;
      if (held && !before && !isSame(held.auth, auth)) return 'foreign';
      const own = all.filter((other) => other.user === reach.user && other.id !== id).sort((a, b) => a.renewedAt - b.renewedAt);
      const gone = own.slice(0, Math.max(0, own.length + 1 - this.#limits.perUser));
      if (!held && all.length - gone.length >= this.#limits.total) return 'full';
      const subscription: StoredSubscription = { id, ...reach, endpoint, p256dh, auth, only: onlyOf(before, session), renewedAt: now };
      const writes = [...gone.map((other) => this.#write(other.id, null)), this.#write(id, subscription)];
      if (await this.#change(writes, version)) {
        // What is committed from now on is for this one too.
        await this.all(now);
        return subscription;
      }
    }
    throw new Error('Subscriptions change too fast. Ask again.');
  }

  /** Takes one of a user away, or one session from those it names. Answers whether it was there. */
  async remove(endpoint: string, user: string, session: string | undefined, now: number): Promise<boolean> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const all = await this.all(now);
      const found = all.find((other) => other.endpoint === endpoint && other.user === user);
      if (!found) return false;
      const only = session === undefined ? [] : found.only?.filter((name) => name !== session);
      // One that names no session any more has nothing to be told of.
      const left = only?.length === 0 ? null : { ...found, only: only ?? null };
      if (await this.#change([this.#write(found.id, left)], this.#version ?? 0)) return true;
    }
    return false;
  }

  /** Takes one away that its push service no longer knows. */
  async drop(id: string): Promise<void> {
    await this.#change([this.#write(id, null)], undefined);
  }

  /**
   * Puts a new endpoint in the place of an old one. Whoever knows the old one and its secret is the browser it belongs to: a
   * service worker has no token.
   */
  async replace(old: { readonly endpoint: string; readonly auth: string }, input: SubscriptionInput, now: number): Promise<boolean> {
    const { endpoint, p256dh, auth } = input;
    const id = subscriptionId(endpoint);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const all = await this.all(now);
      const found = all.find((other) => other.endpoint === old.endpoint);
      if (!found || !isSame(found.auth, old.auth)) return false;
      const there = all.find((other) => other.id === id);
      if (there && !isSame(there.auth, auth)) return false;
      const renewed: StoredSubscription = { ...found, id, endpoint, p256dh, auth };
      const writes = [this.#write(found.id, null), this.#write(id, renewed), ...(await this.#moved(found.id, id))];
      if (await this.#change(writes, this.#version ?? 0)) return true;
    }
    throw new Error('Subscriptions change too fast. Ask again.');
  }

  /** What waits for one subscription, for another. */
  async #moved(from: string, to: string): Promise<readonly RecordWrite[]> {
    if (from === to) return [];
    const waiting = (await this.#records.list(DELIVERY)).map(({ value }) => JSON.parse(value) as Delivery);
    return waiting
      .filter(({ subscription }) => subscription === from)
      .flatMap((delivery) => {
        const moved = { ...delivery, subscription: to };
        return [
          { kind: DELIVERY, key: deliveryKey(delivery), value: null },
          { kind: DELIVERY, key: deliveryKey(moved), value: JSON.stringify(moved) },
        ];
      });
  }

  /** Forgets those that lapsed. */
  async sweep(now: number): Promise<void> {
    const lapsed = [...this.#held.values()].filter(({ renewedAt }) => now - renewedAt >= this.#limits.lifetimeMs).slice(0, MAX_SWEPT);
    if (lapsed.length > 0)
      await this.#change(
        lapsed.map(({ id }) => this.#write(id, null)),
        this.#version,
      );
  }

  #write(id: string, value: StoredSubscription | null): RecordWrite {
    return { kind: KIND, key: id, value: value && JSON.stringify(value) };
  }

  async #change(writes: readonly RecordWrite[], expected: number | undefined): Promise<boolean> {
    const value = randomUUID();
    const before = this.#version;
    if (!(await this.#records.write([{ ...CHANGED, value, expected }, ...writes]))) return false;
    if (expected === undefined || before !== expected || this.#version !== before) return true;
    // Nobody else changed anything before or since: what is held becomes what is stored, however much that is.
    const changed = await this.#records.get(CHANGED.kind, CHANGED.key);
    if (changed?.value !== value || this.#version !== before) return true;
    const held = new Map(this.#held);
    for (const write of writes) {
      if (write.kind !== KIND) continue;
      if (write.value === null) held.delete(write.key);
      else held.set(write.key, JSON.parse(write.value) as StoredSubscription);
    }
    this.#hold(held, changed.version);
    return true;
  }
}

/** The sessions it names, with one more; the one named longest ago goes first. Without one it is told of all. */
function onlyOf(before: StoredSubscription | undefined, session: string | undefined): readonly string[] | null {
  if (session === undefined) return null;
  if (before && before.only === null) return null;
  return [...(before?.only ?? []).filter((name) => name !== session), session].slice(-MAX_SESSIONS);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
