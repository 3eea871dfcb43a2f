/** Slips of the finger after which a word is still taken for another. */
const SLIPS = 2;

/** The known word this one was meant to be: at most two letters are wrong, missing, too many or swapped, and not most of them. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((each) => Math.abs(each.length - word.length) <= SLIPS)
    .map((each) => ({ each, slips: slipsBetween(word, each) }))
    .filter(({ each, slips }) => slips <= SLIPS && slips * 2 <= each.length)
    .sort((a, b) => a.slips - b.slips);
  return best?.each;
}

/** How many letters to change, add, leave out or swap with the next one: the restricted Damerau-Levenshtein distance. */
function slipsBetween(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    [before, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
