/**
 * Minifies the `css` and `html` templates in the built modules, which no bundler does. Line breaks in a template carry no
 * meaning: beside a tag they go, inside a tag they become one space. Each line that goes is put back behind its template,
 * so that every other line keeps its number and source maps stay right. Running it again changes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Tag = 'css' | 'html';

function css(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .replace(/ (?=!important)/g, '')
    .replace(/(?<=[)\w]) ([*/]) (?=[\d.(]|var)/g, '$1')
    .replace(/ (<) /g, '$1')
    .replace(/=(['"])(\w+)\1]/g, '=$2]')
    .replace(/(?<![\w.-])0\.(\d)/g, '.$1')
    .replace(/^ | $/g, '');
}

function html(text: string): string {
  return text
    .replace(/(^|>)\s*\n\s*/g, '$1')
    .replace(/\s*\n\s*(?=<|$)/g, '')
    .replace(/\s*\n\s*/g, ' ')
    .replace(/ (?=\/?>)/g, '');
}

/** Index behind the backtick that ends the template whose text begins at `from`; its static texts and expressions go to `parts`. */
function readTemplate(source: string, from: number, parts: string[]): number {
  let start = from;
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === '`') {
      parts.push(source.slice(start, at));
      return at + 1;
    } else if (source.startsWith('${', at)) {
      parts.push(source.slice(start, at));
      const end = endOfExpression(source, at + 2);
      parts.push(source.slice(at + 2, end));
      at = end;
      start = end + 1;
    }
  }
  throw new Error('A template does not end.');
}

/** Index of the brace that ends the expression beginning at `from`. */
function endOfExpression(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const character = source[at]!;
    if (character === '`') at = readTemplate(source, at + 1, []) - 1;
    else if (character === "'" || character === '"') at = source.indexOf(character, at + 1);
    else if (character === '{') depth++;
    else if (character === '}' && depth-- === 0) return at;
  }
  throw new Error('An expression in a template does not end.');
}

const breaks = (text: string): number => text.split('\n').length - 1;

/** The source with its templates minified. */
export function minifyTemplates(source: string): string {
  const tag = /\b(css|html) ?`/.exec(source);
  if (!tag) return source;
  const from = tag.index + tag[0].length;
  const parts: string[] = [];
  const end = readTemplate(source, from, parts);
  const kind = tag[1] as Tag;
  const texts = parts.map((part, index) => (index % 2 ? `\${${minifyTemplates(part)}}` : part));
  // An expression stands where text or a value would: whether a space beside it counts must not depend on the cut.
  const shape = parts.filter((_part, index) => index % 2 === 0).join('\u0000');
  const short = (kind === 'css' ? css(shape) : html(shape)).split('\u0000');
  const text = short.map((part, index) => part + (texts[index * 2 + 1] ?? '')).join('');
  const lost = breaks(source.slice(from, end)) - breaks(text);
  return `${source.slice(0, from)}${text}\`${'\n'.repeat(Math.max(0, lost))}${minifyTemplates(source.slice(end))}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = fileURLToPath(new URL('../dist/', import.meta.url));
  for (const name of globSync('**/*.js', { cwd: dist, exclude: ['cdn/**'] })) {
    const before = readFileSync(dist + name, 'utf8');
    const after = minifyTemplates(before);
    if (after !== before) writeFileSync(dist + name, after);
  }
  // What else is made of the built modules: which version they are, and the files for a CDN.
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  writeFileSync(`${dist}display/version.js`, `export const VERSION = '${version}';\n`);
  await import('./build-cdn.ts');
}
