import { expect, fixture, html } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '@sitrep/elements/define/progress-card';
import { nodesOf } from './note-parts.ts';
import { drawn, part, until, words, type Element } from './support.ts';

/** Lays out a note in a card and answers the note. */
async function note(markdown: string, heading = 'Card title'): Promise<HTMLElement> {
  const element = await fixture<Element>(html`<progress-card open heading=${heading} .card=${{ markdown }}></progress-card>`);
  await drawn(element);
  await until(() => {
    const box = part(element, 'note');
    return box !== null && !(box.childElementCount === 1 && box.firstElementChild!.matches('p.plain:not(:has(*))') && loading(element));
  }, 'the note is laid out');
  await drawn(element);
  return part(element, 'note')!;
}

/** Until the reader of notes has been loaded, the plain text stands in for the note. */
function loading(element: HTMLElement): boolean {
  return (element.shadowRoot as ShadowRoot).adoptedStyleSheets.every(
    (sheet) => ![...sheet.cssRules].some((rule) => rule.cssText.includes('.note progress')),
  );
}

/** An ordinary note that is as long as a note may be. */
const HONEST =
  '## Head\n\nSome **bold** text with `code` and [link](https://example.org).\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n'.repeat(
    60,
  );

/** Lays out a note and says how long that took, milliseconds. */
async function timed(markdown: string): Promise<{ readonly box: HTMLElement; readonly took: number }> {
  const started = performance.now();
  const box = await note(markdown);
  return { box, took: performance.now() - started };
}

const bars = (box: HTMLElement): HTMLProgressElement[] => [...box.querySelectorAll('progress')];

describe('note: what a reader sees', () => {
  it('lays out the ordinary forms of Markdown', async () => {
    const box = await note(
      '# One\n\n**bold** *it* ~~gone~~ `code`\n\n3. three\n4. four\n\n> quote\n\n| a | b |\n| :- | -: |\n| 1 | 2 |\n\n```js\nlet x;\n```\n\n---',
    );
    for (const tag of ['h1', 'strong', 'em', 'del', 'code', 'ol[start="3"]', 'blockquote', 'table', 'th', 'td[align=right]', 'pre', 'hr']) {
      expect(box.querySelector(tag), tag).not.to.equal(null);
    }
    expect(box.querySelector('[class]:not(.doc, .scroll, .task), [style], [id]')).to.equal(null);
  });

  it('keeps ticked and unticked items apart, as text', async () => {
    const box = await note('- [x] done\n- [ ] open');
    expect(box.querySelector('input') === null).to.equal(true);
    const [done, open] = [...box.querySelectorAll('li')].map(words);
    expect(done).to.contain('done');
    expect(open).to.contain('open');
    expect(done!.replace('done', '')).not.to.equal(open!.replace('open', ''));
  });

  it('lets a wide table scroll inside the note, by keyboard too', async () => {
    const box = await note(`| ${'wide '.repeat(40).replaceAll(' ', '_')} | b |\n| - | - |\n| 1 | 2 |`);
    const scroll = box.querySelector<HTMLElement>('.scroll')!;
    expect(scroll.scrollWidth).to.be.greaterThan(scroll.clientWidth);
    expect(scroll.tabIndex).to.equal(0);
    expect(scroll.getBoundingClientRect().right).to.be.at.most(box.getBoundingClientRect().right + 1);
  });

  it('is parsed once for each text', async () => {
    const element = await fixture<Element>(html`<progress-card open .card=${{ markdown: 'one **two**' }}></progress-card>`);
    await until(() => element.shadowRoot!.querySelector('strong') !== null, 'the note is laid out');
    const strong = element.shadowRoot!.querySelector('strong');
    element['card'] = { markdown: 'one **two**' };
    element['usage'] = { label: 'x' };
    await drawn(element);
    expect(element.shadowRoot!.querySelector('strong')).to.equal(strong);
    element['card'] = { markdown: 'three **four**' };
    await drawn(element);
    expect(words(element.shadowRoot!.querySelector('strong'))).to.equal('four');
  });
});

describe('note: bars', () => {
  it('rebuilds a bar from its numbers and drops everything else on it', async () => {
    const [bar] = bars(await note('<progress value="3" max="7" onclick="alert(1)" style="color:red" id="x" class="y"></progress>'));
    expect(bar!.value).to.equal(3);
    expect(bar!.max).to.equal(7);
    expect([...bar!.attributes].map((attribute) => attribute.name).sort()).to.deep.equal(['aria-label', 'max', 'value']);
  });

  it('names a bar by its own name, else by the card and the numbers', async () => {
    const [own, plain] = bars(
      await note('<progress aria-label="Upload" value=1 max=2></progress> and <progress value=3 max=7></progress>', 'Release'),
    );
    expect(own!.getAttribute('aria-label')).to.equal('Upload');
    expect(plain!.getAttribute('aria-label')).to.equal('Release · 3/7');
  });

  it('ends a bar that was not closed, so that the text after it stays visible', async () => {
    for (const source of [
      '<progress value="3" max="7"/> hello',
      '<progress value="3" max="7" /> hello',
      '<progress value=3 max=7> hello',
      'a <progress value=3 max=7> hello',
    ]) {
      const box = await note(source);
      expect(words(box), source).to.contain('hello');
      expect(bars(box)[0]!.textContent, source).to.equal('');
      expect(bars(box)[0]!.max, source).to.equal(7);
    }
  });

  it('leaves a bar inside backticks as the text it is', async () => {
    const box = await note('`<progress value="3" max="7">` and\n\n```\n<progress value="1" max="2">\n```');
    expect(bars(box).length).to.equal(0);
    expect(words(box.querySelector('code'))).to.equal('<progress value="3" max="7">');
  });

  it('reads numbers strictly and holds them in range', async () => {
    const read = async (attributes: string): Promise<HTMLProgressElement> => bars(await note(`<progress ${attributes}></progress>`))[0]!;
    expect((await read('value=9 max=3')).position).to.equal(1);
    expect((await read('value=-1 max=3')).value).to.equal(0);
    for (const bad of [
      'value=5abc max=9',
      'value=NaN max=3',
      'value=1 max=0',
      'value=1 max=-3',
      'value=1 max=Infinity',
      'value=1e999 max=3',
      '',
    ]) {
      expect((await read(bad)).position, bad).to.equal(-1);
    }
  });
});

describe('note: what never gets through', () => {
  const hostile: readonly string[] = [
    '<script>window.__hit=1</script>',
    '<img src=x onerror="window.__hit=1">',
    'text <img src=x onerror="window.__hit=1"> text',
    '<svg onload="window.__hit=1"><style>*{display:none}</style><img src=x></svg>',
    '<style>:host{display:none}</style>',
    '<form action="https://example.org"><input name=a><button>go</button></form>',
    '<iframe src="https://example.org"></iframe>',
    '<object data="x"></object><embed src="x">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.__hit=1&gt;">',
    '<details open ontoggle="window.__hit=1"><summary>s</summary></details>',
    '<a href="javascript:window.__hit=1">x</a>',
    '<x-element onclick="window.__hit=1">x</x-element>',
    '<p style="position:fixed;inset:0">x</p>',
    '<progress value=1 max=2 onfocus="window.__hit=1" autofocus tabindex=0>',
    '<video src="https://example.org/x"></video>',
    '<template><script>window.__hit=1</script></template>',
    '<!-- --!><img src=x onerror=window.__hit=1> -->',
  ];
  for (const source of hostile) {
    it(`drops ${source.slice(0, 48)}`, async () => {
      const box = await note(`${source}\n\nafter`);
      const allowed =
        'a,p,br,hr,em,strong,del,code,pre,ul,ol,li,blockquote,table,thead,tbody,tr,th,td,h1,h2,h3,h4,h5,h6,progress,div.scroll,div.doc';
      for (const element of box.querySelectorAll('*')) {
        expect(element.matches(allowed), element.outerHTML).to.equal(true);
        for (const { name } of element.attributes) expect(name).not.to.match(/^on|^style$|^id$|^src/);
      }
      expect(words(box)).to.contain('after');
      expect(words(box)).not.to.contain('<');
      expect((window as unknown as Record<string, unknown>)['__hit']).to.equal(undefined);
    });
  }

  it('links only to http, https and mail addresses, and tells them nothing', async () => {
    const box = await note(
      '[a](https://example.org/x) [b](mailto:a@example.org) [c](javascript:alert(1)) [d](data:text/html,x) [e](//example.org) [f](file:///etc) [g](JaVaScRiPt:alert(1)) [h](vbscript:x) [i](&#106;avascript:alert(1)) <javascript:alert(1)>',
    );
    const links = [...box.querySelectorAll('a')];
    expect(links.map((link) => link.getAttribute('href'))).to.deep.equal(['https://example.org/x', 'mailto:a@example.org']);
    for (const link of links) {
      expect(link.rel).to.equal('noopener noreferrer nofollow ugc');
      expect(link.target).to.equal('_blank');
    }
    for (const letter of 'cdefghi') expect(words(box)).to.contain(letter);
  });

  it('shows where a link leads that does not say so itself', async () => {
    const box = await note(
      '[bank.example](https://other.example:8080/x) [c](https://bank.example@other.example/) <https://example.org/> [d](https://xn--80ak6aa92e.example/) [e](mailto:e@example.org) [example.org](https://example.org/)',
    );
    const hosts = [...box.querySelectorAll('a')].map((link) => link.dataset['host']);
    expect(hosts).to.deep.equal(['other.example:8080', 'other.example', undefined, 'xn--80ak6aa92e.example', 'e@example.org', undefined]);
    const shown = getComputedStyle(box.querySelector('a')!, '::after').content;
    expect(shown)
      .to.contain('(')
      .and.to.match(/other\.example:8080|attr\(data-host\)/);
  });

  it('shows an image as its words', async () => {
    const box = await note('![a **chart**](https://example.org/c.png)');
    expect(box.querySelector('img') === null).to.equal(true);
    expect(words(box)).to.contain('chart');
  });

  it('drops an HTML element of its own with its content, and keeps the words of one within a line', async () => {
    const box = await note('<div>hi</div>\n\na <b>bold</b> word\n\n<div>\nstays, for its tag was never closed');
    expect(words(box)).not.to.contain('hi');
    expect(words(box)).to.contain('a bold word');
    expect(words(box)).to.contain('stays');
  });

  it('keeps addresses in angle brackets as links', async () => {
    const box = await note('<https://example.org/a>\n\nsee <https://example.org/b>, or write to <a@example.org>\n\n<javascript:alert(1)>');
    expect([...box.querySelectorAll('a')].map(({ href }) => href)).to.deep.equal([
      'https://example.org/a',
      'https://example.org/b',
      'mailto:a@example.org',
    ]);
    expect(words(box)).to.contain('see https://example.org/b, or write to a@example.org');
  });

  it('keeps the words of an HTML element with which a line of text begins', async () => {
    const box = await note('<b>Note:</b> all good\n\n- <kbd>Ctrl</kbd> opens\n\n<a href="https://example.org" onclick="x">a page</a>');
    expect([...box.querySelectorAll('p, li')].map(words)).to.deep.equal(['Note: all good', 'Ctrl opens', 'a page']);
    expect(box.querySelector('b, kbd, a')).to.equal(null);
  });

  it('breaks the line where the author did', async () => {
    const box = await note('one<br>two\n\n| a |\n| - |\n| x<BR/>y<br onclick="z"> |');
    expect(box.querySelectorAll('br').length).to.equal(3);
    expect([...box.querySelectorAll('br')].every((br) => br.attributes.length === 0)).to.equal(true);
  });

  it('keeps the Markdown inside an element that a blank line divides', async () => {
    const box = await note('<details>\n<summary>More</summary>\n\nInner **text**\n\n</details>\n\nafter');
    expect(words(box)).to.contain('Inner text');
    expect(words(box)).to.contain('after');
    expect(box.querySelector('details, summary')).to.equal(null);
    expect(words(await note('<script>\nlet a;\n\nlet b;\n</script>\n\nafter'))).to.equal('after');
  });

  it('holds even when something has put itself on the prototype of all objects', async () => {
    const polluted = Object.prototype as unknown as Record<string, unknown>;
    polluted['ALLOWED_TAGS'] = ['img', 'script'];
    polluted['ADD_TAGS'] = ['img'];
    polluted['ALLOW_UNKNOWN_PROTOCOLS'] = true;
    try {
      expect((await note('x <img src=x onerror="window.__hit=1"> [c](javascript:alert(1))')).querySelector('img, a')).to.equal(null);
    } finally {
      delete polluted['ALLOWED_TAGS'];
      delete polluted['ADD_TAGS'];
      delete polluted['ALLOW_UNKNOWN_PROTOCOLS'];
    }
  });
});

describe('note: on paper', () => {
  it('cuts nothing off that would scroll on a screen, and prints how far a bar is', async () => {
    const long = 'word '.repeat(80);
    const box = await note(
      `\`\`\`\n${long}\n\`\`\`\n\n| ${'a'.repeat(200)} | b | c |\n| - | - | - |\n| 1 | ${'d'.repeat(200)} | e |\n\n<progress value=3 max=7>`,
    );
    const cut = (): boolean[] =>
      ['pre', '.scroll'].map((one) => box.querySelector(one)!.scrollWidth > box.querySelector(one)!.clientWidth + 1);
    expect(cut()).to.deep.equal([true, true]);
    if (!navigator.userAgent.includes('Chrome/')) return; // the others cannot be asked from here
    await emulateMedia({ media: 'print' });
    try {
      expect(cut()).to.deep.equal([false, false]);
      expect(getComputedStyle(bars(box)[0]!).getPropertyValue('print-color-adjust')).to.equal('exact');
    } finally {
      await emulateMedia({ media: 'screen' });
    }
  });
});

describe('note: bounds', () => {
  const table = `| a | b | c | d |\n| - | - | - | - |\n${'| x\n'.repeat(2000)}`.slice(0, 8190);
  const costly: readonly (readonly [string, string])[] = [
    ['deep quotes', '>'.repeat(1875) + ' deep'],
    ['deep lists', '- '.repeat(1185) + 'deep'],
    ['deep numbered lists', '1. '.repeat(1185) + 'deep'],
    ['mixed emphasis', '*a_'.repeat(2730)],
    ['nested emphasis', '**a *b '.repeat(1100)],
    ['opening brackets', '['.repeat(8000)],
    ['links in links', '[a]('.repeat(2000)],
    ['backticks', '`a``b'.repeat(1600)],
    ['a ragged table', table],
    ['a table of many columns', `${'|a'.repeat(1300)}|\n${'|-'.repeat(1300)}|\n|x\n|y`],
    ['open tags', '<a b="'.repeat(1300)],
    ['open bars', '<progress '.repeat(800)],
    ['tildes', '~~a'.repeat(2700)],
    ['auto links', 'www.a.'.repeat(1300)],
    ['entities', '&amp'.repeat(2000)],
    ['numbered entities', '&#x26;'.repeat(1365)],
    ['one address used often', `[a]: https://example.org/${'z'.repeat(4000)}\n\n${'[a]'.repeat(1300)}`],
    ['definitions', Array.from({ length: 400 }, (_none, at) => `[a${at}]: https://b.c/`).join('\n')],
    ['brackets in brackets', '[['.repeat(2000) + ']]'.repeat(2000)],
    ['images', '![a]('.repeat(1600)],
    ['titles without end', '[a](b "'.repeat(1100)],
    ['addresses without end', '[a](<b'.repeat(1300)],
    ['every length of ticks', Array.from({ length: 126 }, (_none, at) => '`'.repeat(at + 1)).join(' ')],
    ['fences', '``` a\n'.repeat(1300)],
    ['runs that only open', '*a _b '.repeat(1360)],
    ['runs that only close', 'a* b_ '.repeat(1360)],
    ['runs of all lengths', '*a**b***c_d__e~f~~g'.repeat(430)],
    ['one long run', `a${'*'.repeat(4000)}b${'_'.repeat(4000)}`],
    ['comments without end', '<!-- a '.repeat(1170)],
    ['instructions without end', '<?'.repeat(4000)],
    ['scripts without end', `${'<script>'.repeat(1019)} end`],
    ['blocks of HTML', `${'<div>\n'.repeat(1360)}end`],
    ['items', '- a\n'.repeat(2000)],
    ['items in items', Array.from({ length: 120 }, (_none, at) => `${' '.repeat(at)}- a`).join('\n')],
    ['everything at once, deep', `${'> '.repeat(30)}${'*a '.repeat(1300)}\n${'a\n'.repeat(1900)}`],
    ['heads of tables', '|a\n|-\n'.repeat(1300)],
    ['addresses of mail', 'a@b.c '.repeat(1360)],
    ['signs of mail', 'a@'.repeat(4000)],
    ['parentheses', `https://a.b/${')'.repeat(8000)}`],
    ['tabs', '\t- '.repeat(2700)],
    ['rules', '* * a\n'.repeat(1360)],
    ['empty lines', '\n'.repeat(4000) + 'a'],
    ['paragraphs', 'a\n\n'.repeat(2700)],
  ];
  it('stays quick and within bounds, and shows something, whatever it is given', async () => {
    await note(HONEST);
    const honest = Math.min(...(await Promise.all([1, 2, 3].map(async () => (await timed(HONEST)).took))));
    let worst = { name: '', times: 0 };
    for (const [name, markdown] of costly) {
      const { box, took } = await timed(markdown);
      expect(nodesOf(box), name).to.be.at.most(2_000);
      expect(words(box).length, name).to.be.greaterThan(0);
      if (took / honest > worst.times) worst = { name, times: took / honest };
    }
    console.log(`The dearest of ${costly.length} hostile notes takes ${worst.times.toFixed(1)} times an honest one: ${worst.name}.`);
    expect(worst.times, worst.name).to.be.lessThan(15);
  });

  it('shows what fits of a note that is too large, and the rest as text', async () => {
    const box = await note('**a**\n\n'.repeat(1100));
    expect(box.querySelectorAll('strong').length).to.be.within(600, 1_000);
    expect(words(box.querySelector('p.plain'))).to.contain('**a** **a**');
    expect(words(box.querySelector('.mark'))).to.contain('The rest is shown as plain text');
    expect(nodesOf(box)).to.be.at.most(2_000);
  });

  it('shortens a note that is longer than the wire allows, and says so', async () => {
    const box = await note(`${'word '.repeat(100_000)}`);
    expect(words(box).length).to.be.lessThan(9_000);
    expect(words(box)).to.contain('longer than 8 KB');
  });

  it('does not mistake long honest text for an attack', async () => {
    const cjk = '這是一個沒有空格的長句子'.repeat(100);
    const rows = Array.from({ length: 60 }, (_none, index) => `| **check_${index}** | \`state_${index}\` | ok |`).join('\n');
    const box = await note(`${cjk}\n\n| a | b | c |\n| - | - | - |\n${rows}`);
    expect(words(box)).not.to.contain('plain text');
    expect(box.querySelectorAll('tbody tr').length).to.equal(60);
  });
});
