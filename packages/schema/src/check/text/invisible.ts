/**
 * Bodies of character classes (for the `u` flag) of what shows nothing and carries nothing in a status text: bidi
 * controls, format characters, fillers, unassigned ignorables. Joiners, selectors and tags are apart, because whether
 * they stay depends on their neighbours.
 */
export const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb' +
  '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}';

/** Joiners, variation selectors and tag characters: what `settleJoiners` decides about. */
export const CONDITIONAL = '\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0000}-\\u{e007f}\\u{e0100}-\\u{e01ef}';

/** Surrogates without their other half; with the `u` flag a paired one never matches. */
export const LONE_SURROGATE = '\\ud800-\\udfff';

/** Controls that are neither a line break nor a tab. */
export const CONTROL = '\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f';
