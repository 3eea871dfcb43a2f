/** The value that so many of a hundred do not exceed, of values counted by how often they came; 0 when there are none. */
export function percentile(counted: ReadonlyMap<number, number>, percent: number): number {
  const values = [...counted].sort(([a], [b]) => a - b);
  const rank = (values.reduce((sum, [, count]) => sum + count, 0) * percent) / 100;
  let seen = 0;
  for (const [value, count] of values) {
    seen += count;
    if (seen >= rank) return value;
  }
  return 0;
}
