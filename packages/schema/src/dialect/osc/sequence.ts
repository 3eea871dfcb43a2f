/** Operating system commands of a terminal: `ESC ] code ; body ST`, where ST is `ESC \` or BEL. */

/** One complete command. */
export interface OscSequence {
  /** The number before the first semicolon. */
  readonly code: number;
  /** What stands between that semicolon and the end. */
  readonly body: string;
}

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
// oxlint-disable-next-line no-control-regex -- the sequence is made of control characters
const WHOLE = new RegExp(`^(?:\\u001b\\]|\\u009d)(\\d{1,5})(?:;([^${CONTROL}]*))?(?:\\u0007|\\u001b\\\\|\\u009c)$`);

/** A command that is written out. Ended by `ESC \`, which every terminal reads. */
export function writeOsc(code: number, body: string): string {
  return `\u001b]${code};${body}\u001b\\`;
}

/** The command a text is, from its first to its last character. Undefined when it is anything else. */
export function readOsc(text: unknown): OscSequence | undefined {
  if (typeof text !== 'string') return undefined;
  const match = WHOLE.exec(text);
  return match === null ? undefined : { code: Number(match[1]), body: match[2] ?? '' };
}
