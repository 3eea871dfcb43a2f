import { hash } from 'node:crypto';
import type { CardPutResult } from '@sitrep/harness';
import type { StoredReceipt } from '../../store/store.ts';
import { GatewayError } from '../gateway-error.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { EventResult } from './prepare.ts';
import type { Published, Reset } from './publish.ts';

/** Characters of a key at most. */
const MAX_KEY = 255;
/** Characters of issues that a remembered answer repeats at most; without them it says the outcomes alone. */
const MAX_ISSUES = 16_384;

/** A write that must not be carried out twice. */
export interface Idempotency {
  /** The key, of the writer's choice: 1 to 255 visible ASCII characters. */
  readonly key: string;
  /** Says whether a repeated write is the same one. */
  readonly digest: string;
}

/** Puts an answer into text and back. */
export interface AnswerForm<T> {
  /** Undefined for an answer that is not worth remembering, because nothing was written. */
  readonly write: (answer: T) => string | undefined;
  readonly read: (text: string) => T;
}

/** What became of a write that carried a key: carried out now, answered from memory, or refused as another one. */
export type Once<T> = { readonly answer: T; readonly replayed: boolean } | { readonly reused: true };

/**
 * Names a write by its key and everything it says.
 *
 * @param kind what it does: the same key must not do two things
 * @throws GatewayError `bad_request` for a key that is none
 */
export function idempotency(key: string | undefined, kind: string, parts: readonly unknown[], body: string): Idempotency | undefined {
  if (key === undefined) return undefined;
  if (key.length > MAX_KEY || !/^[!-~]+$/.test(key))
    throw new GatewayError('bad_request', `Idempotency-Key must be 1 to ${MAX_KEY} visible ASCII characters.`);
  return { key, digest: hash('sha256', `${JSON.stringify([kind, ...parts])}\n${body}`, 'base64url') };
}

/**
 * Carries a write out unless it was before. Its answer is remembered with the commit, so that it is known exactly as long as
 * what was written; that of a session nothing was ever stored of is not, because nothing happened.
 *
 * @param stored the receipt the store has for the key
 */
export function once<T>(
  live: LiveSession,
  { key, digest }: Idempotency,
  stored: StoredReceipt | undefined,
  at: number,
  form: AnswerForm<T>,
  write: () => T,
): Once<T> {
  const known = live.receipt(key) ?? stored;
  if (known) return known.digest === digest ? { answer: form.read(known.answer), replayed: true } : { reused: true };
  const answer = write();
  const text = form.write(answer);
  if (text !== undefined) live.remember({ key, digest, answer: text, at });
  return { answer, replayed: false };
}

/** The answer of a write that went through `once`. Throws a GatewayError when the key was of another write. */
export function unlessReused<T>(result: Once<T>): { readonly answer: T; readonly replayed: boolean } {
  if ('answer' in result) return result;
  throw new GatewayError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another request before. Nothing was written: give each request a key of its own, and repeat a request unchanged.',
  );
}

/** The answer to a card write: a refused one is not remembered, so that its repetition is told how the card stands then. */
export const CARD_WRITTEN: AnswerForm<CardPutResult> = {
  write: (answer) => (answer.ok ? JSON.stringify(answer) : undefined),
  read: (text) => JSON.parse(text) as CardPutResult,
};

/** The answer to a reset. */
export const RESET: AnswerForm<Reset> = { write: (answer) => JSON.stringify(answer), read: (text) => JSON.parse(text) as Reset };

interface Packed {
  readonly cursor: string;
  /** Outcomes in order, each with how often it came in a row. */
  readonly runs: readonly (readonly [EventResult['outcome'], number, EventResult['reason']?])[];
  /** Issues by the place of their entry. */
  readonly issues?: readonly (readonly [number, NonNullable<EventResult['issues']>])[] | undefined;
}

/** The answer to a publish: mostly one word, a thousand times. */
export const PUBLISHED: AnswerForm<Published> = {
  write({ results, cursor }) {
    const runs: [EventResult['outcome'], number, EventResult['reason']?][] = [];
    for (const { outcome, reason } of results) {
      const last = runs.at(-1);
      if (last?.[0] === outcome && last[2] === reason) last[1] += 1;
      else runs.push(reason ? [outcome, 1, reason] : [outcome, 1]);
    }
    const issues = results.flatMap(({ issues: found }, n) => (found ? [[n, found] as const] : []));
    const packed: Packed = { cursor, runs, ...(issues.length > 0 && JSON.stringify(issues).length <= MAX_ISSUES ? { issues } : {}) };
    return JSON.stringify(packed);
  },
  read(text) {
    const { cursor, runs, issues = [] } = JSON.parse(text) as Packed;
    const results = runs.flatMap(([outcome, count, reason]) =>
      Array.from({ length: count }, (): EventResult => (reason ? { outcome, reason } : { outcome })),
    );
    for (const [n, found] of issues) results[n] = { ...(results[n] as EventResult), issues: found };
    return { results, cursor };
  },
};
