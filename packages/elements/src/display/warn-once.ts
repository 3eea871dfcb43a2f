const said = new Set<string>();

/** Tells the page's author about a mistake, once per wording. */
export function warnOnce(message: string): void {
  if (said.has(message)) return;
  said.add(message);
  console.warn(`[sitrep] ${message}`);
}
