/** What takes the page's place while it is there: what is outside of it cannot be used, or closes it. */
const LAYER = 'dialog, [role=dialog], [role=alertdialog], [aria-modal=true], [popover]';

/** The element and what it is drawn in, outwards, slots and shadow roots included. */
function* around(element: Element): Generator<Element> {
  for (let at: Node | null | undefined = element; at; at = ('assignedSlot' in at && (at.assignedSlot as Node | null)) || at.parentNode) {
    if (at instanceof ShadowRoot) at = at.host;
    if (at instanceof Element) yield at;
  }
}

function layerOf(element: Element): Element | undefined {
  for (const one of around(element)) if (one.matches(LAYER)) return one;
  return undefined;
}

/** True if what is put into it is seen and can be used. */
function isUsable(element: Element): boolean {
  for (const one of around(element))
    if (one.matches('[inert], [aria-hidden=true]') || getComputedStyle(one).display === 'none') return false;
  return true;
}

/**
 * Where a card hangs that belongs to a reference: in the element that shows it, unless that is outside of what the reference is in. Then
 * in the dialog around the reference, or beside it in its own shadow root, where its description can be found.
 */
export function standOf(reference: HTMLElement, host: HTMLElement): Element | ShadowRoot {
  const layer = layerOf(reference);
  const root = reference.getRootNode();
  if (layer === layerOf(host) && root === host.getRootNode() && isUsable(host)) return host;
  return layer ?? (root instanceof ShadowRoot ? root : document.body);
}
