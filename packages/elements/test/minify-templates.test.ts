import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { minifyTemplates } from '../scripts/minify-templates.ts';

test('white space and comments go from styles, and what needs its spaces keeps them', () => {
  const source = 'css `\n  /* why */\n  .a > .b {\n    margin: 0 0.5rem -0.5rem calc(1px + 2px);\n    color: ${tone};\n  }\n`';
  assert.equal(minifyTemplates(source).trim(), 'css `.a>.b{margin:0 .5rem -0.5rem calc(1px + 2px);color:${tone}}`');
});

test('line breaks between tags make no text, and a space within a line stays', () => {
  const source = 'html `<p\n  class="a"\n  >\n  <b>one</b> two\n  ${three}\n</p>`';
  assert.equal(minifyTemplates(source).trim(), 'html `<p class="a"><b>one</b> two ${three}</p>`');
});

test('templates within expressions are minified too, whatever braces and quotes stand around them', () => {
  const source = 'html `<i>\n  ${on ? html `<b>\n  ${f({ a: "}`" })}\n</b>` : `kept\n  as is`}\n</i>`';
  assert.equal(
    minifyTemplates(source).replaceAll(/\n+(?= )/g, ''),
    'html `<i>${on ? html `<b>${f({ a: "}`" })}</b>` : `kept  as is`}</i>`\n\n',
  );
});

test('every line outside of templates keeps its number, so that source maps stay right', () => {
  const source = 'const a = css `\n  a {\n    b: c;\n  }\n`;\nconst b = 1;\n';
  const line = (text: string): number => text.split('\n').indexOf('const b = 1;');
  assert.equal(line(minifyTemplates(source)), line(source));
});

test('doing it again changes nothing, in the modules that are built', () => {
  const dist = new URL('../dist/', import.meta.url);
  const names = globSync('**/*.js', { cwd: dist });
  assert.ok(names.length > 20);
  for (const name of names) {
    const once = minifyTemplates(readFileSync(new URL(name, dist), 'utf8'));
    assert.equal(minifyTemplates(once), once, name);
  }
});
