/** The key that has been there longest, once there are more than `max`: the one to let go. */
export function oldestBeyond<K>(max: number, kept: ReadonlyMap<K, unknown> | ReadonlySet<K>): K | undefined {
  if (kept.size <= max) return undefined;
  for (const key of kept.keys()) return key;
  return undefined;
}
