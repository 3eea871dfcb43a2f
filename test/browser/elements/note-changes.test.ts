import { expect } from '@open-wc/testing';
import { fresh, NoteView, options, ready } from './note-parts.ts';

/** Reproducible chance. */
function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const LISTS = Array.from(
  { length: 12 },
  (_none, n) => `- item ${n}\n  with more\n${n % 3 ? '' : '\n'}  - inner ${n}\n    1. deep\n\n`,
).join('');
const MIXED = `# Head\n\nSome *text* with [one] and [two][One].\n\n> quote\nlazy\n> - item\n\n\`\`\`js\nlet x;\n\n# no head\n\`\`\`\n\n| a | b |\n| - | -: |\n| 1 | 2 |\n| 3 |\n\n<div>\nraw\n\n<script>\nlet a;\n\nlet b;\n</script>\n\n[one]: https://example.org/1 "t"\n\n1. one\n\n2. two\n\nSet\n===\n\n    code\n\n    more\n\nlast **line**`;
const SAMPLES: Readonly<Record<string, string>> = {
  lists: LISTS,
  mixed: MIXED,
  both: `${MIXED}\n\n${LISTS}\n\n${MIXED}`,
  paragraphs: Array.from({ length: 30 }, (_none, n) => `Paragraph ${n} with **bold** and \`code\`.`).join('\n\n'),
};
/** What an edit puts in: everything that opens, closes, joins or divides blocks. */
const SNIPPETS =
  'word|\n|\n\n|# |> |- |1. |    |\t|```|~~~|\n```\n|---|===|\n---\n|| a | b ||\n| - | - |\n|[one]|[one]: https://example.org/2\n|\n\n[new]: https://example.org/3\n\n|[new]|<div>|</div>|<script>|</script>|<!--|-->|*|**|_|`|\\|&amp;|<progress value=1 max=2>|- [x] |  \n'.split(
    /(?<!\|)\|(?!\|)/,
  );

describe('note: changes', () => {
  before(() => ready());

  for (const [name, sample] of Object.entries(SAMPLES)) {
    it(`is after any of 400 edits what it would be when laid out afresh: ${name}`, () => {
      const pick = chance(name.length * 7919);
      const view = new NoteView();
      let text = sample;
      view.show(text, options);
      for (let edit = 0; edit < 400; edit++) {
        const at = pick(text.length + 1);
        const kind = pick(5);
        const before = text;
        if (kind === 0) text = text.slice(0, at) + text.slice(at + 1 + pick(12));
        else if (kind === 1) text += `\n${SNIPPETS[pick(SNIPPETS.length)]}${pick(2) ? 'text' : ''}`;
        else if (kind === 2) {
          const lines = text.split('\n');
          lines.splice(pick(lines.length), 1 + pick(3), ...(pick(2) ? [lines[pick(lines.length)]!] : []));
          text = lines.join('\n');
        } else text = text.slice(0, at) + SNIPPETS[pick(SNIPPETS.length)] + text.slice(at);
        if (text.length > sample.length * 2 || text.length < 20) text = sample;
        const { content, mark } = view.show(text, options);
        const whole = fresh(text);
        const where = `edit ${edit}, from ${JSON.stringify(before)} to ${JSON.stringify(text)}`;
        if (content.innerHTML !== whole.box.innerHTML) expect(content.innerHTML, where).to.equal(whole.box.innerHTML);
        expect(mark, where).to.equal(whole.mark);
      }
    });
  }

  it('is right at every character of a note that is still being written', () => {
    const view = new NoteView();
    for (let length = 0; length <= MIXED.length; length++) {
      const text = MIXED.slice(0, length);
      const { content, mark } = view.show(text, options);
      if (content.innerHTML !== fresh(text).box.innerHTML) expect(content.innerHTML, text).to.equal(fresh(text).box.innerHTML);
      expect(mark).to.equal(undefined);
    }
  });

  it('shows a table or a fence that is half written as far as it goes', () => {
    const view = new NoteView();
    expect(view.show('Before\n\n| a | b |\n| --', options).content.querySelectorAll('p').length).to.equal(2);
    expect(view.show('Before\n\n| a | b |\n| -- | -- |\n| 1', options).content.querySelectorAll('td').length).to.equal(2);
    const { content } = view.show('Before\n\n```\ncode', options);
    expect(content.querySelector('code')!.textContent).to.equal('code\n');
    expect(content.firstElementChild!.textContent).to.equal('Before');
  });

  it('touches nothing when the text is the same', () => {
    const view = new NoteView();
    const first = view.show(MIXED, options);
    const observer = new MutationObserver(() => undefined);
    observer.observe(first.content, { childList: true, subtree: true, attributes: true, characterData: true });
    expect(view.show(MIXED, { ...options })).to.equal(first);
    expect(observer.takeRecords().length).to.equal(0);
    observer.disconnect();
  });

  /** The elements that were taken out and put in on the way from one text to another. */
  function moved(from: string, to: string): { readonly out: number; readonly in: number; readonly content: HTMLElement } {
    const view = new NoteView();
    const { content } = view.show(from, options);
    document.body.append(content);
    const observer = new MutationObserver(() => undefined);
    observer.observe(content, { childList: true });
    expect(view.show(to, options).content).to.equal(content);
    const records = observer.takeRecords();
    observer.disconnect();
    content.remove();
    const sum = (key: 'addedNodes' | 'removedNodes'): number => records.reduce((total, record) => total + record[key].length, 0);
    return { out: sum('removedNodes'), in: sum('addedNodes'), content };
  }

  const paragraphs = SAMPLES['paragraphs']!;
  it('puts in one element for an appended paragraph, and for a changed word', () => {
    const appended = moved(paragraphs, `${paragraphs}\n\nOne more.`);
    expect([appended.out, appended.in]).to.satisfy(([out, put]: number[]) => out! <= 1 && put! <= 2);
    const changed = moved(paragraphs, paragraphs.replace('Paragraph 17', 'Section 17'));
    expect(changed.out).to.be.at.most(2);
    expect(changed.in).to.be.at.most(2);
    expect(changed.content.children.length).to.equal(30);
  });

  it('lays out again what refers to an address that was changed further down, and only that', () => {
    const text = `[one] here\n\nplain\n\n${paragraphs}\n\n[one]: https://example.org/1`;
    const { content, out } = moved(text, text.replace('/1', '/2'));
    expect(content.querySelector('a')!.getAttribute('href')).to.equal('https://example.org/2');
    expect(out).to.be.at.most(3);
  });

  it('lays out everything again when its title, language or policy changes', () => {
    const view = new NoteView();
    const markdown = '<progress value=1 max=2></progress>\n\n- [x] a';
    expect(view.show(markdown, options).content.querySelector('progress')!.ariaLabel).to.equal('Title · 1/2');
    expect(view.show(markdown, { ...options, title: 'Other' }).content.querySelector('progress')!.ariaLabel).to.equal('Other · 1/2');
  });
});
