/** Where a link leads, as written. */
export interface Target {
  readonly href: string;
  readonly title: string | undefined;
}

/** A target that the note gives a name, to be used elsewhere in it. */
export interface Definition extends Target {
  readonly label: string;
}

/** Parentheses within one address. */
const DEPTH = 32;
const TITLE = /"((?:\\[^]|[^"\\])*)"|'((?:\\[^]|[^'\\])*)'|\(((?:\\[^]|[^()\\])*)\)/y;
const GAP = /[ \t]*(?:\n[ \t]*)?/y;
const LABEL = /\[((?:\\[^]|[^\\[\]]){1,999})\]/y;

/** Applies a sticky expression at one place. */
export function at(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}

/** The label in brackets at this place, as it is compared: without regard to case and white space. */
export function labelAt(text: string, index: number): { readonly label: string; readonly end: number } | undefined {
  const found = at(LABEL, text, index);
  const label = found && normal(found[1]!);
  return label ? { label, end: index + found[0].length } : undefined;
}

export function normal(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** The address at this place: in angle brackets, or up to white space with its parentheses in pairs. */
function addressAt(text: string, index: number): { readonly href: string; readonly end: number } | undefined {
  if (text[index] === '<') {
    const found = at(/<((?:\\[^\n]|[^<>\\\n])*)>/y, text, index);
    return found ? { href: found[1]!, end: index + found[0].length } : undefined;
  }
  let depth = 0;
  let end = index;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 92 && /[!-/:-@[-`{-~]/.test(text[end + 1] ?? '')) end++;
    else if (code === 40 && ++depth > DEPTH) return undefined;
    else if (code === 41 && depth-- === 0) break;
    else if (code <= 32 || code === 127) break;
  }
  return depth > 0 || (end === index && text[end] !== ')') ? undefined : { href: text.slice(index, end), end };
}

/** The rest of a link after its words: `(address "title")`. */
export function targetAt(text: string, index: number): (Target & { readonly end: number }) | undefined {
  const start = index + 1 + at(GAP, text, index + 1)![0].length;
  const address = addressAt(text, start);
  if (!address) return undefined;
  let { end } = address;
  const gap = at(GAP, text, end)![0].length;
  const title = gap ? at(TITLE, text, end + gap) : null;
  end += gap + (title?.[0].length ?? 0);
  end += at(GAP, text, end)![0].length;
  return text[end] === ')'
    ? { href: address.href, title: title ? (title[1] ?? title[2] ?? title[3]) : undefined, end: end + 1 }
    : undefined;
}

/** Takes the definitions off the beginning of a paragraph and answers the rest of it. */
export function takeDefinitions(text: string, found: Definition[]): string {
  let rest = text;
  while (rest.startsWith('[')) {
    const label = labelAt(rest, 0);
    if (!label || rest[label.end] !== ':') break;
    const start = label.end + 1 + at(GAP, rest, label.end + 1)![0].length;
    const address = addressAt(rest, start);
    if (!address || (address.end === start && rest[start] !== '<')) break;
    const gap = at(GAP, rest, address.end)![0].length;
    const title = gap ? at(TITLE, rest, address.end + gap) : null;
    let end = title ? lineEnd(rest, address.end + gap + title[0].length) : undefined;
    const titled = end !== undefined;
    end ??= lineEnd(rest, address.end);
    if (end === undefined) break;
    found.push({ label: label.label, href: address.href, title: titled ? (title![1] ?? title![2] ?? title![3]) : undefined });
    rest = rest.slice(end);
  }
  return rest;
}

/** The beginning of the next line if nothing but blanks is left in this one. */
function lineEnd(text: string, index: number): number | undefined {
  const end = index + at(/[ \t]*/y, text, index)![0].length;
  return end >= text.length ? end : text[end] === '\n' ? end + 1 : undefined;
}
