/** Snapshots that came with the page, by absolute address: each is the beginning of its session, once. */
export const given = new Map<string, unknown>();

/** The snapshot that came with the page, if nobody has begun with it yet. */
export function takeGiven(address: string): unknown {
  const snapshot = given.get(address);
  given.delete(address);
  return snapshot;
}
