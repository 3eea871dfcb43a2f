import type { CardEvent } from '@sitrep/schema/wire';
import { isTransient } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { jsonRequest, sessionUrl } from '../http.ts';
import { isObject } from '../json.ts';

/** Sessions that may wait to be written, and whose revision is remembered. */
const MAX_WAITING = 256;
/** Milliseconds to the next try, doubled each time up to the second. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

/**
 * Writes the cards of several sessions to a gateway, each with the revision after the one that stands there: a plugin that
 * was started again, and another writer of the same card, would each count for themselves, and what is below the card that
 * stands is dropped. A card replaces the one before, so of those that wait only the newest is written; it is tried again until
 * the gateway answers. (`PUT` of a card would count by itself, but takes no step that was cancelled.)
 */
export class Cards {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  /** The newest card of each session that is still to be written. */
  readonly #waiting = new Map<string, CardEvent>();
  /** The revision written last to each session: the card that stands, unless somebody else wrote one. */
  readonly #revisions = new Map<string, number>();
  readonly #writing = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(gateway: { readonly url: string; readonly timeoutMs: number }, clock: Clock) {
    this.#url = gateway.url;
    this.#timeoutMs = gateway.timeoutMs;
    this.#clock = clock;
  }

  send(event: CardEvent): void {
    const { session } = event;
    if (this.#isClosed) return;
    this.#waiting.delete(session);
    this.#waiting.set(session, event);
    const [oldest] = this.#waiting.size > MAX_WAITING ? this.#waiting.keys() : [];
    if (oldest !== undefined) this.#waiting.delete(oldest);
    if (!this.#writing.has(session)) this.#writing.set(session, this.#write(session));
  }

  /** Waits for what is on its way, at most this long. What cannot be delivered then is given up. */
  async close(limitMs: number): Promise<void> {
    if (this.#writing.size > 0) await Promise.race([Promise.all(this.#writing.values()), this.#pause(limitMs, true)]);
    this.#isClosed = true;
    this.#waiting.clear();
  }

  /** Never rejects. */
  async #write(session: string): Promise<void> {
    let pause = FIRST_PAUSE;
    for (let event = this.#waiting.get(session); event !== undefined; event = this.#waiting.get(session)) {
      this.#waiting.delete(session);
      const isDone = await this.#put(event).catch(() => false);
      if (isDone) pause = FIRST_PAUSE;
      if (isDone || this.#isClosed) continue;
      if (!this.#waiting.has(session)) this.#waiting.set(session, event);
      await this.#pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
    this.#writing.delete(session);
  }

  /** True when there is nothing more to try: it stands, or the gateway will never take it. */
  async #put(event: CardEvent): Promise<boolean> {
    const { session } = event;
    let standing = this.#revisions.get(session);
    if (standing === undefined) {
      const { status, body } = await this.#ask('GET', sessionUrl(this.#url, session, '').slice(0, -1));
      if (!isObject(body) || !Number.isSafeInteger(body['revision'])) return isRefused(status);
      standing = body['revision'] as number;
    }
    const next: CardEvent = { ...event, revision: standing + 1 };
    const { status, body } = await this.#ask('POST', sessionUrl(this.#url, session, 'events'), JSON.stringify(next));
    const [result] = isObject(body) && Array.isArray(body['results']) ? (body['results'] as unknown[]) : [];
    const outcome = isObject(result) ? result['outcome'] : undefined;
    this.#revisions.delete(session);
    if (outcome !== 'applied') return outcome === undefined ? isRefused(status) : outcome !== 'stale' && outcome !== 'duplicate';
    this.#revisions.set(session, next.revision);
    const [oldest] = this.#revisions.size > MAX_WAITING ? this.#revisions.keys() : [];
    if (oldest !== undefined) this.#revisions.delete(oldest);
    return true;
  }

  #ask(method: 'GET' | 'POST', url: string, body?: string) {
    const timeoutMs = this.#timeoutMs;
    return jsonRequest({
      method,
      url,
      body,
      clock: this.#clock,
      timeoutMs,
      headers: undefined,
      fetch: undefined,
      keepAlive: false,
      signal: undefined,
    });
  }

  #pause(ms: number, keepAlive = false): Promise<void> {
    return new Promise((resolve) => this.#clock.after(ms, resolve, keepAlive));
  }
}

/** True for an answer that will not be another the next time. */
function isRefused(status: number): boolean {
  return status >= 400 && !isTransient(status);
}
