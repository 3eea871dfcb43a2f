/** A position a reader asks to go on from. */
export interface Cursor {
  readonly epoch: string;
  readonly seq: number;
}

/** Reads `epoch:seq`. Undefined when it is not of this form, which means that it cannot be resumed. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^([\w-]{1,64}):(\d{1,15})$/.exec(text);
  return match ? { epoch: match[1] as string, seq: Number(match[2]) } : undefined;
}
