/** The first element that a selector finds within the shadow root of another, for interactions of stories. */
export function within<T extends HTMLElement>(canvas: HTMLElement, host: string, selector: string): T {
  const found = canvas.querySelector(host)?.shadowRoot?.querySelector<T>(selector);
  if (!found) throw new Error(`There is no ${selector} in <${host}>.`);
  return found;
}
