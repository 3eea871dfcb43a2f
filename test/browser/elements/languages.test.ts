import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define';
import { addLanguage, SHIPPED } from '@sitrep/elements/languages';
import { drawn, operation, part, until, words, type Element } from './support.ts';

const label = (element: HTMLElement): string => words(part(element, 'label'));

describe('languages', () => {
  afterEach(() => (document.documentElement.lang = 'en'));

  it('are those of the nearest lang, whatever the rest of the page speaks', async () => {
    const box = await fixture<HTMLElement>(html`
      <div>
        <status-pill state="needs-you"></status-pill>
        <div lang="de-CH"><status-pill state="needs-you"></status-pill></div>
        <status-pill lang="ja" state="needs-you"></status-pill>
        <div lang="zh-TW"><status-pill state="needs-you"></status-pill></div>
      </div>
    `);
    const pills = [...box.querySelectorAll<Element>('status-pill')];
    await until(() => pills.map(label).join('|') === 'needs you|braucht Sie|確認が必要|需要您處理', 'each speaks its own language');
  });

  it('reach into what an element draws inside, and write numbers and times their way', async () => {
    const nested = [{ operation: operation({ id: 'b', parent: 'a', state: 'failed' }), nested: [] }];
    const one = operation({ current: 1234.5, total: 5000, unit: 'files', state: 'running' });
    const box = await fixture<HTMLElement>(
      html`<div lang="de"><tool-progress open .operation=${one} .nested=${nested}></tool-progress></div>`,
    );
    const element = box.querySelector<Element>('tool-progress')!;
    await until(() => words(part(element, 'amount')) === '1.234,5 von 5.000 Dateien', 'amounts are German');
    expect(words(part(element, 'percent'))).to.equal('24 %');
    expect(words(part(element, 'elapsed'))).to.match(/^1 Min\.,? \d Sek\.$/);
    const inner = element.shadowRoot!.querySelector<Element>('tool-progress')!;
    await drawn(inner);
    expect(label(inner)).to.equal('fehlgeschlagen');
    await expect(element).to.be.accessible();
  });

  it('change when the page changes its own', async () => {
    const element = await fixture<Element>(html`<status-pill state="done"></status-pill>`);
    await drawn(element);
    expect(label(element)).to.equal('done');
    for (const [lang, word] of [
      ['fr', 'fini'],
      ['uk', 'готово'],
      ['en-GB', 'done'],
    ]) {
      document.documentElement.lang = lang!;
      await until(() => label(element) === word, `it speaks ${lang}`);
    }
  });

  it('are shipped for eighteen tags beside English, and each says where something stands in its own words', async () => {
    expect(SHIPPED.length).to.equal(18);
    for (const tag of SHIPPED) {
      const element = await fixture<Element>(html`<status-pill lang=${tag} state="needs-you"></status-pill>`);
      await until(() => label(element) !== 'needs you' && label(element) !== '', tag);
    }
  });

  it('can be added, and words of one be replaced', async () => {
    addLanguage('sv', { 'needs you': 'behöver dig' });
    addLanguage('en', { 'needs you': 'your turn' });
    const box = await fixture<HTMLElement>(html`
      <div>
        <status-pill lang="sv-FI" state="needs-you"></status-pill>
        <status-pill lang="sv" state="failed"></status-pill>
        <status-pill lang="en-US" state="needs-you"></status-pill>
      </div>
    `);
    const pills = [...box.querySelectorAll<Element>('status-pill')];
    await until(() => pills.map(label).join('|') === 'behöver dig|failed|your turn', 'own words are said');
    addLanguage('en', {});
    await until(() => label(pills[2]!) === 'needs you', 'and taken back');
  });

  it('stay English for what is no language, and for one that nobody has', async () => {
    for (const tag of ['x', '!!', 'tlh', 'constructor', '__proto__']) {
      const element = await fixture<Element>(html`<status-pill lang=${tag} state="done"></status-pill>`);
      await drawn(element);
      expect(label(element), tag).to.equal('done');
    }
  });

  it('run from right to left where they do', async () => {
    const box = await fixture<HTMLElement>(
      html`<div lang="ar" dir="rtl" style="width: 300px">
        <tool-progress .operation=${operation({ current: 1, total: 4 })}></tool-progress>
      </div>`,
    );
    const element = box.querySelector<Element>('tool-progress')!;
    await until(() => label(element) === 'قيد التنفيذ', 'it speaks Arabic');
    const fill = part(element, 'fill')!.getBoundingClientRect();
    const bar = part(element, 'bar')!.getBoundingClientRect();
    expect(Math.abs(fill.right - bar.right)).to.be.lessThan(1.5);
    await expect(element).to.be.accessible();
  });
});
