import type { Block } from './block.ts';
import { escape } from './escape.ts';
import { readLine } from './read-line.ts';
import type { Scope } from './read-line.ts';
import { cellsOf } from './table.ts';

/** A task that is done, and one that is not, as they stand at the beginning of an item. */
export const DONE = '☑';
export const OPEN = '☐';

/** Turns blocks into HTML, one element for each. Throws when there is more of it than the scope has room for. */
export function writeBlocks(blocks: readonly Block[], scope: Scope): string {
  return blocks.map((block) => write(block, scope)).join('');
}

/** One element: its tag must be of those that the wall lets through. */
function element(tag: string, content: string, scope: Scope, attributes = ''): string {
  scope.nodes--;
  scope.room -= tag.length * 2 + 5 + attributes.length;
  if (scope.nodes < 0 || scope.room < 0) throw new RangeError('The note is too large.');
  return tag === 'hr' ? '<hr>' : `<${tag}${attributes}>${content}</${tag}>`;
}

function write(block: Block, scope: Scope): string {
  switch (block.kind) {
    case 'heading':
      return element(`h${block.level}`, line(block, scope), scope);
    case 'rule':
      return element('hr', '', scope);
    case 'code': {
      const text = block.text.join('\n');
      scope.room -= text.length;
      scope.nodes -= 1;
      return element('pre', element('code', text ? `${escape(text)}\n` : '', scope), scope);
    }
    case 'quote':
      return element('blockquote', writeBlocks(block.children, scope), scope);
    case 'list': {
      const { first, loose } = block.list!;
      const items = block.children.map((item) => element('li', writeItem(item, loose, scope), scope)).join('');
      return first === undefined ? element('ul', items, scope) : element('ol', items, scope, first === 1 ? '' : ` start="${first}"`);
    }
    case 'table':
      return writeTable(block, scope);
    default:
      return element('p', line(block, scope), scope);
  }
}

function line({ text }: Block, scope: Scope): string {
  return readLine(text.join('\n'), scope);
}

function writeItem(item: Block, loose: boolean, scope: Scope): string {
  let html = '';
  for (const [place, block] of item.children.entries()) {
    if (block.kind !== 'paragraph') {
      html += write(block, scope);
      continue;
    }
    let text = block.text.join('\n');
    const task = place === 0 ? /^\[([ xX])\][ \t]+(?=\S)/.exec(text) : null;
    if (task) text = text.slice(task[0].length);
    const words = `${task ? `${task[1] === ' ' ? OPEN : DONE} ` : ''}${readLine(text, scope)}`;
    // Two texts side by side would run into one another.
    html += loose ? element('p', words, scope) : html && !html.endsWith('>') ? `\n${words}` : words;
  }
  return html;
}

function writeTable({ text, columns }: Block, scope: Scope): string {
  const row = (source: string, tag: 'th' | 'td'): string => {
    const cells = cellsOf(source);
    const html = columns.map((align, place) =>
      element(tag, readLine((cells[place] ?? '').trim(), scope), scope, align ? ` align="${align}"` : ''),
    );
    return element('tr', html.join(''), scope);
  };
  const [head = '', ...rest] = text;
  const body = rest.length ? element('tbody', rest.map((source) => row(source, 'td')).join(''), scope) : '';
  return element('table', element('thead', row(head, 'th'), scope) + body, scope);
}
