/** A bar that stands above its note. */
export interface PromotedBar {
  readonly element: Element;
  /** Puts the bar back where it was in the note. */
  undo(): void;
}

/**
 * The first bar of a note, to stand above it with its name in sight: its own, else the title of the card with the numbers. It is
 * taken out of the note, so that it is not seen twice. Undefined for a note without one.
 */
export function promotedBar(content: Element): PromotedBar | undefined {
  const bar = content.querySelector('progress');
  if (!bar) return undefined;
  const element = document.createElement('div');
  const name = document.createElement('bdi');
  name.textContent = bar.getAttribute('aria-label');
  // The bar says it already.
  name.ariaHidden = 'true';
  element.className = 'note';
  element.setAttribute('part', 'promoted');
  const place = document.createComment('');
  bar.replaceWith(place);
  element.append(name, bar);
  return { element, undo: () => place.replaceWith(bar) };
}
