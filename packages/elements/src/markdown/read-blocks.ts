import { newBlock } from './block.ts';
import type { Block, Fence, ListMark, Unit } from './block.ts';
import { takeDefinitions } from './links.ts';
import type { Definition } from './links.ts';
import { htmlStart, reread } from './raw-html.ts';
import { alignmentsOf, cellsOf } from './table.ts';

/** Quotes, lists and items in one another. */
const NESTING = 32;
const ITEM = /^(?:([*+-])|(\d{1,9})([.)]))(?=[ \t]|$)/;
/** A line below text that makes it a heading. */
const UNDERLINE = /^(?:=+|-+)[ \t]*$/;
const RULE = /^(?:\*[ \t]*){3,}$|^(?:_[ \t]*){3,}$|^(?:-[ \t]*){3,}$/;

/**
 * Reads the blocks of a note from the line `from` on, as CommonMark and the tables of GitHub have them. Each line is
 * looked at once for every block that it stands in, so that no note costs more than its length times the nesting.
 * Before a unit begins, `stop` is asked whether the rest is known already.
 */
export function readUnits(lines: readonly string[], from: number, stop: (line: number) => boolean, depth = 0): Unit[] {
  const units: (Unit & { end: number; blocks: Block[]; definitions: Definition[] })[] = [];
  const root = newBlock('root', from);
  const open: Block[] = [root];
  let definitions: Definition[] = [];
  let line = '';
  let number = from;
  let index = 0;
  let column = 0;
  /** Columns of a tab that was only partly used up. */
  let spare = 0;
  let next = 0;
  let indent = 0;
  let blank = false;
  let stopped = false;

  const look = (): void => {
    let at = column;
    for (next = index; next < line.length; next++) {
      const code = line.charCodeAt(next);
      if (code === 32) at++;
      else if (code === 9) at += 4 - (at % 4);
      else break;
    }
    indent = at - column + spare;
    blank = next >= line.length;
  };
  const skip = (columns: number): void => {
    while (columns > 0 && (spare > 0 || index < line.length)) {
      if (spare === 0) {
        spare = line[index] === '\t' ? 4 - (column % 4) : 1;
        column += spare;
        index++;
      }
      const used = Math.min(spare, columns);
      spare -= used;
      columns -= used;
    }
    look();
  };
  const skipTo = (place: number): void => {
    skip(indent);
    column += place - index;
    index = place;
    look();
  };
  const rest = (): string => ' '.repeat(spare) + line.slice(index);

  const close = (last: number): void => {
    const block = open.pop()!;
    const parent = open.at(-1)!;
    block.end = last;
    if (block.kind === 'item' || block.kind === 'list') block.end = block.children.at(-1)?.end ?? block.start;
    if (block.kind === 'list') block.list!.loose = isLoose(block);
    if (block.kind === 'code' && !block.fence) {
      while (isBlank(block.text.at(-1)!)) {
        block.text.pop();
        block.end--;
      }
    }
    if (block.kind === 'paragraph') {
      if (block.text[0]!.startsWith('[')) block.text = [takeDefinitions(block.text.join('\n'), definitions)];
      if (block.text.length === 1 && !block.text[0]!.trim()) parent.children.pop();
    }
    if (block.kind === 'html') {
      parent.children.pop();
      const left = reread(block.text.join('\n'));
      if (!left.trim()) return;
      if (depth < 4) {
        for (const unit of readUnits(left.split('\n'), 0, () => false, depth + 1)) {
          for (const inner of unit.blocks) parent.children.push({ ...inner, start: block.start, end: last });
          definitions.push(...unit.definitions);
        }
      } else parent.children.push(newBlock('paragraph', block.start, { text: [left], end: last }));
    }
  };
  const closeTo = (length: number): void => {
    while (open.length > length) close(number - 1);
  };
  const seal = (): void => {
    const unit = units.at(-1);
    if (!unit) return;
    unit.blocks = root.children.splice(0);
    unit.definitions = definitions;
    unit.end = number;
    definitions = [];
  };
  /** Puts a block into the innermost one that can hold it. False if the rest of the note is known already. */
  const add = (block: Block): void => {
    const holds = (parent: Block): boolean =>
      parent.kind === 'root' || parent.kind === 'quote' || parent.kind === 'item' || (parent.kind === 'list' && block.kind === 'item');
    while (!holds(open.at(-1)!)) close(number - 1);
    if (open.length === 1) {
      seal();
      stopped = stop(number);
      if (stopped) return;
      units.push({ start: number, end: number, blocks: [], definitions: [] });
    }
    open.at(-1)!.children.push(block);
    open.push(block);
  };

  const continues = (block: Block): boolean | undefined => {
    switch (block.kind) {
      case 'quote':
        if (indent > 3 || line[next] !== '>') return false;
        skipTo(next + 1);
        if (indent > 0) skip(1);
        return true;
      case 'item':
        if (blank) {
          if (!block.children.length) return false;
          skipTo(next);
          return true;
        }
        if (indent < block.list!.inset) return false;
        skip(block.list!.inset);
        return true;
      case 'code': {
        const { fence } = block;
        if (!fence) {
          if (indent < 4 && !blank) return false;
          skip(Math.min(4, indent));
          return true;
        }
        const end = indent < 4 && line[next] === fence.mark ? /^(`{3,}|~{3,})[ \t]*$/.exec(line.slice(next)) : null;
        if (end && end[1]!.length >= fence.length) {
          fence.closed = true;
          return undefined;
        }
        skip(Math.min(fence.inset, indent));
        return true;
      }
      case 'html':
        return block.until !== undefined || !blank;
      case 'paragraph':
      case 'table':
        return !blank;
      default:
        return block.kind === 'list';
    }
  };

  /** Opens the blocks that begin in this line. True once one was opened that takes the rest of the line as its text. */
  const begin = (matched: number): boolean => {
    for (;;) {
      const tip = matched === open.length ? open.at(-1)! : undefined;
      if (blank) return false;
      if (indent > 3) {
        if (open.at(-1)!.kind === 'paragraph') return false;
        closeTo(matched);
        skip(4);
        add(newBlock('code', number));
        return true;
      }
      const text = line.slice(next);
      const first = text[0]!;
      if (tip?.kind === 'paragraph' && (first === '|' || first === ':' || first === '-')) {
        const columns = alignmentsOf(text);
        const head = tip.text.at(-1)!;
        if (columns && (head.includes('|') || text.includes('|')) && !UNDERLINE.test(text) && cellsOf(head).length === columns.length) {
          const parent = open.at(-2)!;
          open.pop();
          tip.text.pop();
          tip.end = number - 2;
          if (!tip.text.length) parent.children.pop();
          const table = newBlock('table', number - 1, { columns, text: [head] });
          parent.children.push(table);
          open.push(table);
          index = line.length;
          return true;
        }
      }
      if (first === '>' && open.length < NESTING * 2) {
        closeTo(matched);
        skipTo(next + 1);
        if (indent > 0) skip(1);
        add(newBlock('quote', number));
        if (stopped) return true;
        matched = open.length;
        continue;
      }
      const heading = first === '#' ? /^(#{1,6})(?:[ \t]+|$)/.exec(text) : null;
      if (heading) {
        closeTo(matched);
        const words = text
          .slice(heading[0].length)
          .replace(/^#+[ \t]*$/, '')
          .replace(/[ \t]#+[ \t]*$/, '')
          .trim();
        add(newBlock('heading', number, { level: heading[1]!.length, text: [words] }));
        if (!stopped) close(number);
        index = line.length;
        return true;
      }
      const fence = first === '`' || first === '~' ? /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(text) : null;
      if (fence) {
        closeTo(matched);
        const mark: Fence = { mark: first, length: (fence[1] ?? fence[2])!.length, inset: indent, closed: false };
        add(newBlock('code', number, { fence: mark }));
        index = line.length;
        return true;
      }
      const html = first === '<' ? htmlStart(text, open.at(-1)!.kind === 'paragraph') : undefined;
      if (html) {
        closeTo(matched);
        add(newBlock('html', number, { until: html.until }));
        return true;
      }
      if (tip?.kind === 'paragraph' && (first === '=' || first === '-') && UNDERLINE.test(text)) {
        const words = takeDefinitions(tip.text.join('\n'), definitions);
        if (words.trim()) {
          const parent = open.at(-2)!;
          open.pop();
          parent.children.pop();
          parent.children.push(newBlock('heading', tip.start, { level: first === '=' ? 1 : 2, text: [words.trim()], end: number }));
          index = line.length;
          return true;
        }
        tip.text = [words];
      }
      if ((first === '*' || first === '-' || first === '_') && RULE.test(text)) {
        closeTo(matched);
        add(newBlock('rule', number));
        if (!stopped) close(number);
        index = line.length;
        return true;
      }
      const item = open.length < NESTING * 2 ? ITEM.exec(text) : null;
      if (!item) return false;
      const interrupts = open.at(-1)!.kind === 'paragraph' && matched === open.length;
      const empty = !text.slice(item[0].length).trim();
      if (interrupts && (empty || (item[2] !== undefined && item[2] !== '1' && Number(item[2]) !== 1))) return false;
      closeTo(matched);
      const marker = item[0].length;
      const before = indent;
      skipTo(next + marker);
      const inset = blank || indent > 4 ? 1 : indent;
      const list: ListMark = {
        mark: item[1] ?? item[3]!,
        first: item[2] === undefined ? undefined : Number(item[2]),
        inset: before + marker + inset,
        loose: false,
      };
      skip(blank ? indent : inset);
      const parent = open.at(-1)!;
      if (parent.kind !== 'list' || parent.list!.mark !== list.mark) {
        if (parent.kind === 'list') close(number - 1);
        add(newBlock('list', number, { list }));
        if (stopped) return true;
      }
      add(newBlock('item', number, { list }));
      matched = open.length;
    }
  };

  for (; number < lines.length; number++) {
    line = lines[number]!;
    index = column = spare = 0;
    look();
    let matched = 1;
    let consumed = false;
    for (; matched < open.length; matched++) {
      const goes = continues(open[matched]!);
      if (goes === undefined) consumed = true;
      if (!goes) break;
      look();
    }
    if (consumed) {
      closeTo(matched + 1);
      close(number);
      continue;
    }
    const tip = open[matched - 1]!;
    const takes = tip.kind === 'code' || tip.kind === 'html';
    const length = open.length;
    const innermost = open.at(-1)!;
    let started = false;
    let own = matched;
    if (!takes) {
      started = begin(matched);
      if (stopped) return units;
      if (!started && innermost.kind === 'paragraph' && open.length === length && open.at(-1) === innermost && !blank) {
        innermost.text.push(line.slice(next));
        continue;
      }
      own = open.length > length || open.at(-1) !== innermost ? open.length : matched;
    }
    if (!started) closeTo(own);
    const block = open.at(-1)!;
    if (block.kind === 'code' || block.kind === 'html') {
      if (started && block.fence) continue;
      block.text.push(rest());
      if (block.kind === 'html' && block.until?.test(line.slice(index))) close(number);
    } else if (block.kind === 'table') {
      if (!started) block.text.push(line.slice(next));
    } else if (!blank && index < line.length) {
      if (block.kind === 'paragraph') block.text.push(line.slice(next));
      else {
        add(newBlock('paragraph', number, { text: [line.slice(next)] }));
        if (stopped) return units;
      }
    }
  }
  closeTo(1);
  seal();
  return units;
}

/** Nothing but what Markdown counts as blank: wider spaces are text. */
const isBlank = (line: string): boolean => /^[ \t]*$/.test(line);

function isLoose(list: Block): boolean {
  return list.children.some(
    (item, place) => gap(item, list.children[place + 1]) || item.children.some((child, within) => gap(child, item.children[within + 1])),
  );
}

/** An empty line between two neighbours. */
function gap(block: Block, next: Block | undefined): boolean {
  return next !== undefined && block.end < next.start - 1;
}
