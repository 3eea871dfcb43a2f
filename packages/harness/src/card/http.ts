import type { Issue } from '@sitrep/schema/check';
import type { Card } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { gatewayUrl, jsonRequest, sessionUrl } from '../http.ts';
import type { FetchLike, HeaderSource } from '../http.ts';
import { isObject } from '../json.ts';
import { mintId } from '../reporter/ids.ts';
import type { CardPutResult, CardWriter, StepCounts } from './card-writer.ts';
import { splitRun } from './split-run.ts';

/** Options of a card writer over HTTP. */
export interface HttpCardWriterOptions {
  /** Address of the gateway, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /** Headers to add, such as `authorization`. */
  readonly headers?: HeaderSource | undefined;
  /** Default: the platform's. */
  readonly fetch?: FetchLike | undefined;
  /** After how long an answer is given up, milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
}

/**
 * Writes cards to a gateway. Asks once: a card write that is repeated blindly could overwrite a newer one, so whoever
 * gets `unavailable` decides. Throws a TypeError for a `url` that is no http or https address.
 */
export function createHttpCardWriter(options: HttpCardWriterOptions): CardWriter {
  gatewayUrl('createHttpCardWriter', options);
  const clock = options.clock ?? systemClock;
  return {
    async put(session, body, { signal } = {}) {
      try {
        const { run, body: card } = splitRun(body);
        const answer = await jsonRequest({
          method: 'PUT',
          url: sessionUrl(options.url, session, 'card') + (run === undefined ? '' : `?run=${encodeURIComponent(String(run))}`),
          body: JSON.stringify(card),
          headers: options.headers,
          // Whatever sends it again on the way: it is written once.
          extra: { 'idempotency-key': mintId() },
          fetch: options.fetch,
          clock,
          timeoutMs: options.timeoutMs ?? 10_000,
          keepAlive: true,
          signal,
        });
        return read(answer.status, answer.body);
      } catch {
        return unavailable('The gateway could not be reached or did not answer in time.');
      }
    },
  };
}

function unavailable(message: string): CardPutResult {
  return { ok: false, code: 'unavailable', message };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function read(status: number, body: unknown): CardPutResult {
  const answer = isObject(body) ? body : {};
  const { revision } = answer;
  if (status >= 200 && status < 300) {
    if (!isCount(revision)) return unavailable('The gateway answered without a revision; whether the card was written is not known.');
    const steps = stepCounts(answer['steps']);
    const cleared = answer['cleared'] === true || answer['receipt'] === 'Progress card cleared';
    return { ok: true, revision, steps, cleared };
  }
  if (status === 409)
    return {
      ok: false,
      code: 'conflict',
      revision: isCount(revision) ? revision : 0,
      card: isObject(answer['card']) ? (answer['card'] as Card) : null,
    };
  if ((status === 400 || status === 422) && Array.isArray(answer['issues']))
    return { ok: false, code: 'invalid', issues: (answer['issues'] as unknown[]).filter(isIssue) };
  return unavailable(`The gateway answered with status ${status}.`);
}

function stepCounts(value: unknown): StepCounts | null {
  if (!isObject(value)) return null;
  const { completed, total } = value;
  return isCount(completed) && isCount(total) ? { completed, total } : null;
}

function isIssue(value: unknown): value is Issue {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['code'] === 'string' && typeof value['message'] === 'string';
}
