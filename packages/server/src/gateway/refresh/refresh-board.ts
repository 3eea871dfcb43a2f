import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../gateway-error.ts';

/** Milliseconds a request waits for the card to be written; then it may be asked for again. */
const WAIT_MS = 120_000;
/** Milliseconds between two requests of one session that are handed on. */
const PAUSE_MS = 5_000;
/** Requests that are remembered, over all sessions; the oldest goes first. */
const MAX_REMEMBERED = 10_000;
/** Producers that may listen for the requests of one session. */
const MAX_LISTENERS = 100;

/** What a producer is asked: to write the card of its session anew. */
export interface RefreshRequest {
  readonly type: 'card.refresh';
  /** Names the request; the same one may come again after a lost connection. */
  readonly id: string;
  readonly session: string;
  /** The card's revision when it was asked; a higher one answers it. */
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The answer to whoever asked. Accepted is not written: that shows when the card's revision rises above this one. */
export interface Refresh {
  readonly status: 'accepted';
  readonly id: string;
  readonly revision: number;
}

/** Who listens for the requests of a session. No call may throw. */
export interface RefreshListener {
  request(request: RefreshRequest): void;
  /** The last call: the gateway stops. */
  close(): void;
}

/** What a listener gets. */
export interface Listening {
  /** Takes the listener away. */
  readonly stop: () => void;
  /** The request that waits to be done. */
  readonly waiting: RefreshRequest | undefined;
}

/** What asking comes to. */
export interface Decided {
  /** True for a request nobody has been handed yet. */
  readonly isNew: boolean;
  readonly request: RefreshRequest;
  readonly answer: Refresh;
}

/** Hands requests to write a card anew to those who write it. Kept in memory: what is asked for is asked now. */
export class RefreshBoard {
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Set<RefreshListener>>();
  /** The newest request of each session, oldest first. */
  readonly #newest = new Map<string, RefreshRequest>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a listener. One that comes late is given what still waits to be done. */
  listen(session: string, listener: RefreshListener, revision: number): Listening {
    const listeners = this.#listeners.get(session) ?? new Set();
    if (listeners.size >= MAX_LISTENERS) {
      throw new GatewayError('too_many_streams', `At most ${MAX_LISTENERS} producers listen for the requests of one session.`);
    }
    this.#listeners.set(session, listeners.add(listener));
    const newest = this.#newest.get(session);
    const stop = (): void => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
    return { stop, waiting: newest && this.#waits(newest, revision) ? newest : undefined };
  }

  /** Sessions that a producer listens for here. */
  sessions(): string[] {
    return [...this.#listeners.keys()];
  }

  /**
   * Asks. While an earlier request waits to be done this is the same one, and nobody is asked twice.
   *
   * @param revision the card's revision as it stands
   * @throws GatewayError `no_producer` when nobody listens, `too_many_requests` when it was asked and written just now
   */
  ask(session: string, revision: number): Refresh {
    if (!this.#listeners.has(session))
      throw new GatewayError('no_producer', 'No producer of this session listens for requests, so nobody could write the card.');
    const decided = this.decide(session, revision, this.#newest.get(session));
    if (decided.isNew) this.#hand(decided.request);
    return decided.answer;
  }

  /**
   * What asking comes to after the newest request there was: the same one, or a new one that nobody has been handed yet.
   *
   * @throws GatewayError `too_many_requests`
   */
  decide(session: string, revision: number, newest: RefreshRequest | undefined): Decided {
    const now = this.#clock.now();
    const isSame = newest !== undefined && this.#waits(newest, revision);
    const wait = newest === undefined ? 0 : newest.at + PAUSE_MS - now;
    if (!isSame && wait > 0 && wait <= PAUSE_MS) {
      throw new GatewayError('too_many_requests', 'The card was just written anew. Ask again in a few seconds.', {
        retryAfter: Math.ceil(wait / 1_000),
      });
    }
    const request: RefreshRequest = isSame ? newest : { type: 'card.refresh', id: randomUUID(), session, revision, at: now };
    return { isNew: !isSame, request, answer: { status: 'accepted', id: request.id, revision: request.revision } };
  }

  /** Hands on a request that was made elsewhere, once. False when it no longer waits to be done. */
  take(request: RefreshRequest, revision: number): boolean {
    if (!this.#waits(request, revision)) return false;
    if (this.#newest.get(request.session)?.id !== request.id) this.#hand(request);
    return true;
  }

  /** Lets every listener go. */
  close(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.close();
    this.#listeners.clear();
  }

  #hand(request: RefreshRequest): void {
    const { session } = request;
    this.#newest.delete(session);
    this.#newest.set(session, request);
    if (this.#newest.size > MAX_REMEMBERED) this.#newest.delete(this.#newest.keys().next().value as string);
    for (const listener of this.#listeners.get(session) ?? []) listener.request(request);
  }

  #waits({ at, revision: asked }: RefreshRequest, revision: number): boolean {
    const age = this.#clock.now() - at;
    return revision <= asked && age >= 0 && age < WAIT_MS;
  }
}
