/** Numbers that are the same again for the same seed. */
export function random(seed: number): { int(below: number): number; pick<T>(from: readonly T[]): T } {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  const next = (): number => {
    // xorshift: good enough to choose moments.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let n = 0; n < 5; n += 1) next();
  const int = (below: number): number => Math.floor(next() * below);
  return { int, pick: <T>(from: readonly T[]): T => from[int(from.length)] as T };
}
