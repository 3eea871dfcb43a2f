/** What a page hides a rail by, beside its size. */
const ATTRIBUTES = ['class', 'style', 'inert', 'aria-hidden', 'hidden'];

/** Looks at the sizes of the shell and the places, and at what the page does to them. */
export class PlaceWatch {
  #watched: readonly (Element | undefined)[] = [];
  readonly #sizes: ResizeObserver | undefined;
  readonly #changes: MutationObserver | undefined;

  /** `changed` is called where sizes are only to be looked at. */
  constructor(changed: () => void) {
    // On a server there is nothing to look at.
    if (typeof ResizeObserver === 'undefined') return;
    this.#sizes = new ResizeObserver(changed);
    this.#changes = new MutationObserver(changed);
  }

  /**
   * Looks at these from now on, and at what is around each of the places in the shell. While one is `missing`, it may come with whatever
   * the page draws next.
   */
  watch(shell: Element | undefined, places: readonly (Element | undefined)[], missing: boolean): void {
    const found = places.filter((one) => !!one);
    const around = new Set(found.flatMap((one) => [...between(one, shell)]));
    const next = [shell, ...found, missing ? document.body : shell, ...around];
    if (next.length === this.#watched.length && next.every((one, index) => one === this.#watched[index])) return;
    this.#watched = next;
    this.#sizes?.disconnect();
    this.#changes?.disconnect();
    if (shell) this.#sizes?.observe(shell);
    for (const place of found) {
      this.#sizes?.observe(place);
      this.#changes?.observe(place, { childList: true, attributeFilter: ATTRIBUTES });
    }
    for (const one of around) this.#changes?.observe(one, { attributeFilter: ATTRIBUTES });
    if (missing) this.#changes?.observe(document.body, { childList: true, subtree: true });
  }
}

/** What the element is in, within the shell. */
function* between(element: Element, shell: Element | undefined): Generator<Element> {
  for (let at = element.parentElement; at && at !== shell && shell?.contains(at); at = at.parentElement) yield at;
}
