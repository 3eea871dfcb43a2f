import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { CSSResult } from 'lit';
import * as elements from '../dist/index.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const tokens = JSON.parse(read('../tokens.json')) as readonly { name: string; default: string; description: string }[];
const names = new Set(tokens.map(({ name }) => name));
const even = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ ?([,/]) ?/g, '$1')
    .trim()
    .replace(/(?<![\w.])0\./g, '.');

interface Styled {
  readonly styles?: unknown;
}
const dist = new URL('../dist/', import.meta.url);
/** Those that an element is given later, too. */
const later = await Promise.all(
  globSync('*/*.styles.js', { cwd: dist }).map(async (file) => Object.values((await import(new URL(file, dist).href)) as object)),
);
const sheets = [...Object.values(elements).map((one) => (one as Styled).styles ?? []), later].flat(9) as unknown as readonly CSSResult[];
const css = sheets.map(({ cssText }) => cssText).join('');

/** What stands in place of a token that is not set, as the sheets have it. */
function fallbacks(name: string): string[] {
  const found: string[] = [];
  for (let at = css.indexOf(`var(${name},`); at >= 0; at = css.indexOf(`var(${name},`, at + 1)) {
    const from = at + `var(${name},`.length;
    let [depth, end] = [1, from];
    for (; depth > 0; end++) depth += css[end] === '(' ? 1 : css[end] === ')' ? -1 : 0;
    found.push(even(css.slice(from, end - 1)));
  }
  return found;
}

describe('tokens', () => {
  it('are all read by some element, and no other is', () => {
    const used = new Set(css.match(/--sitrep-[\w-]+/g));
    assert.deepEqual(
      [...used].filter((name) => !names.has(name)),
      [],
    );
    assert.deepEqual(
      [...names].filter((name) => !used.has(name)),
      [],
    );
  });

  it('have the default they are said to have, wherever they are read', () => {
    for (const { name, default: said } of tokens) {
      for (const real of fallbacks(name)) {
        if (real.includes('var(') || /^(the |--)/.test(said)) continue;
        assert.equal(real, even(said), name);
      }
    }
  });

  it('stand in the guide, each with its default and meaning', () => {
    const guide = read('../../../docs/theming.md').replace(/ +/g, ' ');
    for (const { name, default: value, description } of tokens) {
      const shown = value.startsWith('--') ? `that of \`${value}\`` : value.startsWith('the ') ? value : `\`${value}\``;
      assert.ok(guide.includes(`| \`${name}\` | ${shown} | ${description} |`), name);
    }
  });

  it('are what the manifest says an element reads', () => {
    const manifest = JSON.parse(read('../custom-elements.json')) as {
      modules: { declarations?: { tagName?: string; cssProperties?: { name: string; description: string }[] }[] }[];
    };
    const declarations = manifest.modules.flatMap((module) => module.declarations ?? []);
    const pill = declarations.find(({ tagName }) => tagName === 'status-pill')!;
    assert.ok(pill.cssProperties!.some(({ name }) => name === '--sitrep-pill-radius'));
    assert.ok(!pill.cssProperties!.some(({ name }) => name === '--sitrep-shadow'));
    for (const { tagName, cssProperties = [] } of declarations)
      for (const { name } of cssProperties) assert.ok(names.has(name), `${tagName} ${name}`);
  });
});

describe('themes', () => {
  const folder = new URL('../themes/', import.meta.url);
  for (const file of readdirSync(folder)) {
    it(`${file} sets only what there is, and leaves the last word to the page`, () => {
      const text = read(`../themes/${file}`);
      for (const name of text.match(/--sitrep-[\w-]+/g) ?? []) assert.ok(names.has(name), name);
      for (const [selector = ''] of text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/[^{}]+(?=\{)/g))
        assert.match(selector.trim(), /^:where\([^()]*\)$/, 'a selector without specificity');
      assert.ok(read('../../../docs/theming.md').includes(file.replace('.css', '')), 'stands in the guide');
    });
  }
});
