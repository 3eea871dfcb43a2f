import type { Clock } from '../clock.ts';
import { jsonRequest, sessionUrl } from '../http.ts';
import type { FetchLike, HeaderSource, JsonAnswer } from '../http.ts';
import { isObject } from '../json.ts';

/** Of its time, after how much a lease is renewed; up to a fifth of that earlier, so that many do not come at once. */
const RENEW_AT = 1 / 3;
const JITTER = 1 / 5;
/** Renewals under way at a time. */
const AT_ONCE = 20;

/** What a lease needs of its sink. */
export interface LeaseParts {
  readonly url: string;
  readonly producer: string;
  readonly ttlMs: number;
  readonly headers: HeaderSource | undefined;
  readonly fetch: FetchLike | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Sessions in which something is open. */
  readonly open: () => readonly string[];
  /** The gateway holds nothing of what is open in this session. */
  readonly forgotten: (session: string) => void;
}

/**
 * Lets a gateway know that this program is still there, for as long as it has something open: by each request that holds
 * events, and by one of its own for sessions in which nothing was written for a third of the lease. Its timers hold no
 * process open.
 */
export class SinkLease {
  readonly #parts: LeaseParts;
  /** When each session was last heard of with events, another object each time. */
  readonly #heard = new Map<string, { readonly at: number }>();
  /** Sessions in which all that is open was taken over by others, or ended: nothing is to be renewed, or said, of it. */
  readonly #passed = new Set<string>();
  #cancel: (() => void) | undefined;
  #ended = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Headers of a request that holds events. */
  get headers(): Readonly<Record<string, string>> {
    return { 'sitrep-lease': `${this.#parts.producer}; ttl=${this.#parts.ttlMs / 1_000}` };
  }

  /** Something of this session was stored. */
  heard(session: string): void {
    if (this.#ended) return;
    this.#heard.set(session, { at: this.#parts.clock.now() });
    this.#passed.delete(session);
    this.#schedule();
  }

  /** Renews no more, and gives back what is held: what is open still has nobody any more. Never rejects. */
  async release(timeoutMs: number): Promise<void> {
    this.#ended = true;
    this.#cancel?.();
    let answers = 1;
    await inGroups(
      this.#parts.open(),
      async (session) => {
        if ((await this.#ask('DELETE', session, timeoutMs)) !== undefined) answers += 1;
      },
      () => {
        // A gateway that says nothing is not asked for each of a thousand sessions: their leases run out.
        const isThere = answers > 0;
        answers = 0;
        return isThere;
      },
    );
  }

  #schedule(): void {
    if (this.#cancel !== undefined || this.#ended) return;
    const { clock, ttlMs, random } = this.#parts;
    try {
      this.#cancel = clock.after(ttlMs * RENEW_AT * (1 - random() * JITTER), () => void this.#renew());
    } catch {
      // Without timers there is no lease beyond what events renew.
      this.#ended = true;
    }
  }

  async #renew(): Promise<void> {
    const { clock, ttlMs, timeoutMs, open, forgotten } = this.#parts;
    const all = open();
    for (const session of this.#passed) if (!all.includes(session)) this.#passed.delete(session);
    const sessions = all.filter((session) => !this.#passed.has(session));
    const since = clock.now() - ttlMs * RENEW_AT * (1 - JITTER);
    for (const session of this.#heard.keys()) if (!sessions.includes(session)) this.#heard.delete(session);
    const silent = sessions.filter((session) => !((this.#heard.get(session)?.at ?? 0) > since));
    // Set first, so that an answer that takes its time holds up no renewal.
    this.#cancel = undefined;
    if (sessions.length > 0) this.#schedule();
    await inGroups(silent, async (session) => {
      const before = this.#heard.get(session);
      const answer = await this.#ask('PUT', session, Math.min(timeoutMs, ttlMs * RENEW_AT));
      if (answer?.status === 404 || answer?.status === 405) this.#ended = true;
      if (answer?.status !== 200 || !isObject(answer.body) || answer.body['held'] !== 0 || this.#ended) return;
      // Said again, what stands here would undo what whoever took it over has said since.
      if (answer.body['known'] !== true) forgotten(session);
      else if (this.#heard.get(session) === before) this.#passed.add(session);
    });
  }

  async #ask(method: 'PUT' | 'DELETE', session: string, timeoutMs: number): Promise<JsonAnswer | undefined> {
    const { url, producer, headers, fetch, clock, ttlMs } = this.#parts;
    try {
      return await jsonRequest({
        method,
        url: sessionUrl(url, session, `leases/${encodeURIComponent(producer)}`),
        body: method === 'PUT' ? JSON.stringify({ ttl: ttlMs / 1_000 }) : undefined,
        headers,
        fetch,
        clock,
        timeoutMs,
        keepAlive: method === 'DELETE',
        signal: undefined,
      });
    } catch {
      // Asked again when it is time again.
      return undefined;
    }
  }
}

/** Asks for a few at a time, for as long as it is to go on. */
async function inGroups(sessions: readonly string[], ask: (session: string) => Promise<void>, goesOn = () => true): Promise<void> {
  for (let n = 0; n < sessions.length && goesOn(); n += AT_ONCE) await Promise.all(sessions.slice(n, n + AT_ONCE).map(ask));
}
