/** What the reference is told for assistive technology. */
export interface Relation {
  /** Short words about the session. */
  readonly words: HTMLElement;
  readonly popover: HTMLElement;
  /** There is something in the card that can be used, so it is more than a description. */
  readonly usable: boolean;
}

/**
 * Ties the reference to the words about its session, and to the card itself where there is something to use in it. What the page
 * has said by the same attributes stays and comes first. A reference can only name what is in its own root: the words are put there,
 * a card that is elsewhere is no details of it. The function it answers unties.
 */
export function relate(reference: HTMLElement, { words, popover, usable }: Relation): () => void {
  const root = reference.getRootNode();
  const isNear = root === popover.getRootNode();
  if (isNear) popover.after(words);
  else (root instanceof ShadowRoot ? root : document.body).append(words);
  const undo = [add(reference, 'aria-describedby', words.id)];
  if (usable && isNear) undo.push(add(reference, 'aria-details', popover.id));
  return () => {
    for (const one of undo) one();
  };
}

function add(element: Element, name: string, id: string): () => void {
  const ids = (): string[] => element.getAttribute(name)?.split(/\s+/).filter(Boolean) ?? [];
  element.setAttribute(name, [...ids().filter((one) => one !== id), id].join(' '));
  return () => {
    const left = ids().filter((one) => one !== id);
    if (left.length) element.setAttribute(name, left.join(' '));
    else element.removeAttribute(name);
  };
}
