/** The items mapped; the same array when every item came back as it was. */
export function mapSame<T>(items: T[], map: (item: T, index: number) => T): T[] {
  let result = items;
  items.forEach((item, index) => {
    const mapped = map(item, index);
    if (mapped === item) return;
    if (result === items) result = [...items];
    result[index] = mapped;
  });
  return result;
}
