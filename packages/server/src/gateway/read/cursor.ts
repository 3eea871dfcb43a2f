/** A position a reader asks to go on from. */
export interface Cursor {
  readonly epoch: string;
  readonly seq: number;
}

/** True for what may name one life of a history: only characters that are safe in a header, an SSE field and a URL. */
export function isEpoch(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value);
}

/** Reads `epoch:seq`. Undefined when it is not of this form, which means that it cannot be resumed. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^([\w-]{1,64}):(\d{1,15})$/.exec(text);
  return match ? { epoch: match[1] as string, seq: Number(match[2]) } : undefined;
}
