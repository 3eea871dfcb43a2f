import type { SourceSink } from './source.ts';

/** Hands on a frame that came as JSON text, and says whether it was one. Text that is no JSON becomes a diagnostic. */
export function deliverText(sink: SourceSink, json: string, cursor: string | undefined): boolean {
  if (sink.text?.(json, cursor)) return true;
  const parsed = parse(json);
  if (parsed) sink.frame(parsed.value, cursor);
  else sink.diagnostic({ code: 'json', message: `The data of an event (${json.length} characters) is not JSON; it was skipped.` });
  return parsed !== undefined;
}

/** What a text holds; undefined for one that is no JSON. */
export function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

/** What an `end` says: nothing more will come, the token has expired, or the program that serves stops. */
export type Goodbye = 'ended' | 'expired' | 'shutdown';

/** What an `end` says by its reason. After all but `ended` the reader is to come back: what it reads is not over. */
export function goodbye(end: unknown): Goodbye {
  const reason = (end as { reason?: unknown } | null | undefined)?.reason;
  if (reason === 'token_expired') return 'expired';
  return reason === 'shutdown' ? reason : 'ended';
}
