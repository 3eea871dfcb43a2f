/** The page of the notes item: shows one note in every way, and times what each step costs until it is laid out. */
import DOMPurify from 'dompurify';
import { Marked } from 'marked';
// Not part of the public names: a note is only reached through a card. Measured here on its own.
import { adoptNoteStyles, NoteView, ready } from '../../packages/elements/dist/markdown/render-note.js';
import { sampleRuns, type Run, type Samples } from '../harness.ts';
import { noteOf } from '../samples.ts';

const OURS = 'ours';
const marked = new Marked({ gfm: true });
const options = { title: 'Release', language: { locale: 'en' } };
const tags = 'a p br hr em strong del code pre ul ol li blockquote table thead tbody tr th td h1 h2 h3 h4 h5 h6 progress'.split(' ');
const sanitizer = { elements: tags, attributes: ['href', 'title', 'start', 'align', 'value', 'max'] };

interface Way {
  readonly name: string;
  /** A place for one note in `box`; answers how to show a text there. */
  make(box: HTMLElement): (text: string) => void;
}

/** What the finished note is as HTML, for the case that has it ready. */
const finished = new Map<string, string>();
function finish(text: string): string {
  let html = finished.get(text);
  if (html === undefined) finished.set(text, (html = new NoteView().show(text, options).content.innerHTML));
  return html;
}

const doc = (box: HTMLElement): HTMLElement => {
  const inner = document.createElement('div');
  inner.className = 'doc';
  box.replaceChildren(inner);
  return inner;
};

const ways: readonly Way[] = [
  {
    name: 'ready HTML, innerHTML',
    make(box) {
      const inner = doc(box);
      return (text) => void (inner.innerHTML = finished.get(text)!);
    },
  },
  {
    name: 'the text alone, textContent',
    make(box) {
      const inner = doc(box);
      return (text) => void (inner.textContent = text);
    },
  },
  {
    name: OURS,
    make(box) {
      const view = new NoteView();
      return (text) => {
        const { content } = view.show(text, options);
        if (content.parentNode !== box) box.replaceChildren(content);
      };
    },
  },
  {
    name: 'marked, DOMPurify, innerHTML',
    make(box) {
      const inner = doc(box);
      return (text) => void (inner.innerHTML = DOMPurify.sanitize(marked.parse(text, { async: false })));
    },
  },
  {
    name: 'marked, setHTML',
    make(box) {
      const inner = doc(box) as HTMLElement & { setHTML(html: string, options: object): void };
      return (text) => inner.setHTML(marked.parse(text, { async: false }), { sanitizer });
    },
  },
];

const whole = noteOf(0);
const words = [...whole.matchAll(/(?<=[a-z] )[a-z]{4,}(?= [a-z])/g)];
const edited = Array.from({ length: 10 }, (_none, index) => {
  const word = words[Math.floor(((index + 0.5) / 10) * words.length)]!;
  return `${whole.slice(0, word.index)}changed${whole.slice(word.index + word[0].length)}`;
});
const appended = Array.from(
  { length: 10 },
  (_none, index) => whole + Array.from({ length: index + 1 }, (_line, n) => `\n- step ${n} is done`).join(''),
);

/** What happens to the note: what stands there before, and the texts that follow. */
const steps: Readonly<Record<string, { readonly before: string | undefined; readonly texts: readonly string[] }>> = {
  'first shown': { before: undefined, texts: [whole] },
  'the same text again': { before: whole, texts: Array.from({ length: 20 }, () => whole) },
  'a line appended': { before: whole, texts: appended },
  'a word changed': { before: whole, texts: edited.flatMap((text) => [text, whole]) },
  'everything changed': { before: whole, texts: [noteOf(1), noteOf(2)] },
};

window.measureNotes = async ({ rounds }) => {
  await ready();
  const style = document.createElement('style');
  const host = document.createElement('div').attachShadow({ mode: 'open' });
  adoptNoteStyles(host);
  style.textContent = [...host.adoptedStyleSheets[0]!.cssRules].map(({ cssText }) => cssText).join('\n');
  document.head.append(style);
  for (const { texts } of Object.values(steps)) texts.forEach(finish);
  const tables: { title: string; samples: Samples }[] = [];
  for (const [title, { before, texts }] of Object.entries(steps)) {
    const runs = ways.map(({ name, make }): Run => {
      const box = document.createElement('div');
      box.className = 'note';
      box.style.cssText = 'position:absolute;inline-size:360px;contain:layout';
      document.body.append(box);
      let show: (text: string) => void;
      return {
        name,
        count: texts.length,
        before() {
          box.replaceChildren();
          show = make(box);
          if (before !== undefined) show(before);
          if (box.getBoundingClientRect().width !== 360) throw new Error('The note has no place.');
        },
        run() {
          for (const text of texts) {
            show(text);
            if (box.offsetHeight < 100) throw new Error(`${name} shows nothing.`);
          }
        },
      };
    });
    // A page compiles what it runs often: every way is shown often enough first, so that none is measured half compiled.
    await sampleRuns(runs, { rounds: Math.ceil(60 / texts.length) });
    tables.push({ title, samples: await sampleRuns(runs, { rounds }) });
    document.body.replaceChildren();
  }
  return tables;
};
