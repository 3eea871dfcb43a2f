import { isAsking } from '@sitrep/schema/select';
import type { NoticeSession } from '@sitrep/schema/select';
import type { Log, LogFields } from '../gateway/log.ts';
import type { RecordStore } from '../store/records.ts';
import { DELIVERY, deliveryKey, messageOf } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import { encodeMessage, MAX_MESSAGE, topicOf, treatmentOf } from './message.ts';
import type { PushMessage } from './message.ts';
import { quietUntil, withQuiet } from './places.ts';
import type { PlacesStore } from './places.ts';
import type { Poster, PostResult } from './post.ts';
import type { Presence } from './presence.ts';
import type { PushStats } from './stats.ts';
import { wants } from './subscription.ts';
import type { StoredSubscription } from './subscription.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Milliseconds after which a message that somebody took upon them and did not settle may be tried by anybody. */
const CLAIM_MS = 60_000;
/** Milliseconds after which it is not worth telling any more. */
const EXPIRES_MS = 86_400_000;
/** Alerts of one session to one user in ALERTS_MS; a further one waits, and the newest of a place is what is then told. */
const ALERTS = 2;
const ALERTS_MS = 60_000;
/** Bounds of the wait after a failure, milliseconds. */
const RETRY_MIN = 5_000;
const RETRY_MAX = 1_800_000;
/** A push service that refuses our name is asked again so much later. */
const ALARM_MS = 300_000;
/** While the user looks, it is looked at again so much later whether they still do. */
const LOOKING_MS = 10_000;
/** What is told again and again is logged so seldom. */
const LOG_MS = 60_000;
const MAX_LOGGED = 100;
/** Subscriptions that are left alone at once, at most. */
const MAX_PAUSED = 10_000;

export interface CourierParts {
  readonly records: RecordStore;
  readonly subscriptions: Subscriptions;
  readonly presence: Presence;
  readonly places: PlacesStore;
  readonly poster: Poster;
  readonly stats: PushStats;
  readonly log: Log;
  readonly now: () => number;
  readonly session: (name: string) => Promise<NoticeSession>;
}

/** Brings messages to push services and draws the conclusions from what they answer. */
export class Courier {
  readonly #parts: CourierParts;
  /** Subscriptions whose service asked for time, until when, epoch milliseconds. */
  readonly #paused = new Map<string, number>();
  /** What was logged of which host lately, and when. */
  readonly #logged = new Map<string, number>();

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** Forgets times of a clock that was set back since. */
  clockSetBack(): void {
    this.#paused.clear();
    this.#logged.clear();
  }

  /** True while the push service of a subscription asked to be left alone. */
  isPaused(id: string, now: number): boolean {
    const until = this.#paused.get(id);
    if (until === undefined || until > now) return until !== undefined;
    this.#paused.delete(id);
    return false;
  }

  /** Sends a message of progress: what fails is not sent again, the next one says more. */
  async progress(subscription: StoredSubscription, message: PushMessage): Promise<void> {
    const result = await this.#post(subscription, message, true);
    const { stats } = this.#parts;
    if (isTaken(result)) stats.sent += 1;
    else await this.#conclude(subscription, result);
  }

  /** Tries a delivery if nobody else has taken it, and settles or postpones it. */
  async deliver(delivery: Delivery, version: number, subscription: StoredSubscription | undefined): Promise<void> {
    const { now } = this.#parts;
    const claimed = await this.#write({ ...delivery, notBefore: now() + CLAIM_MS, tries: delivery.tries + 1 }, version);
    if (claimed === undefined) return;
    // Since it was shared out, the subscription may have gone to somebody else, or want less.
    const isTheirs = subscription?.user === delivery.user && wants(subscription, delivery.session);
    if (!subscription || !isTheirs || now() - delivery.at > EXPIRES_MS) return this.#settle(delivery, claimed, 'dropped');
    const session = await this.#parts.session(delivery.session);
    // Something else is asked by now: its own delivery says so.
    if (delivery.notice === null && isAsking(session)) return this.#settle(delivery, claimed, undefined);
    const whole = messageOf(delivery, session);
    const waitUntil = await this.#mustWait(delivery, whole);
    const { places } = await this.#parts.places.get(delivery.user, delivery.session);
    // What stands on other devices is replaced all the same.
    if (waitUntil === 'seen' && places.shown[delivery.slot] === undefined) return this.#settle(delivery, claimed, 'seen');
    if (typeof waitUntil === 'number') {
      await this.#write({ ...delivery, notBefore: waitUntil }, claimed);
      return;
    }
    const message = waitUntil === 'seen' ? { ...whole, alert: false } : whole;
    const result = await this.#post(subscription, message, false);
    if (isTaken(result)) return this.#sent(delivery, message, claimed);
    const again = await this.#conclude(subscription, result);
    if (again === undefined) return this.#settle(delivery, claimed, 'dropped');
    // A service that asks for less than our own patience gets that.
    const wait = Math.max(again ?? 0, Math.min(RETRY_MAX, RETRY_MIN * 2 ** delivery.tries));
    await this.#write({ ...delivery, notBefore: now() + wait, tries: delivery.tries + 1 }, claimed);
    this.#parts.stats.retried += 1;
  }

  /** Until when it has to wait; `seen` for an alert when the user was looking after it became true. */
  async #mustWait({ user, session, at, id }: Delivery, { slot, alert }: PushMessage): Promise<number | 'seen' | undefined> {
    const now = this.#parts.now();
    if (!alert) return quietUntil((await this.#parts.places.get(user, session)).places, slot, now);
    const looking = await this.#parts.presence.looking(user, session, now);
    // Somebody whose page went without a word may have seen it or not: only a later sign of the page says so.
    if (looking) return looking.seen > at ? 'seen' : Math.min(looking.until, now + LOOKING_MS);
    const { places } = await this.#parts.places.get(user, session);
    const recent = places.alerts.filter(([, when]) => Math.abs(now - when) < ALERTS_MS);
    const isTold = recent.some(([told]) => told === id);
    return !isTold && recent.length >= ALERTS ? (recent.at(-ALERTS)?.[1] ?? now) + ALERTS_MS : undefined;
  }

  async #sent(delivery: Delivery, message: PushMessage, claimed: number): Promise<void> {
    const { stats, places, now } = this.#parts;
    stats.sent += 1;
    const { user, session, slot, notice, id } = delivery;
    await places.change(user, session, (held) => ({
      ...held,
      shown: { ...held.shown, [message.slot]: `${id} ${slot}`, ...(message.close || notice === null ? { attention: undefined } : {}) },
      last: now(),
      alerts: message.alert ? [...held.alerts.filter(([told]) => told !== id), [id, now()] as const].slice(-ALERTS) : held.alerts,
      quiet: message.alert ? held.quiet : withQuiet(held, message.slot, now()),
    }));
    await this.#settle(delivery, claimed, undefined);
    if (!message.close || slot === 'attention') return;
    // The message has emptied that place too.
    const beside: Delivery = { ...delivery, slot: 'attention' };
    const held = await this.#parts.records.get(DELIVERY, deliveryKey(beside));
    if (held && (JSON.parse(held.value) as Delivery).notice === null) await this.#settle(beside, held.version, undefined);
  }

  /** Takes a delivery away, unless a newer one stands in its place. */
  async #settle(delivery: Delivery, version: number, how: 'dropped' | 'seen' | undefined): Promise<void> {
    if (how) this.#parts.stats[how] += 1;
    await this.#parts.records.write([{ kind: DELIVERY, key: deliveryKey(delivery), value: null, expected: version }]);
  }

  /** Writes it if it is still this one; answers its new version. */
  async #write(delivery: Delivery, expected: number): Promise<number | undefined> {
    const { records } = this.#parts;
    const key = deliveryKey(delivery);
    if (!(await records.write([{ kind: DELIVERY, key, value: JSON.stringify(delivery), expected }]))) return undefined;
    const held = await records.get(DELIVERY, key);
    return held && (JSON.parse(held.value) as Delivery).id === delivery.id ? held.version : undefined;
  }

  /** Sends it, shorter where the service takes less than others. */
  async #post(subscription: StoredSubscription, message: PushMessage, isProgress: boolean): Promise<PostResult> {
    const { ttl, urgency } = treatmentOf(message, isProgress);
    const topic = topicOf(message.tag, subscription.auth);
    let before = Infinity;
    for (let limit = MAX_MESSAGE; ; limit = Math.floor((before * 2) / 3)) {
      const payload = encodeMessage(message, limit);
      if (payload.length >= before) return { status: 413 };
      before = payload.length;
      const result = await this.#parts.poster.post(subscription, { payload, ttl, urgency, topic });
      if (result.status !== 413) return result;
    }
  }

  /**
   * What follows from a refusal: milliseconds to wait before the next try, null for as long as usual, undefined where another try
   * is pointless.
   */
  async #conclude(subscription: StoredSubscription, { status, retryAfterMs, fault }: PostResult): Promise<number | null | undefined> {
    const { stats, subscriptions } = this.#parts;
    const { host } = new URL(subscription.endpoint);
    if (status === 404 || status === 410) {
      stats.gone += 1;
      this.#paused.delete(subscription.id);
      await subscriptions.drop(subscription.id);
      return undefined;
    }
    if (status === 401 || status === 403) {
      stats.refused += 1;
      this.#pause(subscription, ALARM_MS);
      const message = `${host} refuses the keys of push (${status}): check the keys and the clock. Subscriptions are kept.`;
      this.#log(message, { event: 'push_keys_refused', level: 'error', host, status });
      return ALARM_MS;
    }
    if (status === 429 || status === 0 || status >= 500) {
      if (retryAfterMs !== undefined) this.#pause(subscription, Math.min(retryAfterMs, EXPIRES_MS));
      if (status === 0) this.#log(`${host} could not be asked to push: ${fault}`, { event: 'push_failed', host, reason: fault });
      return retryAfterMs === undefined ? null : Math.min(retryAfterMs, EXPIRES_MS);
    }
    stats.refused += 1;
    this.#log(`${host} refuses a push with ${status}.`, { event: 'push_refused', host, status });
    return undefined;
  }

  /** One line a minute for each host and fault. */
  #log(line: string, fields: LogFields & { readonly host: string }): void {
    const key = `${fields.event} ${fields.host}`;
    const now = this.#parts.now();
    if (now - (this.#logged.get(key) ?? -Infinity) < LOG_MS) return;
    if (this.#logged.size >= MAX_LOGGED) this.#logged.clear();
    this.#logged.set(key, now);
    this.#parts.log(line, fields);
  }

  #pause({ id }: StoredSubscription, ms: number): void {
    if (this.#paused.size >= MAX_PAUSED) this.#paused.clear();
    this.#paused.set(id, this.#parts.now() + ms);
  }
}

function isTaken({ status }: PostResult): boolean {
  return status >= 200 && status < 300;
}
