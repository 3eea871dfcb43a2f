/** What can be asked for. */
interface Element {
  readonly localName: string;
  getAttribute(name: string): string | null;
}

const SIMPLE = /^([\w-]+)|^\.([\w-]+)|^#([\w-]+)|^\[([\w-]+)(?:([~^]?)=["']?([^"'\]]*)["']?)?\]|^:not\(([^()]*)\)|^\*/;

/** True if the element fits the selector: a list of compounds, of which no one asks for what is around it. */
export function matches(element: Element, selector: string): boolean {
  return selector.split(',').some((one) => fits(element, one.trim()));
}

function fits(element: Element, selector: string): boolean {
  if (!selector) return false;
  for (let rest = selector; rest;) {
    const found = SIMPLE.exec(rest);
    if (!found) return false;
    rest = rest.slice(found[0].length);
    const [, tag, name, id, attribute, how, value, not] = found;
    const has = attribute === undefined ? null : element.getAttribute(attribute);
    const ok =
      tag !== undefined
        ? element.localName === tag
        : name !== undefined
          ? ` ${element.getAttribute('class') ?? ''} `.includes(` ${name} `)
          : id !== undefined
            ? element.getAttribute('id') === id
            : attribute !== undefined
              ? has !== null &&
                (value === undefined || (how === '~' ? has.split(/\s+/).includes(value) : how ? has.startsWith(value) : has === value))
              : not === undefined || !matches(element, not);
    if (!ok) return false;
  }
  return true;
}
