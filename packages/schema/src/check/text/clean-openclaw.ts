/** Exactly U+200B-200F, 202A-202E, 2060-2064, 206A-206F, FEFF and E0000-E007F, the last spelled as surrogate pairs. */
const STRIPPED = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u206a-\u206f\ufeff]|\udb40[\udc00-\udc7f]/;
const ALL_STRIPPED = new RegExp(STRIPPED, 'g');

/**
 * The text profile `openclaw-2026.9`: strips what that version strips and nothing else, so that both sides store the
 * same bytes. Bidi isolates, soft hyphens and control characters stay; joiners go, family emoji and Persian words with
 * them. Use it only where the same text must come out as at the peer.
 */
export function cleanOpenClaw(text: string): string {
  return STRIPPED.test(text) ? text.replace(ALL_STRIPPED, '') : text;
}
