import type { Notice, NoticeSession } from '@sitrep/schema/select';
import { isAsking, noticeTag, progressNotice } from '@sitrep/schema/select';
import type { Clock } from '../gateway/clock.ts';
import type { Log } from '../gateway/log.ts';
import type { RecordStore, RecordWrite } from '../store/records.ts';
import { Courier } from './courier.ts';
import { DELIVERY, deliveryKey, isNewer, messageFor, overNotice } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import { Lanes } from './lanes.ts';
import { resolvePushOptions } from './options.ts';
import type { PushOptions, ResolvedPushOptions } from './options.ts';
import { OWED } from './owed.ts';
import type { Owed } from './owed.ts';
import { PlacesStore, quietUntil, withQuiet } from './places.ts';
import { AT_ONCE, Poster } from './post.ts';
import { Presence } from './presence.ts';
import { byUser, hostOf } from './recipients.ts';
import { newPushStats } from './stats.ts';
import { wants } from './subscription.ts';
import type { StoredSubscription } from './subscription.ts';
import { Subscriptions } from './subscriptions.ts';

/** Milliseconds between two looks at what is to be told. */
const TICK_MS = 1_000;
/** Ticks between two looks for what other nodes left, and between two clearings. */
const POLL_TICKS = 5;
const SWEEP_TICKS = 600;
/** Sessions that wait to be told of; the one that waits longest is let go. */
const MAX_WAITING = 10_000;
/** Records written at once. */
const MAX_WRITES = 5_000;
/** What clocks of several gateways may differ by, milliseconds. */
const SKEW_MS = 5_000;

interface PushParts {
  readonly records: RecordStore;
  readonly clock: Clock;
  readonly log: Log;
  /** A session as it was last committed. */
  readonly session: (name: string) => Promise<NoticeSession & { readonly epoch: string; readonly seq: number }>;
}

/**
 * Web Push. What is to be noticed is stored in the commit of what it tells of, then shared out among the subscriptions of those who may know,
 * then brought to their push services until they take it: a restart loses and repeats nothing that was not already on its way. Progress is
 * not stored: the newest goes out now and then.
 */
export class Push {
  readonly options: ResolvedPushOptions;
  readonly subscriptions: Subscriptions;
  readonly presence: Presence;
  readonly stats = newPushStats();
  readonly #parts: PushParts;
  readonly #places: PlacesStore;
  readonly #poster: Poster;
  readonly #courier: Courier;
  readonly #lanes = new Lanes(AT_ONCE);
  readonly #stop: () => void;
  /** Sessions that moved, and when they may next be told of, epoch milliseconds. */
  readonly #moved = new Map<string, number>();
  #ticks = 0;
  /** When it was last looked, epoch milliseconds. */
  #looked = -Infinity;
  /** True when there may be something to share out or to deliver. */
  #hinted = true;
  /** True when deliveries wait for their time. */
  #outstanding = false;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(options: PushOptions, parts: PushParts) {
    this.options = resolvePushOptions(options);
    this.#parts = parts;
    const { records, clock, log } = parts;
    const { subscriptionsPerUser, subscriptions, subscriptionMs } = this.options;
    this.subscriptions = new Subscriptions(records, { perUser: subscriptionsPerUser, total: subscriptions, lifetimeMs: subscriptionMs });
    this.presence = new Presence(records);
    this.#places = new PlacesStore(records);
    this.#poster = new Poster(this.options);
    this.#courier = new Courier({
      records,
      subscriptions: this.subscriptions,
      presence: this.presence,
      places: this.#places,
      poster: this.#poster,
      stats: this.stats,
      log,
      now: () => clock.now(),
      session: parts.session,
    });
    this.#stop = clock.every(TICK_MS, () => this.tick());
  }

  /** False when nobody is subscribed: then nothing need be stored for anybody. */
  get wanted(): boolean {
    return this.subscriptions.count !== 0;
  }

  /** Told after each commit; `owes` when something that is to be noticed was stored with it. */
  committed(session: string, owes: boolean): void {
    if (owes) this.#hinted = true;
    if (this.#moved.has(session) || !this.subscriptions.mayConcern(session)) return;
    if (this.#moved.size >= MAX_WAITING) this.#moved.delete(this.#moved.keys().next().value as string);
    this.#moved.set(session, -Infinity);
  }

  /** Told when a page said whether it is looked at: what waits for that may go on. */
  looked(): void {
    this.#hinted = true;
  }

  /** Looks at what is to be told. One look at a time. */
  tick(): void {
    if (this.#closed) return;
    this.#running ??= this.#look()
      .catch((error: unknown) => {
        const { message } = error as Error;
        this.#hinted = true;
        this.#parts.log(`Push could not look at what is to be told: ${message}`, { event: 'push_failed', reason: message });
      })
      .finally(() => (this.#running = undefined));
  }

  /** Resolves when nothing is being sent. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
    await this.#lanes.idle();
  }

  /** Stops. What was to be noticed and not yet taken is in the store. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#stop();
    this.#poster.close();
    await this.settled();
  }

  async #look(): Promise<void> {
    const now = this.#parts.clock.now();
    this.#ticks += 1;
    if (now < this.#looked) this.#clockSetBack();
    this.#looked = now;
    const all = await this.subscriptions.all(now);
    if (this.#hinted || this.#outstanding || this.#ticks % POLL_TICKS === 0) {
      this.#hinted = false;
      await this.#share(all);
      await this.#dispatch(all, now);
    }
    const due = [...this.#moved].filter(([, notBefore]) => notBefore <= now);
    for (const [session] of due) {
      this.#moved.delete(session);
      const again = await this.#progress(session, all, now);
      if (again !== undefined && !this.#moved.has(session)) this.#moved.set(session, again);
    }
    if (this.#ticks % SWEEP_TICKS === 0) {
      await this.subscriptions.sweep(now);
      await this.presence.sweep(now);
      await this.#places.sweep(now);
    }
  }

  /** Times ahead are of a clock that was set back: what waits for them need not. */
  #clockSetBack(): void {
    for (const session of this.#moved.keys()) this.#moved.set(session, -Infinity);
    this.#courier.clockSetBack();
  }

  /** Makes a delivery for each subscription out of what is owed. */
  async #share(all: readonly StoredSubscription[]): Promise<void> {
    const { records } = this.#parts;
    for (const { key, value, version } of await records.list(OWED)) {
      const owed = JSON.parse(value) as Owed;
      const { session, slot, notice } = owed;
      const writes: RecordWrite[] = [];
      let isFlying = false;
      for (const subscription of all.filter((each) => wants(each, session))) {
        const { id, user } = subscription;
        const delivery: Delivery = { subscription: id, user, session, slot, notice, id: owed.id, at: owed.at, notBefore: 0, tries: 0 };
        const target = { kind: DELIVERY, key: deliveryKey(delivery) };
        if (this.#lanes.busy(id)) isFlying = true;
        const waits = await records.get(target.kind, target.key);
        if (notice?.alert) {
          writes.push({ ...target, value: JSON.stringify(delivery) });
          continue;
        }
        // What only replaces is worth a message where something stands, and takes back what has not gone out yet.
        const { places } = await this.#places.get(user, session);
        const waiting = waits && (JSON.parse(waits.value) as Delivery);
        const isAlertWaiting = waiting?.notice?.alert === true;
        if (waiting && isNewer(waiting, delivery)) continue;
        if (isAlertWaiting && (slot === 'status' || waiting.notice?.body === notice?.body)) continue;
        if (places.shown[slot] !== undefined) writes.push({ ...target, value: JSON.stringify(delivery) });
        else if (isAlertWaiting && notice) {
          // Of what else is asked nobody was told yet either.
          writes.push({ ...target, value: JSON.stringify({ ...delivery, notice: { ...notice, alert: true } } satisfies Delivery) });
        } else if (waits) writes.push({ ...target, value: null });
      }
      // What is on its way may be what this takes back.
      if (isFlying && !notice?.alert) {
        this.#hinted = true;
        continue;
      }
      // One transaction for what is not out of the ordinary: stores do not take any number of records at once.
      while (writes.length > MAX_WRITES) await records.write(writes.splice(0, MAX_WRITES));
      if (!(await records.write([{ kind: OWED, key, value: null, expected: version }, ...writes]))) this.#hinted = true;
    }
  }

  /** Tries every delivery whose time has come. */
  async #dispatch(all: readonly StoredSubscription[], now: number): Promise<void> {
    const byId = new Map(all.map((subscription) => [subscription.id, subscription]));
    const waiting = (await this.#parts.records.list(DELIVERY)).map(({ value, version }) => ({
      delivery: JSON.parse(value) as Delivery,
      version,
    }));
    this.#outstanding = waiting.length > 0;
    // How something ended also says that nothing is asked any more: that first, and there may be nothing left to empty.
    waiting.sort((a, b) => Number(a.delivery.notice === null) - Number(b.delivery.notice === null));
    for (const { delivery, version } of waiting) {
      const { subscription, notBefore, at } = delivery;
      const isOfOtherClock = at > now + SKEW_MS && notBefore >= at;
      if ((notBefore > now && !isOfOtherClock) || this.#courier.isPaused(subscription, now) || this.#lanes.busy(subscription)) continue;
      this.#lanes.run(subscription, hostOf(byId.get(subscription)), async () => {
        if (this.#closed) return;
        await this.#courier.deliver(delivery, version, byId.get(subscription)).catch((error: unknown) => {
          this.#parts.log(`A push could not be settled: ${(error as Error).message}`, { event: 'push_failed' });
        });
        this.#hinted = true;
      });
    }
  }

  /** Tells the users of a session how far it is, as often as may be. Answers when to look again, if somebody was not told. */
  async #progress(session: string, all: readonly StoredSubscription[], now: number): Promise<number | undefined> {
    const own = all.filter((subscription) => wants(subscription, session));
    if (own.length === 0) return undefined;
    const state = await this.#parts.session(session);
    const going = progressNotice(state);
    const notice = going ?? overNotice(state);
    if (!notice) return undefined;
    // How it ended may have been stored a moment ago.
    if (!going && this.#hinted) return now;
    const waits: number[] = [];
    for (const [user, subscriptions] of byUser(own)) {
      if (!going && !(await this.#isLeft(user, subscriptions, session))) continue;
      const until = await this.#tell(user, subscriptions, notice, state, now);
      if (until !== undefined) waits.push(until);
    }
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** True when progress stands that nothing else is about to replace. */
  async #isLeft(user: string, subscriptions: readonly StoredSubscription[], session: string): Promise<boolean> {
    const { shown } = (await this.#places.get(user, session)).places;
    if (!shown.status?.startsWith('[')) return false;
    for (const { id } of subscriptions) {
      if (await this.#parts.records.get(DELIVERY, deliveryKey({ subscription: id, session, slot: 'status' }))) return false;
    }
    return true;
  }

  async #tell(
    user: string,
    subscriptions: readonly StoredSubscription[],
    notice: Notice,
    state: NoticeSession & { readonly epoch: string; readonly seq: number },
    now: number,
  ): Promise<number | undefined> {
    const { session } = notice;
    const looking = await this.presence.looking(user, session, now);
    if (looking) return looking.until;
    const { places, version } = await this.#places.get(user, session);
    const next = places.last + this.options.progressMs;
    const text = JSON.stringify([notice.title, notice.body]);
    if (places.shown.status === text) return undefined;
    // A clock that was set back must not silence it.
    if (next > now && places.last <= now) return next;
    const quiet = quietUntil(places, 'status', now);
    if (quiet !== undefined) return quiet;
    const close = isAsking(state) ? undefined : [noticeTag(session, 'attention')];
    const shown = { ...places.shown, status: text, ...(close ? { attention: undefined } : {}) };
    const told = { ...places, shown, last: now, quiet: withQuiet(places, 'status', now) };
    if (!(await this.#places.put(told, version))) return now;
    const message = messageFor(notice, `${state.epoch}:${state.seq} progress`, now, close);
    for (const subscription of subscriptions) {
      const { id } = subscription;
      if (this.#courier.isPaused(id, now) || this.#lanes.busy(id)) continue;
      this.#lanes.run(id, hostOf(subscription), async () => {
        if (this.#closed) return;
        await this.#courier.progress(subscription, message).catch((error: unknown) => {
          this.#parts.log(`A push could not be settled: ${(error as Error).message}`, { event: 'push_failed' });
        });
      });
    }
    return undefined;
  }
}
