import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define';
import { create, drawn, operation, part, run, until, words, type Element } from './support.ts';

const steps = [
  { step: 'Inspect', status: 'completed' },
  { step: 'Repair', status: 'in_progress' },
  { step: 'Verify', status: 'pending' },
];

async function place(over: Record<string, unknown>): Promise<Element> {
  const box = await fixture<HTMLElement>(html`<div style="inline-size: 400px"></div>`);
  const card = Object.assign(create('progress-card'), {
    heading: 'Fix it',
    card: { revision: 1, updatedAt: Date.now(), run: 'r', card: { plan: steps } },
    runs: [run()],
    operations: [],
    ...over,
  });
  box.append(card);
  await drawn(card);
  return card;
}
const toggle = (card: Element): HTMLElement | null => part(card, 'toggle');

describe('a card beside the composer', () => {
  it('is one line while closed: the current step and its number', async () => {
    const card = await place({ placement: 'composer' });
    expect(words(toggle(card))).to.equal('Repair, in progress2/3, 2 of 3');
    expect(toggle(card)!.getAttribute('aria-expanded')).to.equal('false');
    expect(card.offsetHeight).to.be.below(44);
    expect(part(card, 'base')!.getAttribute('aria-label')).to.equal('Fix it');
    expect(part(card, 'meta')).to.equal(null);
    expect(part(card, 'pill')!.className).to.contain('compact');
  });

  it('says in words what needs the reader', async () => {
    const asks = operation({ run: 'r', state: 'blocked', blockedOn: { kind: 'permission', prompt: 'Delete?' } });
    const card = await place({ placement: 'composer', operations: [asks] });
    expect(part(card, 'pill')!.className).not.to.contain('compact');
    expect(words(toggle(card))).to.contain('Delete?');
  });

  it('does not open when everything has ended, and opens on the reader’s click with its title', async () => {
    const ended = run({ state: 'completed', endedAt: Date.now() });
    const card = await place({ placement: 'composer', runs: [ended] });
    expect(part(card, 'body')!.hidden).to.equal(true);
    toggle(card)!.focus();
    toggle(card)!.click();
    await drawn(card);
    expect(part(card, 'body')!.hidden).to.equal(false);
    expect(words(toggle(card))).to.equal('Fix it');
    expect(card.shadowRoot!.activeElement).to.equal(toggle(card));
    expect(part(card, 'base')!.getAttribute('aria-labelledby')).to.equal('title');
  });

  it('scrolls by keyboard what is too high for its place', async () => {
    const plan = Array.from({ length: 50 }, (_, index) => ({ step: `Step ${index}`, status: 'pending' }));
    const card = await place({ placement: 'composer', open: true, card: { revision: 1, card: { plan } } });
    const body = part(card, 'body')!;
    expect(body.scrollHeight).to.be.above(body.clientHeight);
    expect([body.tabIndex, body.getAttribute('role'), body.getAttribute('aria-labelledby')]).to.deep.equal([0, 'group', 'title']);
    card['card'] = { revision: 2, card: { plan: steps } };
    await drawn(card);
    expect(body.hasAttribute('tabindex')).to.equal(false);
  });
});

describe('a card shown in passing', () => {
  it('is open, with nothing to close', async () => {
    const card = await place({ placement: 'peek' });
    expect(toggle(card)).to.equal(null);
    expect(part(card, 'body')!.hidden).to.equal(false);
    expect(words(part(card, 'title'))).to.equal('Fix it');
  });

  for (const [name, markdown, label] of [
    ['its own name', 'Tests run.\n\n<progress value="3" max="7" aria-label="Shards"></progress>\n\nMore.', 'Shards'],
    ['the title and the numbers', 'Tests run.\n\n<progress value="3" max="7"></progress>', 'Fix it · 3/7'],
    ['the title', '<progress></progress> Tests run.', 'Fix it'],
  ] as const) {
    it(`has the first bar of the note above it, called by ${name}`, async () => {
      const card = await place({ placement: 'peek', card: { revision: 1, card: { markdown } } });
      await until(() => part(card, 'promoted') !== null, 'the bar is there');
      const promoted = part(card, 'promoted')!;
      const note = part(card, 'note')!;
      expect(words(promoted)).to.equal(label);
      expect(promoted.querySelector('progress')!.getAttribute('aria-label')).to.equal(label);
      expect(note.querySelector('progress')).to.equal(null);
      expect(words(note)).to.contain('Tests run.');
      expect(promoted.compareDocumentPosition(note) & Node.DOCUMENT_POSITION_FOLLOWING).to.be.above(0);
      card['heading'] = 'Fix it';
      card['runs'] = [run()];
      await drawn(card);
      expect(part(card, 'promoted')!.querySelectorAll('progress').length).to.equal(1);
    });
  }

  it('leaves the bar where it is elsewhere, and code alone', async () => {
    const there = await place({ open: true, card: { revision: 1, card: { markdown: '<progress value="1" max="2"></progress>' } } });
    await until(() => part(there, 'note')?.querySelector('progress') !== null, 'the note is laid out');
    expect(part(there, 'promoted')).to.equal(null);
    const code = await place({ placement: 'peek', card: { revision: 1, card: { markdown: '`<progress value="1" max="2">`' } } });
    await until(() => part(code, 'note')?.querySelector('code') !== null, 'the note is laid out');
    expect(part(code, 'promoted')).to.equal(null);
  });
});
