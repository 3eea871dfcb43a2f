import { Element } from './tree.ts';

function make(tag: string): Element {
  return Object.assign(new Element(tag), { made: true });
}

/** Observes nothing: on a server nothing has a size and nothing is seen. */
class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** As much of a document as drawing needs. It is there only while an element is drawn, and nothing is ever in it. */
const page = {
  hidden: true,
  documentElement: new Element('html'),
  body: new Element('body'),
  baseURI: 'about:blank',
  adoptedStyleSheets: [],
  createElement: (tag: string): Element => make(tag.toLowerCase()),
  createElementNS: (_space: string | null, tag: string): Element => make(tag),
  createDocumentFragment: (): Element => new Element(''),
  createTextNode: (text: string): string => text,
  addEventListener(): void {},
  removeEventListener(): void {},
  querySelector: (): null => null,
  querySelectorAll: (): never[] => [],
};

/**
 * Draws with that document in place, and as if it were the given time: elements ask for both where they need them. What runs
 * inside is synchronous, so nobody else can notice.
 */
export function drawAt<T>(now: number, draw: () => T): T {
  const names = Object.keys(GLOBALS) as (keyof typeof GLOBALS)[];
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  const real = Date.now;
  for (const name of names) Object.defineProperty(globalThis, name, { value: GLOBALS[name], configurable: true });
  Date.now = () => now;
  try {
    return draw();
  } finally {
    Date.now = real;
    names.forEach((name, index) => {
      const own = before[index];
      if (own) Object.defineProperty(globalThis, name, own);
      else delete (globalThis as { [name in keyof typeof GLOBALS]?: unknown })[name];
    });
  }
}

const GLOBALS = { document: page, ResizeObserver: Observer, IntersectionObserver: Observer };
