import type { SourceSink } from './source.ts';

/** Hands on a frame that came as JSON text, and says whether it was one. Text that is no JSON becomes a diagnostic. */
export function deliverText(sink: SourceSink, json: string, cursor: string | undefined): boolean {
  if (sink.text?.(json, cursor)) return true;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    sink.diagnostic({ code: 'json', message: `The data of an event (${json.length} characters) is not JSON; it was skipped.` });
    return false;
  }
  sink.frame(value, cursor);
  return true;
}

/** True for an `end` that only says that the token has expired: the reader is to come back with a new one. */
export function isExpiry(end: unknown): boolean {
  return (end as { reason?: unknown } | null)?.reason === 'token_expired';
}

/** The same for its JSON text. */
export function isExpiryText(json: string): boolean {
  try {
    return isExpiry(JSON.parse(json));
  } catch {
    return false;
  }
}
