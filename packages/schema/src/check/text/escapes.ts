const PAYLOAD = '[^\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f]*';
const CLOSE = '(?:\\x1b\\\\|[\\x07\\x18\\x1a\\x9c])';
/** What every sequence begins with. */
const OPENER = '\\x1b\\x80-\\x9f';
const OPENS = new RegExp(`[${OPENER}]`);
/**
 * Terminal escape sequences. Every alternative consumes at least one character and none can be entered twice from the
 * same introducer, so the work is linear in the text, whatever it holds.
 *
 * 1. control strings opened by ESC (OSC, DCS, SOS, PM, APC) with their payload. One that is never closed is taken up to
 *    the next control character: a payload is not text, and a cut-off one is not either;
 * 2. the same opened by a single C1 character, only where they are closed: such a character alone is more often a sign
 *    of wrongly decoded text, and the text must not go with it;
 * 3. CSI in both spellings; 4. single shifts with the character they shift; 5. all other sequences with intermediates;
 * 6. two-character sequences; 7. an ESC that opens nothing.
 */
const SEQUENCES = new RegExp(
  [
    `\\x1b[\\]PX^_]${PAYLOAD}${CLOSE}?`,
    `[\\x90\\x98\\x9d-\\x9f]${PAYLOAD}${CLOSE}`,
    '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?',
    '\\x1b[NO][!-~]?',
    '\\x1b[ -/]+[0-~]?',
    '\\x1b[0-~]',
    '\\x1b',
  ].join('|'),
  'g',
);

/** Removes terminal escape sequences of all families. Single C1 characters that open nothing are left to the caller. */
export function stripEscapes(text: string): string {
  return OPENS.test(text) ? text.replace(SEQUENCES, '') : text;
}
