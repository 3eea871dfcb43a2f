/** True when both say the same, member by member, in whatever order the members stand. Nested values are compared as JSON. */
export function sameEvent(left: object, right: object): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => {
    const [a, b] = [left, right].map((each) => (each as Record<string, unknown>)[name]);
    return a === b || (typeof a === 'object' && a !== null && JSON.stringify(a) === JSON.stringify(b));
  });
}
