import { expect } from '@open-wc/testing';
import { fresh, nodesOf, ready, strangers } from './note-parts.ts';

interface Example {
  readonly markdown: string;
  readonly html: string;
  readonly section: string;
  readonly number: number;
}

/** The examples of the specification, in order. */
async function examples(): Promise<Example[]> {
  const text = await (await fetch('/node_modules/commonmark-spec/spec.txt')).text();
  const found: Example[] = [];
  let section = '';
  for (const match of text
    .replace(/^<!-- END TESTS -->[^]*/m, '')
    .matchAll(/^`{32} example\n([^]*?)^\.\n([^]*?)^`{32}$|^#{1,6} *(.*)$/gm)) {
    if (match[3] !== undefined) section = match[3];
    else {
      const [markdown, html] = [match[1]!, match[2]!].map((part) => part.replaceAll('→', '\t'));
      found.push({ markdown: markdown!, html: html!, section, number: found.length + 1 });
    }
  }
  return found;
}

/** Where a note differs from the specification on purpose. */
const OTHERWISE: Readonly<Record<string, readonly number[]>> = {
  'raw HTML is dropped, here outside the sections about it': [21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643],
  'the words of a picture keep their emphasis': [573, 576, 577, 585, 589],
  'addresses are links by themselves, as on GitHub': [606, 608, 611, 612],
};

/** The markup of an example as a note shows it: no pictures, no links but to the web and to mail, line ends between blocks left out. */
function expected(html: string): string {
  const box = new DOMParser().parseFromString(html, 'text/html').body;
  for (const image of box.querySelectorAll('img')) image.replaceWith(image.alt);
  for (const link of box.querySelectorAll('a'))
    if (!/^(?:https?:\/\/|mailto:)/i.test(link.getAttribute('href')!)) link.replaceWith(...link.childNodes);
  for (const code of box.querySelectorAll('code')) code.removeAttribute('class');
  return simplified(box);
}

function simplified(box: HTMLElement): string {
  const copy = box.cloneNode(true) as HTMLElement;
  for (const scroll of copy.querySelectorAll('.scroll')) scroll.replaceWith(...scroll.childNodes);
  for (const element of copy.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) {
      if (!['href', 'start', 'align'].includes(name)) element.removeAttribute(name);
      else if (name === 'href')
        element.setAttribute(
          name,
          new URL(element.getAttribute(name)!).href.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%5C', '\\'),
        );
    }
  copy.normalize();
  return copy.innerHTML
    .replace(/\n*(<\/?(?:p|ul|ol|li|h\d|pre|blockquote|hr|table|thead|tbody|tr|td|th)\b[^>]*>)\n*/g, '$1')
    .replace(/\n(?=<\/code><\/pre>)/g, '')
    .trim();
}

describe('note: CommonMark and GitHub', () => {
  before(() => ready());

  it('shows all examples of CommonMark, none refused, nothing strange in any', async () => {
    const all = await examples();
    expect(all.length).to.equal(652);
    for (const { markdown, number } of all) {
      const { box, mark } = fresh(markdown);
      expect(mark, `example ${number}`).to.equal(undefined);
      expect(strangers(box), `example ${number}`).to.deep.equal([]);
      expect(nodesOf(box)).to.be.at.most(2_000);
    }
  });

  it('shows them as the specification has it, but for what is left out on purpose', async () => {
    const otherwise = new Set(Object.values(OTHERWISE).flat());
    const compared: number[] = [];
    const wrong: string[] = [];
    for (const { markdown, html, section, number } of await examples()) {
      if (otherwise.has(number) || section === 'HTML blocks' || section === 'Raw HTML') continue;
      compared.push(number);
      const [got, want] = [simplified(fresh(markdown.replace(/\n$/, '')).box), expected(html)];
      if (got !== want) wrong.push(`${number}: ${JSON.stringify(markdown)} gave ${got}, not ${want}`);
    }
    expect(wrong.join('\n')).to.equal('');
    expect(compared.length).to.be.above(560);
  });

  const github: readonly (readonly [string, string])[] = [
    [
      '| foo | bar |\n| --- | --- |\n| baz | bim |',
      '<table><thead><tr><th>foo</th><th>bar</th></tr></thead><tbody><tr><td>baz</td><td>bim</td></tr></tbody></table>',
    ],
    [
      '| abc | defghi |\n:-: | -----------:\nbar | baz',
      '<table><thead><tr><th align="center">abc</th><th align="right">defghi</th></tr></thead><tbody><tr><td align="center">bar</td><td align="right">baz</td></tr></tbody></table>',
    ],
    [
      '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |',
      '<table><thead><tr><th>f|oo</th></tr></thead><tbody><tr><td>b <code>|</code> az</td></tr><tr><td>b <strong>|</strong> im</td></tr></tbody></table>',
    ],
    [
      '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
      '<table><thead><tr><th>abc</th><th>def</th></tr></thead><tbody><tr><td>bar</td><td>baz</td></tr></tbody></table><blockquote><p>bar</p></blockquote>',
    ],
    [
      '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |',
      '<table><thead><tr><th>abc</th><th>def</th></tr></thead><tbody><tr><td>bar</td><td></td></tr><tr><td>bar</td><td>baz</td></tr></tbody></table>',
    ],
    ['| abc | def |\n| --- |\n| bar |', '<p>| abc | def |\n| --- |\n| bar |</p>'],
    ['| abc | def |\n| --- | --- |', '<table><thead><tr><th>abc</th><th>def</th></tr></thead></table>'],
    [
      'words before\n| a |\n| - |\n| 1 |',
      '<p>words before</p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>',
    ],
    [
      '- item\n\n  | a | b |\n  | - | - |\n  | 1 | 2 |',
      '<ul><li><p>item</p><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></li></ul>',
    ],
    ['~~Hi~~ Hello, ~there~ world!', '<p><del>Hi</del> Hello, <del>there</del> world!</p>'],
    ['This ~~has a\n\nnew paragraph~~.', '<p>This ~~has a</p><p>new paragraph~~.</p>'],
    ['This will ~~~not~~~ strike.', '<p>This will ~~~not~~~ strike.</p>'],
    ['- [ ] foo\n- [x] bar', '<ul><li><span>☐</span> foo</li><li><span>☑</span> bar</li></ul>'],
    ['- [x] foo\n  - [ ] bar', '<ul><li><span>☑</span> foo<ul><li><span>☐</span> bar</li></ul></li></ul>'],
    ['- [x]not a task', '<ul><li>[x]not a task</li></ul>'],
    ['www.commonmark.org', '<p><a href="http://www.commonmark.org/">www.commonmark.org</a></p>'],
    ['Visit www.commonmark.org/a.b.', '<p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>'],
    [
      '(www.google.com/search?q=Markup+(business))',
      '<p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>)</p>',
    ],
    [
      'www.google.com/search?q=commonmark&hl;',
      '<p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>',
    ],
    ['www.commonmark.org/he<lp', '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>'],
    [
      '**https://encrypted.google.com/search?q=Markup+(business)**',
      '<p><strong><a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a></strong></p>',
    ],
    [
      'foo@bar.baz and a.b-c_d@a.b.',
      '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a> and <a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p>',
    ],
    ['a.b-c_d@a.b- a.b-c_d@a.b_', '<p>a.b-c_d@a.b- a.b-c_d@a.b_</p>'],
    ['[www.example.org](https://example.org/x)', '<p><a href="https://example.org/x">www.example.org</a></p>'],
  ];
  for (const [markdown, html] of github) {
    it(`shows as on GitHub: ${JSON.stringify(markdown).slice(0, 60)}`, () => {
      const { box, mark } = fresh(markdown);
      expect(simplified(box)).to.equal(html);
      expect(mark).to.equal(undefined);
      expect(strangers(box)).to.deep.equal([]);
    });
  }

  for (const [name, part] of [
    ['Chinese', '**进度报告**：构建已完成，正在运行`单元测试`。\n- 第一步：检查文件\n- 第二步：修复错误\n\n'],
    ['Japanese', '## 進捗\n\nテストは**実行中**です。詳細は[記録](https://example.org/ログ)を参照。\n\n'],
    ['Korean', '> 진행 상황: *빌드*가 끝났습니다.\n\n1. 첫째\n2. 둘째\n\n'],
    ['Chinese without any space', '這是一個沒有空格的長句子'],
    ['emoji', '👨‍👩‍👧 🏳️‍🌈 **done** 🎉\n\n'],
    ['Arabic', 'تم **البناء** بنجاح، و`الاختبارات` جارية.\n\n'],
  ] as const) {
    it(`shows 8 KB of ${name} in full`, () => {
      let markdown = '';
      while (new TextEncoder().encode(markdown + part).length <= 8192) markdown += part;
      const { box, mark } = fresh(markdown);
      expect(mark).to.equal(undefined);
      expect(strangers(box)).to.deep.equal([]);
      const marks = /[#>*`\-\s[\]()\d.]|https:\/\/example\.org\/ログ/g;
      expect(box.textContent.replace(marks, '')).to.equal(markdown.replace(marks, ''));
    });
  }
});
