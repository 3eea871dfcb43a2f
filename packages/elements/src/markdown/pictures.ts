/** Which pictures a note may show: the hosts they may come from, or a function that is asked for each. */
export type NoteImages = readonly string[] | ((address: URL) => boolean);

/** True for the address of a picture that may be loaded: over https, and allowed by whoever placed the card. */
export function isPicture(address: string, allowed: NoteImages | undefined): boolean {
  if (!allowed) return false;
  try {
    const url = new URL(address);
    if (url.protocol !== 'https:' || url.username || url.password) return false;
    return typeof allowed === 'function' ? allowed(url) === true : allowed.includes(url.host);
  } catch {
    return false;
  }
}
