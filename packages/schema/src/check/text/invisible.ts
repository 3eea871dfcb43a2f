/**
 * Bodies of character classes of what shows nothing and carries nothing in a status text: bidi controls, format
 * characters, fillers, unassigned ignorables. Those of the first plane are apart from the others, because a class
 * without surrogates and without the `u` flag is several times faster to test. Joiners, selectors and tags have classes
 * of their own: whether they stay depends on their neighbours.
 */
export const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb';
/** The same beyond the first plane; for the `u` flag. */
export const INVISIBLE_BEYOND = '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';

/** Joiners and variation selectors, those of Mongolian included. */
export const CONDITIONAL = '\\u180b-\\u180d\\u180f\\u200c\\u200d\\ufe00-\\ufe0f';
/** Tags and ideographic variation selectors; for the `u` flag. */
export const CONDITIONAL_BEYOND = '\\u{e0000}-\\u{e007f}\\u{e0100}-\\u{e01ef}';

/** Controls that are neither a line break nor a tab. */
export const CONTROL = '\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f';

/**
 * All of the first plane that may have to go, for the first quick test: a superset (half-width letters are in it), so
 * that with line breaks it stays within sixteen ranges, beyond which engines test a class ten times slower.
 */
export const SUSPECT = `${CONTROL}\\u200c\\u200d\\ufe00-\\ufe0f${INVISIBLE.replace('\\uffa0\\ufff0', '\\uffa0').replace('\\u180e', '\\u180b-\\u180f')}`;

const SURROGATE = /[\ud800-\udfff]/;

/** True when the text holds a surrogate, paired or not: without one, nothing beyond the first plane can be in it. */
export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text);
}

/** True for the first halves of blocks that hold something of the two classes beyond the first plane. */
export function opensIgnorable(unit: number): boolean {
  return unit === 0xd82f || unit === 0xd834 || (unit >= 0xdb40 && unit <= 0xdb43);
}

/** True when a surrogate stands alone or may open something invisible. A loop, because it beats every expression here. */
export function hasOddSurrogates(text: string): boolean {
  if (!hasSurrogates(text)) return false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if ((unit & 0xf800) !== 0xd800) continue;
    if (unit >= 0xdc00 || opensIgnorable(unit) || (text.charCodeAt(++index) & 0xfc00) !== 0xdc00) return true;
  }
  return false;
}
