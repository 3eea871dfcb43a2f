/** What lies in an element, its shadow roots included. */
export function* within(root: Element | ShadowRoot): Generator<Element> {
  if ('shadowRoot' in root && root.shadowRoot) yield* within(root.shadowRoot);
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* within(element.shadowRoot);
  }
}

/** True if `node` is the element or lies in it, at any depth of shadow roots. */
export function holds(element: Element | undefined, node: Node | null | undefined): boolean {
  for (let at = node; at; at = at.parentNode ?? (at as Partial<ShadowRoot>).host) if (at === element) return true;
  return false;
}

/** What has the focus, at any depth of shadow roots. */
export function focused(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

/** The nearest element that has both in it; the one around the first where there is no second. */
export function aroundBoth(one: Element, other: Element | undefined): HTMLElement {
  for (let at = one.parentElement; at; at = at.parentElement) if (!other || holds(at, other)) return at;
  return document.body;
}
