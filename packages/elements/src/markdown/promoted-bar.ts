/**
 * The first bar of a note, to stand above it with its name in sight: its own, else the title of the card with the numbers. It is
 * taken out of the note, so that it is not seen twice. Undefined for a note without one.
 */
export function promotedBar(content: DocumentFragment): Element | undefined {
  const bar = content.querySelector('progress');
  if (!bar) return undefined;
  const around = bar.parentElement;
  const promoted = document.createElement('div');
  const name = document.createElement('bdi');
  name.textContent = bar.getAttribute('aria-label');
  // The bar says it already.
  name.ariaHidden = 'true';
  promoted.className = 'note';
  promoted.setAttribute('part', 'promoted');
  promoted.append(name, bar);
  if (around && !around.textContent?.trim() && !around.firstElementChild) around.remove();
  return promoted;
}
