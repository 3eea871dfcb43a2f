import type { Block } from './block.ts';
import { escape } from './escape.ts';
import { readLine } from './read-line.ts';
import { spend } from './scope.ts';
import type { Scope } from './scope.ts';
import { cellsOf } from './table.ts';
import { scrolling, taskBox } from './tags.ts';

/** Turns blocks into HTML, one element for each. Throws when there is more of it than the scope has room for. */
export function writeBlocks(blocks: readonly Block[], scope: Scope): string {
  return blocks.map((block) => write(block, scope)).join('');
}

/** One element: its tag must be of those that the wall lets through. */
function element(tag: string, content: string, scope: Scope, attributes = ''): string {
  spend(scope, tag.length * 2 + 5 + attributes.length, 1);
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
      return element('pre', element('code', text ? `${escape(text)}\n` : '', scope), scope, scrolling(scope.names.code));
    }
    case 'quote':
      return element('blockquote', writeBlocks(block.children, scope), scope);
    case 'list': {
      const { first, loose } = block.list!;
      const items = block.children.map((item) => writeItem(item, loose, scope)).join('');
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

const TASK = /^(?:\[([ xX])\][ \t]+(?=\S)|([☐☑]))/;

function writeItem(item: Block, loose: boolean, scope: Scope): string {
  let html = '';
  let isTask = false;
  for (const [place, block] of item.children.entries()) {
    if (block.kind !== 'paragraph') {
      html += write(block, scope);
      continue;
    }
    let text = block.text.join('\n');
    const task = place === 0 ? TASK.exec(text) : null;
    let words = '';
    if (task) {
      text = text.slice(task[0].length);
      words = taskBox(task[2] === '☑' || /[xX]/.test(task[1] ?? ''), scope.names);
      spend(scope, words.length, 2);
      if (task[1]) words += ' ';
      isTask = true;
    }
    words += readLine(text, scope);
    // Two texts side by side would run into one another.
    html += loose ? element('p', words, scope) : html && !html.endsWith('>') ? `\n${words}` : words;
  }
  return element('li', html, scope, isTask ? ' class="task"' : '');
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
  const table = element('table', element('thead', row(head, 'th'), scope) + body, scope);
  return element('div', table, scope, ` class="scroll"${scrolling(scope.names.table)}`);
}
