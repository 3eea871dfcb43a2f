import { escapeText } from './escape.ts';
import { matches } from './matches.ts';
import { Element, Raw, textOf } from './tree.ts';
import type { Node } from './tree.ts';
import { VOID } from './void.ts';

/** Rules for what has a style of its own: a strict content security policy allows them where it allows no style attribute. */
export interface Rules {
  css: string;
  count: number;
}

/** Markup of an element that was made by code, with `light` in it; empty for one that is nobody's to draw. */
type Draw = (element: Element, light: () => string) => string;

/** Markup of a node. */
export function write(node: Node, rules: Rules, draw: Draw): string {
  if (node instanceof Raw) return node.html;
  if (!(node instanceof Element)) return textOf(node);
  const inside = (): string => {
    let html = '';
    for (const child of node.childNodes) html += write(child, rules, draw);
    return html;
  };
  const { localName } = node;
  if (!localName) return inside();
  if (localName.includes('-') && !node.children.some((child) => child.hasAttribute('shadowrootmode'))) {
    const drawn = draw(node, inside);
    if (drawn) return drawn;
  }
  if (node.made && node.parentNode && matches(node.parentNode, FILLED)) node.setAttribute('data-drawn', '');
  const own = Object.entries(node.style).filter(([, value]) => typeof value === 'string' && value && !/[<>{};]/.test(value));
  if (own.length > 0) {
    node.setAttribute('data-s', ++rules.count);
    const set = own.map(([name, value]) => `${kebab(name)}:${value}`).join(';');
    rules.css += `[data-s="${rules.count}"]{${set}}`;
  }
  for (const [name, value] of Object.entries(node.dataset)) node.setAttribute(`data-${kebab(name)}`, value);
  let open = `<${localName}`;
  for (const [name, value] of node.attributes) open += value === '' ? ` ${name}` : ` ${name}="${escapeText(value)}"`;
  return VOID.has(localName) ? `${open}>` : `${open}>${inside()}</${localName}>`;
}

/** What code fills without a look at what is there: it does so anew in the page. Elsewhere it goes on with what it finds. */
const FILLED = '.rows';

const kebab = (name: string): string => (name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
