/** The first element that a selector finds within the shadow root of another, for interactions of stories. */
export function within<T extends HTMLElement>(canvas: ParentNode, host: string, selector: string): T {
  const found = canvas.querySelector(host)?.shadowRoot?.querySelector<T>(selector);
  if (!found) throw new Error(`There is no ${selector} in <${host}>.`);
  return found;
}

/** What can be read in an element and in everything drawn inside it, white space made even. */
export function wordsOf(element: Element): string {
  const inside = (node: Node): string => {
    if (node instanceof HTMLStyleElement || (node instanceof HTMLElement && node.hidden)) return '';
    if (node instanceof HTMLElement && node.shadowRoot) return inside(node.shadowRoot);
    if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
    return [...node.childNodes].map(inside).join(' ');
  };
  return inside(element).replace(/\s+/g, ' ').trim();
}

/** Where the focus is, through all shadow roots. */
export function focused(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** What the interactions of a story are given. */
export interface Played {
  readonly canvasElement: HTMLElement;
}
