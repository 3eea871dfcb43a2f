import { Element } from './tree.ts';

/** As much of a document as drawing needs. It is there only while an element is drawn, and nothing is ever in it. */
const page = {
  hidden: true,
  documentElement: new Element('html'),
  body: new Element('body'),
  baseURI: 'about:blank',
  adoptedStyleSheets: [],
  createElement: (tag: string): Element => new Element(tag.toLowerCase()),
  createElementNS: (_space: string | null, tag: string): Element => new Element(tag),
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
  const before = Object.getOwnPropertyDescriptor(globalThis, 'document');
  const real = Date.now;
  Object.defineProperty(globalThis, 'document', { value: page, configurable: true });
  Date.now = () => now;
  try {
    return draw();
  } finally {
    Date.now = real;
    if (before) Object.defineProperty(globalThis, 'document', before);
    else delete (globalThis as { document?: unknown }).document;
  }
}
