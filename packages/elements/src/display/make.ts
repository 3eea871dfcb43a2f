/** A new element with its part, class and text. */
export function make(tag: string, part: string, className = '', text = ''): HTMLElement {
  const element = document.createElement(tag);
  if (part) element.setAttribute('part', part);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

/** Gives an element this text, where it has another; a node of text that is there stays. */
export function write(element: Element, text: string): void {
  const node = element.firstChild as Text | null;
  if (!node) element.append(text);
  else if (node.data !== text) node.data = text;
}
