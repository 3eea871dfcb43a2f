import type { Outcome } from '@sitrep/schema';
import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Model } from '../../../packages/schema/test/reduce/model.ts';
import type { GatewayCore } from '../../../packages/server/dist/gateway/gateway.js';
import type { Truth } from './truth.ts';

interface Once {
  readonly name: string;
  /** True when something else was sent under this key before. */
  readonly other: boolean;
}

interface WritersParts {
  readonly session: string;
  /** The gateway as it is now. */
  gateway(): GatewayCore;
  readonly truth: Truth;
  /** True when the log holds what was sent and nothing else. */
  readonly exact: boolean;
}

/** Everybody who writes. Nobody waits for an answer, and each answer is compared with what the rules say and with what is stored. */
export class Writers {
  readonly #parts: WritersParts;
  #repeat: (() => void) | undefined;
  /** Revisions that writers were told are theirs, by history. */
  readonly #revisions = new Set<string>();
  /** What was sent under each idempotency key, and how it was answered. */
  readonly #bodies = new Map<string, Set<string>>();
  readonly #answers = new Map<string, string>();
  #history = 0;
  #revision = 0;
  #acknowledged = 0;
  /** What went wrong where nobody waits for it. */
  #fault: Error | undefined;

  constructor(parts: WritersParts) {
    this.#parts = parts;
  }

  /** Requests that were answered. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Throws what was wrong with an answer, if anything was. */
  assertRight(): void {
    if (this.#fault) throw this.#fault;
  }

  /** Sends the last request once more, as it was. */
  repeat(): void {
    this.#repeat?.();
  }

  /** Begins the session anew. */
  reset(): void {
    this.#answered(this.#parts.gateway().reset(this.#parts.session), undefined, () => undefined);
  }

  /** What was stored is gone, or may be: nothing that was answered before is known any more. */
  newHistory(): void {
    this.#history += 1;
    this.#revision = 0;
  }

  #send(send: () => void): void {
    this.#repeat = send;
    send();
  }

  /** Sends a request; once it is answered, the answer must be what the rules say. */
  publish(entries: readonly (object | null)[], key?: number): void {
    const stamp = { session: this.#parts.session, at: this.#parts.gateway().options.clock.now() };
    const sent = entries.map((entry) => entry && { ...stamp, ...entry });
    this.#send(() => {
      const once = key === undefined ? undefined : this.#once(key, JSON.stringify(sent));
      const answer = this.#parts.gateway().publish(this.#parts.session, sent, { idempotencyKey: once?.name });
      this.#answered(answer, once, ({ results, cursor, replayed }) => {
        if (replayed || !this.#parts.exact) return;
        const colon = cursor.lastIndexOf(':');
        const epoch = cursor.slice(0, colon);
        const applied = results.filter(({ outcome }) => outcome === 'applied').length;
        // What was written and begun anew in one commit was never stored.
        if (this.#parts.truth.isOver(epoch)) return;
        const before = this.#parts.truth.at(epoch, Number(cursor.slice(colon + 1)) - applied);
        if (before === undefined || this.#parts.truth.at(epoch, Number(cursor.slice(colon + 1))) === undefined) {
          throw new Error(`${applied} events were acknowledged up to ${cursor}, and they are not stored`);
        }
        const state = before.copy();
        sent.forEach((entry, n) => {
          const expected = outcomeOf(entry, state);
          const { outcome } = results[n]!;
          if (outcome !== expected) throw new Error(`${JSON.stringify(entry)} was answered ${outcome}, not ${expected}`);
        });
      });
    });
  }

  /** Writes or clears the card. */
  put(body: object, expects: 'nothing' | 'right' | 'old', key?: number): void {
    const expectedRevision = expects === 'nothing' ? undefined : expects === 'right' ? this.#revision : Math.max(0, this.#revision - 1);
    const given = expectedRevision === undefined ? body : { ...body, expectedRevision };
    this.#send(() => {
      const once = key === undefined ? undefined : this.#once(key, JSON.stringify(given));
      const history = this.#history;
      const answer = this.#parts.gateway().putCard(this.#parts.session, given, undefined, { idempotencyKey: once?.name });
      this.#answered(answer, once, (result) => {
        if (!result.ok && result.code !== 'conflict') throw new Error(`a card was answered ${JSON.stringify(result)}`);
        const { revision } = result as { readonly revision: number };
        if (history === this.#history) this.#revision = Math.max(this.#revision, revision);
        if (!result.ok) {
          if (revision === expectedRevision) throw new Error(`revision ${revision} was refused to a writer that expected it`);
          return;
        }
        const wrote = revision > 0;
        if (expectedRevision !== undefined && revision !== expectedRevision + (wrote ? 1 : 0)) {
          throw new Error(`a writer that expected revision ${expectedRevision} wrote ${revision}`);
        }
        // Around a loss one cannot know which history answered.
        if (!wrote || result.replayed || history !== this.#history) return;
        const name = `${history}:${revision}`;
        if (this.#revisions.has(name)) throw new Error(`two writers were told that revision ${revision} is theirs`);
        this.#revisions.add(name);
      });
    });
  }

  /** A write that must not happen twice, by its key; another key for each history, since a loss takes what was remembered. */
  #once(key: number, body: string): Once {
    const name = `${this.#history}-${key}`;
    const known = this.#bodies.get(name) ?? new Set();
    this.#bodies.set(name, known.add(body));
    // Not the first one alone: what wrote nothing leaves its key to others.
    return { name, other: known.size > 1 };
  }

  #answered<T extends object>(answer: Promise<T>, once: Once | undefined, judge: (value: T) => void): void {
    const history = this.#history;
    const judged = async (): Promise<void> => {
      try {
        const value = await answer;
        this.#acknowledged += 1;
        judge(value);
        if (once && history === this.#history) this.#compareAnswers(once.name, value);
      } catch (error) {
        const { code } = error as { readonly code?: unknown };
        if (code === 'idempotency_key_reused' && once?.other) return;
        if (code !== 'store_failed' && code !== 'closed' && code !== 'busy') this.#fault ??= error as Error;
      }
    };
    void judged();
  }

  /** Under one key everything is carried out once, and always answered alike. */
  #compareAnswers(name: string, value: object): void {
    const { replayed, ...answer } = value as {
      readonly replayed?: boolean;
      readonly ok?: boolean;
      readonly revision?: number;
      readonly cursor?: string;
    };
    // What wrote nothing is not remembered.
    if (answer.ok === false || answer.revision === 0 || answer.cursor?.endsWith(':0')) return;
    const text = JSON.stringify(answer);
    const first = this.#answers.get(name);
    if (first === undefined) this.#answers.set(name, text);
    else if (replayed !== true) throw new Error(`${name} was carried out twice: ${first}, then ${text}`);
    else if (first !== text) throw new Error(`${name} was answered ${first}, then ${text}`);
  }
}

/** What the rules say of an entry as it was sent. */
function outcomeOf(entry: object | null, state: Model): Outcome {
  if (entry === null) return 'invalid';
  const event = entry as ProgressEvent;
  if ((event.type as string) === 'nonsense') return 'unknown';
  if (event.type === 'operation' && event.id === undefined) return 'invalid';
  const outcome = state.apply(event);
  // Two wrote the same revision, and only one of them is shown.
  const isOther = event.type === 'card' && JSON.stringify(event.card) !== JSON.stringify(state.card.card);
  return outcome === 'duplicate' && isOther ? 'stale' : outcome;
}
