/** The items mapped; the same array when every item came back as it was. */
export function mapSame<T>(items: T[], map: (item: T, index: number) => T): T[] {
  let result = items;
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as T;
    const mapped = map(item, index);
    if (mapped === item) continue;
    if (result === items) result = [...items];
    result[index] = mapped;
  }
  return result;
}
