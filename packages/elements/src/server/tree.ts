import { escapeText } from './escape.ts';
import { testOf } from './matches.ts';

/** Properties that are attributes, and what each is called as one. */
const REFLECTED: Readonly<Record<string, string>> = {
  className: 'class',
  dir: 'dir',
  href: 'href',
  id: 'id',
  lang: 'lang',
  max: 'max',
  role: 'role',
  slot: 'slot',
  tabIndex: 'tabindex',
  title: 'title',
  type: 'type',
  value: 'value',
  ...Object.fromEntries(
    [
      'Atomic',
      'Busy',
      'Controls',
      'Current',
      'Description',
      'Disabled',
      'Expanded',
      'Hidden',
      'Label',
      'Level',
      'Live',
      'Pressed',
      'Selected',
      'SetSize',
      'PosInSet',
      'ValueMax',
      'ValueMin',
      'ValueNow',
      'ValueText',
    ].map((name) => [`aria${name}`, `aria-${name.toLowerCase()}`]),
  ),
};
const SWITCHES = ['hidden', 'inert', 'disabled', 'open'];

export type Node = Element | Text | Raw;

/** Text, shown as it is. */
export class Text {
  readonly nodeType = 3;
  parentNode: Element | undefined;
  data: string;

  constructor(data: string) {
    this.data = data;
  }

  get textContent(): string {
    return this.data;
  }
}

/** Markup that is passed on as it is: comments, and what was drawn apart. */
export class Raw {
  readonly nodeType = 8;
  readonly textContent = '';
  parentNode: Element | undefined;
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** What an element's style is set to. It is written as a rule: a strict content security policy allows no style attribute. */
class Style {
  setProperty(name: string, value: string): void {
    (this as Record<string, unknown>)[name] = value;
  }

  getPropertyValue(name: string): string {
    return ((this as Record<string, unknown>)[name] as string | undefined) ?? '';
  }

  removeProperty(name: string): void {
    delete (this as Record<string, unknown>)[name];
  }
}

/** As much of an element as drawing needs. A fragment is one without a name. */
export class Element {
  readonly nodeType = 1;
  /** Styles that a root was given when it had been drawn. */
  later: Set<{ readonly cssText: string }> | undefined;
  readonly localName: string;
  readonly attributes = new Map<string, string>();
  readonly style = new Style();
  readonly dataset: Record<string, string> = {};
  /** Whether code made it, and not a template. */
  made = false;
  parentNode: Element | undefined;
  childNodes: Node[] = [];

  constructor(localName: string) {
    this.localName = localName;
  }

  get children(): Element[] {
    return this.childNodes.filter((node) => node instanceof Element);
  }
  get firstChild(): Node | null {
    return this.childNodes[0] ?? null;
  }
  get lastChild(): Node | null {
    return this.childNodes.at(-1) ?? null;
  }
  get firstElementChild(): Element | null {
    return this.childNodes.find((node) => node instanceof Element) ?? null;
  }
  get lastElementChild(): Element | null {
    return this.childNodes.findLast((node) => node instanceof Element) ?? null;
  }
  get nextSibling(): Node | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  get isConnected(): boolean {
    return false;
  }
  get classList(): { add(...names: string[]): void; remove(...names: string[]): void; toggle(name: string, on?: boolean): void } & {
    contains(name: string): boolean;
  } {
    const names = new Set(this.getAttribute('class')?.split(/\s+/).filter(Boolean));
    const set = (): void => this.setAttribute('class', [...names].join(' '));
    return {
      add: (...more) => (more.forEach((name) => names.add(name)), set()),
      remove: (...less) => (less.forEach((name) => names.delete(name)), set()),
      toggle: (name, on = !names.has(name)) => (on ? names.add(name) : names.delete(name), set()),
      contains: (name) => names.has(name),
    };
  }
  get textContent(): string {
    return this.childNodes.map((node) => node.textContent).join('');
  }
  set textContent(text: string) {
    this.replaceChildren(...(text ? [String(text)] : []));
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }
  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }
  toggleAttribute(name: string, on = !this.hasAttribute(name)): void {
    if (on) this.setAttribute(name, '');
    else this.removeAttribute(name);
  }

  append(...nodes: (Node | string)[]): void {
    for (const node of nodes) this.insertBefore(node, null);
  }
  replaceChildren(...nodes: (Node | string)[]): void {
    this.childNodes = [];
    this.append(...nodes);
  }
  appendChild(node: Node): Node {
    return this.insertBefore(node, null);
  }
  insertBefore(node: Node | string, before: Node | null): Node {
    if (typeof node === 'string') node = new Text(node);
    if (node instanceof Element && !node.localName) {
      for (const one of node.childNodes.splice(0)) this.insertBefore(one, before);
      return node;
    }
    detach(node);
    node.parentNode = this;
    const at = before ? this.childNodes.indexOf(before) : -1;
    if (at < 0) this.childNodes.push(node);
    else this.childNodes.splice(at, 0, node);
    return node;
  }
  remove(): void {
    detach(this);
  }
  replaceWith(...nodes: Node[]): void {
    const parent = this.parentNode;
    for (const node of nodes) parent?.insertBefore(node, this);
    this.remove();
  }

  querySelector(selector: string): Element | null {
    return first(this, testOf(selector)) ?? null;
  }
  querySelectorAll(selector: string): Element[] {
    const found: Element[] = [];
    first(this, collecting(testOf(selector), found));
    return found;
  }
  getElementById(id: string): Element | null {
    return this.querySelector(`#${id}`);
  }
  addEventListener(): void {}
  removeEventListener(): void {}
  setAttributeNS(_space: string | null, name: string, value: string): void {
    this.setAttribute(name, value);
  }

  /** Stands in a template for the element, which takes its place when the template has been drawn. */
  toString(): string {
    return standIn(this);
  }
}

for (const [property, attribute] of Object.entries(REFLECTED)) {
  Object.defineProperty(Element.prototype, property, {
    get(this: Element) {
      return this.getAttribute(attribute);
    },
    set(this: Element, value: unknown) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
    },
  });
}
for (const name of SWITCHES) {
  Object.defineProperty(Element.prototype, name, {
    get(this: Element) {
      return this.hasAttribute(name);
    },
    set(this: Element, value: unknown) {
      this.toggleAttribute(name, !!value);
    },
  });
}

/** The first element within another one that fits, in the order of the document. */
function first({ childNodes }: Element, fits: (element: Element) => boolean): Element | undefined {
  for (const node of childNodes) {
    if (!(node instanceof Element)) continue;
    const found = fits(node) ? node : first(node, fits);
    if (found) return found;
  }
  return undefined;
}

/** Keeps what fits, and goes on. */
function collecting(fits: (element: Element) => boolean, found: Element[]): (element: Element) => boolean {
  return (element) => {
    if (fits(element)) found.push(element);
    return false;
  };
}

function detach(node: Node): void {
  const all = node.parentNode?.childNodes;
  const at = all?.indexOf(node) ?? -1;
  if (at >= 0) all!.splice(at, 1);
  node.parentNode = undefined;
}

/** Nobody outside can know it, so no text can pretend to be one of its places. */
const SECRET = globalThis.crypto.randomUUID();
const PLACE = new RegExp(`(${SECRET}-\\d+;)`);
const standing = new Map<string, Node>();

/** A text that stands for a node until it is drawn. */
export function standIn(node: Node): string {
  const place = `${SECRET}-${standing.size};`;
  standing.set(place, node);
  return place;
}

/** Text as nodes, with the ones back that it stands for. */
export function nodesOf(text: string): Node[] {
  if (!text.includes(SECRET)) return text ? [new Text(text)] : [];
  return text
    .split(PLACE)
    .filter(Boolean)
    .map((part) => standing.get(part) ?? new Text(part));
}

/** Forgets whom places stood for. */
export function forgetPlaces(): void {
  standing.clear();
}

/** Markup of text. */
export const textOf = ({ data }: Text): string => escapeText(data);
