import type { GatewayError } from '../gateway/gateway-error.ts';
import { STATUS } from '../http/error-body.ts';

/** Why a socket closed. Beside these, 4000 plus the status that HTTP would have answered: a refusal of the gateway. */
export const CLOSE = Object.freeze({
  /** After `end`: nothing more will come. */
  normal: 1000,
  /** The gateway stops: there will be one again. */
  goingAway: 1001,
  /** The reader spoke, or spoke too much, where it has nothing to say. */
  policy: 1008,
});

/** What a page is told in a close frame, which has no place but its reason: a stable word, and when to come back. */
export function closeReason(word: string, retryMs?: number): string {
  return retryMs === undefined ? word : `${word} retry=${retryMs}`;
}

/** Code and reason of a refusal. */
export function refusalOf({ code, retryAfter }: GatewayError): readonly [code: number, reason: string] {
  const status = STATUS[code];
  const asked = status === 503 || status === 429 ? (retryAfter ?? 2) * 1_000 : undefined;
  return [4_000 + status, closeReason(code, asked)];
}
