import { addressOf, bareAddress, isLinkable, mailAddress } from './address.ts';
import { readBar } from './bar-tag.ts';
import { entity, entityHere, escape, escapeSource, trimEnd } from './escape.ts';
import { at, labelAt, normal, targetAt } from './links.ts';
import type { Target } from './links.ts';
import { rawInline } from './raw-html.ts';
import { spend } from './scope.ts';
import type { Scope } from './scope.ts';
import { linkTag } from './tags.ts';

/** Words up to the next mark that may mean something. */
const PLAIN = /(?:[^\n\\`&<[\]!*_~:@w]+|w(?!ww\.)|:(?!\/\/)|!(?!\[))+/y;
/** What makes a line more than words, or needs to be escaped. */
const SPECIAL = /[\n\\`&<>"[\]*_~@]|www\.|:\/\//;
const MARK = /[\p{P}\p{S}]/u;
const BLANK = /\s/;

/** A run of `*`, `_` or `~`, which may turn out to begin or end emphasis. */
interface Run {
  readonly piece: number;
  readonly mark: string;
  readonly length: number;
  left: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

interface Bracket {
  readonly piece: number;
  readonly index: number;
  readonly image: boolean;
  readonly runs: number;
  active: boolean;
  /** Another bracket was opened since: what stands between is no label. */
  inner: boolean;
}

/** Turns the text of one block into HTML: tags of a fixed set, everything the author wrote escaped. */
export function readLine(source: string, scope: Scope): string {
  const text = trimEnd(source, ' \t\n');
  // Most lines are words and nothing else.
  if (!SPECIAL.test(text)) {
    if (text) spend(scope, text.length, 1);
    return text;
  }
  const pieces: string[] = [];
  const before: string[] = [];
  const after: string[] = [];
  let runs: Run[] = [];
  const brackets: Bracket[] = [];
  /** Words of the addresses that became links by themselves, by their piece. */
  const addresses = new Map<number, string>();
  let ticks: Map<number, number> | undefined;
  let plain = '';
  /** The last piece is the beginning of the same text. */
  let goesOn = false;
  let index = 0;
  /** A backslash stands before the end of the line. */
  let broken = false;

  /** Puts down a text that goes on: to keep adding to one that is looked at in between costs the square of its length. */
  const settle = (): void => {
    if (!plain) return;
    spend(scope, plain.length, goesOn ? 0 : 1);
    pieces.push(plain);
    plain = '';
    goesOn = true;
  };
  const flush = (): void => {
    settle();
    goesOn = false;
  };
  const put = (html: string, nodes = 1): void => {
    flush();
    spend(scope, html.length, nodes);
    pieces.push(html);
  };
  const link = (href: string, words: string): void => {
    put(`${linkTag(href)}${words}</a>`, 2);
    addresses.set(pieces.length - 1, words);
  };

  const code = (): void => {
    const run = at(/`+/y, text, index)![0];
    const start = index + run.length;
    let end = text.indexOf(run, start);
    // What was found may be a part of a longer run.
    if (end >= 0 && (text[end - 1] === '`' || text[end + run.length] === '`')) end = codeEnd(run.length, start);
    index = start;
    if (end < 0) return void (plain += run);
    const inside = text.slice(start, end).replaceAll('\n', ' ');
    const padded = inside.startsWith(' ') && inside.endsWith(' ') && /[^ ]/.test(inside) ? inside.slice(1, -1) : inside;
    index = end + run.length;
    put(`<code>${escape(padded)}</code>`, 2);
  };

  /** Where the next run of so many backticks begins; below 0: nowhere. */
  const codeEnd = (length: number, start: number): number => {
    if (!ticks) {
      ticks = new Map();
      for (const { 0: found, index: place } of text.matchAll(/`+/g)) ticks.set(found.length, place);
    }
    if ((ticks.get(length) ?? -1) < start) return -1;
    const expression = /`+/g;
    expression.lastIndex = start;
    for (let found; (found = expression.exec(text));) if (found[0].length === length) return found.index;
    return -1;
  };

  const angle = (): void => {
    const address = at(/<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)>/iy, text, index);
    if (address) {
      index += address[0].length;
      if (isLinkable(address[1]!)) return link(addressOf(escape(address[1]!)), escape(address[1]!));
      return void (plain += escape(address[1]!));
    }
    const mail = at(/<([\w.!#$%&'*+/=?^`{|}~-]{1,200}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})*)>/iy, text, index);
    if (mail) {
      index += mail[0].length;
      return link(`mailto:${escape(mail[1]!)}`, escape(mail[1]!));
    }
    const bar = at(/<\/?progress\b/iy, text, index) && readBar(text.slice(index));
    if (bar) {
      index += bar.raw.length;
      if (bar.max === undefined) return;
      const { max, value, name } = bar;
      const numbers = value === undefined ? '' : ` · ${value}/${max}`;
      const label = escapeSource(name?.trim() ?? '') || `${scope.names.title}${numbers}`;
      return put(`<progress${numbers && ` value="${value}"`} max="${max}" aria-label="${label}"></progress>`);
    }
    const end = rawInline(text, index);
    if (!end) return void ((plain += '&lt;'), index++);
    if (at(/<br\s*\/?(?:\s[^>]*)?>/iy, text, index)) put('<br>');
    index = end;
  };

  const run = (): void => {
    const mark = text[index]!;
    const all = at(mark === '*' ? /\*+/y : mark === '_' ? /_+/y : /~+/y, text, index)![0];
    const back = index > 0 ? characterBefore(text, index) : ' ';
    index += all.length;
    const ahead = index < text.length ? String.fromCodePoint(text.codePointAt(index)!) : ' ';
    const blankAhead = BLANK.test(ahead);
    const blankBack = BLANK.test(back);
    const left = !blankAhead && (!MARK.test(ahead) || blankBack || MARK.test(back));
    const right = !blankBack && (!MARK.test(back) || blankAhead || MARK.test(ahead));
    const opens = mark === '_' ? left && (!right || MARK.test(back)) : left;
    const closes = mark === '_' ? right && (!left || MARK.test(ahead)) : right;
    if ((!opens && !closes) || (mark === '~' && all.length > 2)) return void (plain += all);
    flush();
    runs.push({ piece: pieces.length, mark, length: all.length, left: all.length, opens, closes });
    pieces.push('');
  };

  const emphasise = (from: number): void => {
    /** For each kind of end, where nothing was found before: no run is looked at twice in vain. */
    const bottoms = new Map<string, number>();
    const openers: number[] = [];
    for (let place = from; place < runs.length; place++) {
      const end = runs[place]!;
      while (end.closes && end.left > 0) {
        const kind = `${end.mark}${end.opens}${end.mark === '~' ? end.length : end.length % 3}`;
        const bottom = bottoms.get(kind) ?? -1;
        let found = openers.length - 1;
        for (; found > bottom; found--) {
          const start = runs[openers[found]!]!;
          if (start.mark !== end.mark) continue;
          if (end.mark === '~' ? start.length === end.length : !unequal(start, end)) break;
        }
        if (found <= bottom) {
          bottoms.set(kind, openers.length - 1);
          break;
        }
        const start = runs[openers[found]!]!;
        const used = end.mark === '~' ? end.length : start.left > 1 && end.left > 1 ? 2 : 1;
        const tag = end.mark === '~' ? 'del' : used === 2 ? 'strong' : 'em';
        after[start.piece] = `<${tag}>${after[start.piece] ?? ''}`;
        before[end.piece] = `${before[end.piece] ?? ''}</${tag}>`;
        spend(scope, tag.length, 1);
        start.left -= used;
        end.left -= used;
        openers.length = start.left > 0 ? found + 1 : found;
        for (const [name, value] of bottoms) if (value >= openers.length) bottoms.set(name, openers.length - 1);
      }
      if (end.opens && end.left > 0) openers.push(place);
    }
    for (const { piece, mark, left } of runs.slice(from)) pieces[piece] = `${before[piece] ?? ''}${mark.repeat(left)}${after[piece] ?? ''}`;
    runs = runs.slice(0, from);
  };

  const closeBracket = (): void => {
    const start = brackets.pop();
    if (!start) return void ((plain += ']'), index++);
    const end = index++;
    const target = start.active || start.image ? targetAfter(start, end) : undefined;
    if (!target) return void (plain += ']');
    flush();
    const href = addressOf(escapeSource(target.href));
    const title = escapeSource(target.title ?? '');
    emphasise(start.runs);
    if (start.image) {
      pieces[start.piece] = '';
      if (!scope.pictures || !/^https:\/\//i.test(target.href)) return;
      const words = pieces
        .splice(start.piece)
        .join('')
        .replace(/<[^>]*>/g, '');
      before.length = after.length = start.piece;
      return put(`<img src="${href}" alt="${words}"${title && ` title="${title}"`}>`);
    }
    for (const other of brackets) if (!other.image) other.active = false;
    if (!isLinkable(target.href)) return void (pieces[start.piece] = '');
    for (const [piece, words] of addresses) if (piece > start.piece) pieces[piece] = words;
    const tag = (pieces[start.piece] = linkTag(href, title));
    put('</a>');
    spend(scope, tag.length, 0);
  };

  /** The target of the words between two brackets; moves on past it. */
  const targetAfter = (start: Bracket, end: number): Target | undefined => {
    if (text[index] === '(' && scope.work > 0) {
      const inline = targetAt(text, index);
      scope.work -= (inline?.end ?? Math.min(text.length, index + 1_000)) - index;
      if (inline) {
        index = inline.end;
        return inline;
      }
    }
    if (!scope.definitions.size) return undefined;
    const label = text[index] === '[' ? labelAt(text, index) : undefined;
    if (label) {
      const target = scope.definitions.get(label.label);
      if (target) index = label.end;
      return target;
    }
    if (start.inner || end - start.index > 1_000) return undefined;
    const target = scope.definitions.get(normal(text.slice(start.index, end)));
    if (target && text.startsWith('[]', index)) index += 2;
    return target;
  };

  const openBracket = (image: boolean): void => {
    const last = brackets.at(-1);
    if (last) last.inner = true;
    flush();
    index += image ? 2 : 1;
    brackets.push({ piece: pieces.length, index, image, runs: runs.length, active: true, inner: false });
    pieces.push(image ? '![' : '[');
    if (brackets.length > 1_000) brackets.shift();
  };

  /** An address that stands in the text by itself. `back`: its characters that were already read as text. */
  const bare = (back: number, scheme: string): boolean => {
    const start = index - back;
    if (plain.length < back) return false;
    const address = bareAddress(text, start, scope, !scheme);
    if (address === undefined) return false;
    plain = plain.slice(0, plain.length - back);
    index = start + address.length;
    link(scheme + addressOf(escape(address)), escape(address));
    return true;
  };

  const mail = (): boolean => {
    const found = mailAddress(text, index);
    if (!found || !plain.endsWith(found.back)) return false;
    plain = plain.slice(0, plain.length - found.back.length);
    index += found.ahead.length;
    link(`mailto:${found.back}${found.ahead}`, found.back + found.ahead);
    return true;
  };

  while (index < text.length) {
    const words = at(PLAIN, text, index);
    if (words) {
      plain += escape(words[0]);
      index = PLAIN.lastIndex;
      continue;
    }
    const character = text[index]!;
    switch (character) {
      case '\n': {
        const hard = broken || text.slice(Math.max(0, index - 2), index) === '  ';
        broken = false;
        plain = trimEnd(plain, ' ');
        settle();
        index += 1 + at(/[ \t]*/y, text, index + 1)![0].length;
        if (hard) put('<br>');
        plain += '\n';
        break;
      }
      case '\\': {
        const next = text[index + 1] ?? '';
        if (next === '\n') {
          broken = true;
          index++;
        } else if (/[!-/:-@[-`{-~]/.test(next)) {
          plain += escape(next);
          index += 2;
        } else {
          plain += '\\';
          index++;
        }
        break;
      }
      case '`':
        code();
        break;
      case '&': {
        const found = at(entityHere, text, index);
        plain += found ? entity(found[0], found[1], found[2], found[3]) : '&amp;';
        index += found?.[0].length ?? 1;
        break;
      }
      case '<':
        angle();
        break;
      case '[':
        openBracket(false);
        break;
      case ']':
        closeBracket();
        break;
      case '*':
      case '_':
      case '~':
        run();
        break;
      default: {
        if (character === '!' && text[index + 1] === '[') {
          openBracket(true);
          break;
        }
        if (character === 'w' && bare(0, 'http://')) break;
        if (character === '@' && mail()) break;
        const scheme =
          character === ':' && text.startsWith('//', index + 1) ? /https?$/i.exec(text.slice(Math.max(0, index - 5), index)) : null;
        if (scheme && bare(scheme[0].length, '')) break;
        plain += character;
        index++;
      }
    }
  }
  flush();
  emphasise(0);
  return pieces.join('');
}

/** Runs that may be both beginning and end do not go together if their lengths add up to a multiple of three. */
function unequal(start: Run, end: Run): boolean {
  return (start.closes || end.opens) && (start.length + end.length) % 3 === 0 && (start.length % 3 !== 0 || end.length % 3 !== 0);
}

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit < 0xe000 && index > 1 ? text.slice(index - 2, index) : text[index - 1]!;
}
