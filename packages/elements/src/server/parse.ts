import { unescapeText } from './escape.ts';
import { Element, nodesOf, Raw } from './tree.ts';
import { VOID } from './void.ts';

const PIECE = /<!--[\s\S]*?-->|<\?[^>]*>|<(\/?)([a-zA-Z][\w-]*)((?:[^"'>]|"[^"]*"|'[^']*')*?)(\/?)>/g;
const ATTRIBUTE = /([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** Reads markup that templates were drawn to. Everything in it is closed, so there is nothing to repair. */
export function parse(html: string): Element {
  const root = new Element('');
  let at: Element = root;
  let from = 0;
  const text = (to: number): void => {
    if (to > from) for (const node of nodesOf(unescapeText(html.slice(from, to)))) at.append(node);
  };
  for (const piece of html.matchAll(PIECE)) {
    text(piece.index);
    from = piece.index + piece[0].length;
    const [all, end, tag, attributes, closed] = piece;
    if (tag === undefined) at.append(new Raw(all));
    else if (end) {
      // An end without a beginning ends nothing.
      for (let open: Element | undefined = at; open && open !== root; open = open.parentNode) {
        if (open.localName !== tag) continue;
        at = open.parentNode ?? root;
        break;
      }
    } else {
      const element = new Element(tag);
      for (const [, name, double, single, bare] of attributes!.matchAll(ATTRIBUTE))
        element.attributes.set(name!, unescapeText(double ?? single ?? bare ?? ''));
      at.append(element);
      if (!closed && !VOID.has(tag)) at = element;
    }
  }
  text(html.length);
  return root;
}
