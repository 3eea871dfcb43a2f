import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '@sitrep/elements/define/progress-surface';
import { drawn, operation, part, run, until, words, type Element } from './support.ts';
import { body, cardsIn, frames, inRail, isOpen, shell, steps, toggle, type Shell } from './surface-support.ts';

/** Errors of the page while a test runs. */
let errors: string[];
const note = (event: ErrorEvent): void => void errors.push(event.message);
beforeEach(() => {
  errors = [];
  window.addEventListener('error', note);
});
afterEach(() => {
  window.removeEventListener('error', note);
  expect(errors).to.deep.equal([]);
});

describe('a live card', () => {
  it('is in the rail where the rail is seen, open', async () => {
    const one = await shell();
    expect(inRail(one)).to.equal(true);
    expect(one.cards()).to.equal(1);
    expect(isOpen(one)).to.equal(true);
    expect(one.surface.offsetHeight).to.equal(0);
    expect(one.surface.matches(':state(rail)')).to.equal(true);
    expect(one.places).to.deep.equal(['rail']);
  });

  it('is one line beside the composer where it is not', async () => {
    const one = await shell({}, 500);
    expect(inRail(one)).to.equal(false);
    expect(one.cards()).to.equal(1);
    expect(words(toggle(one)))
      .to.contain('Repair the session owner')
      .and.to.contain('2/3');
    expect(one.surface.offsetHeight).to.be.within(24, 48);
    expect(one.surface.matches(':state(composer)')).to.equal(true);
  });

  it('is as open as the page has it, wherever it goes, where the page keeps that to itself', async () => {
    const one = await shell({}, 500);
    one.surface.addEventListener('progress-toggle', (event) => event.preventDefault());
    toggle(one).click();
    await drawn(one.card());
    expect(isOpen(one)).to.equal(false);
    await one.resize(900);
    await one.resize(500);
    await drawn(one.card());
    expect(isOpen(one)).to.equal(false);
  });

  it('is the same element wherever it goes, and says where', async () => {
    const one = await shell();
    const card = one.card();
    await one.resize(500);
    expect(inRail(one)).to.equal(false);
    await one.resize(900);
    expect(inRail(one)).to.equal(true);
    expect(one.card()).to.equal(card);
    expect(one.cards()).to.equal(1);
    expect(one.places).to.deep.equal(['rail', 'composer', 'rail']);
  });

  it('is somewhere in every frame of a rail that is dragged back and forth, and stays put at the threshold', async () => {
    const one = await shell({ railFrom: '700' });
    const seen = new Set<number>();
    for (let width = 900; width > 600; width -= 20) {
      one.shell.style.inlineSize = `${width}px`;
      await frames(1);
      seen.add(one.cards());
    }
    await frames();
    expect([...seen]).to.deep.equal([1]);
    expect(one.places).to.deep.equal(['rail', 'composer']);
    await one.resize(701);
    const before = one.places.length;
    for (let index = 0; index < 12; index++) await one.resize(index % 2 ? 701 : 690);
    expect(one.places.length).to.equal(before);
  });

  it('leaves a rail that does not show what it is given', async () => {
    const one = await shell({ railFrom: '400' }, 500);
    await until(() => one.places.at(-1) === 'composer', 'the card is back');
    expect(one.card().checkVisibility()).to.equal(true);
    await one.resize(900);
    expect(inRail(one)).to.equal(true);
  });

  it('goes into a rail that the page shows only for it', async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('#rail{display:none!important} body:has(progress-surface:state(rail)) #rail{display:block!important}');
    document.adoptedStyleSheets.push(sheet);
    try {
      const one = await shell({ railFrom: '40rem' });
      await frames(6);
      expect(one.places).to.deep.equal(['rail']);
      expect(one.card().checkVisibility()).to.equal(true);
      await one.resize(500);
      expect(inRail(one)).to.equal(false);
    } finally {
      document.adoptedStyleSheets.pop();
    }
  });

  it('minds a rail that is a closed drawer, or comes later, or is drawn anew', async () => {
    const one = await shell();
    one.rail.inert = true;
    await until(() => !inRail(one), 'it left the drawer');
    one.rail.inert = false;
    await until(() => inRail(one), 'it came back');
    const other = document.createElement('aside');
    other.id = 'rail';
    one.rail.replaceWith(other);
    await until(() => other.contains(cardsIn(document)[0] ?? null), 'it is in the new one');
    other.replaceChildren();
    await until(() => other.contains(cardsIn(document)[0] ?? null), 'it is put back');
    other.remove();
    await until(() => one.places.at(-1) === 'composer', 'it is beside the composer');
    expect(one.cards()).to.equal(1);
  });
});

for (const native of [true, false]) {
  describe(`a move ${native ? 'as the browser does it' : 'where the browser knows none'}`, () => {
    const proto = Element.prototype as unknown as { moveBefore?: unknown };
    const { moveBefore } = proto;
    before(() => {
      if (!native) delete proto.moveBefore;
    });
    after(() => {
      if (moveBefore) proto.moveBefore = moveBefore;
    });

    it('keeps the focus on the toggle', async () => {
      const one = await shell();
      toggle(one).focus();
      await one.resize(500);
      expect(inRail(one)).to.equal(false);
      expect(one.card().shadowRoot!.activeElement).to.equal(toggle(one));
      await sendKeys({ press: 'Enter' });
      await until(() => isOpen(one), 'the key opens it');
      await one.resize(900);
      expect(one.card().shadowRoot!.activeElement).to.equal(toggle(one));
    });

    it('keeps the focus in an operation, which stays open', async () => {
      const one = await shell({ operations: [operation({ run: 'r', message: 'm', error: { message: 'Broken' } })] });
      const row = one.card().shadowRoot!.querySelector<Element>('tool-progress')!;
      await drawn(row);
      const inner = row.shadowRoot!.querySelector<HTMLElement>('button')!;
      inner.focus();
      await one.resize(500);
      expect(inRail(one)).to.equal(false);
      expect(isOpen(one)).to.equal(true);
      expect(row.shadowRoot!.activeElement).to.equal(inner);
    });

    it('keeps what was opened and how far it was scrolled', async () => {
      const plan = Array.from({ length: 50 }, (_, index) => ({ step: `Step ${index}`, status: 'pending' }));
      const one = await shell({ card: body({ plan }) }, 500);
      toggle(one).click();
      await drawn(one.card());
      const inner = part(one.card(), 'body')!;
      inner.scrollTop = 120;
      const other = document.createElement('div');
      other.id = 'elsewhere';
      one.shell.append(other);
      one.surface['composer'] = 'elsewhere';
      await until(() => one.card().parentElement === other, 'it has moved');
      await drawn(one.card());
      expect(isOpen(one)).to.equal(true);
      expect(inner.scrollTop).to.equal(120);
    });

    it('keeps selected text', async () => {
      const one = await shell();
      const text = part(one.card(), 'step')!.querySelector('bdi')!.firstChild as Text;
      document.getSelection()!.setBaseAndExtent(text, 2, text, 7);
      // An engine that does not tell what is selected in a shadow root cannot give it back either.
      const selected = (): string | undefined => {
        const selection = document.getSelection() as Selection & {
          getComposedRanges?: (options: { shadowRoots: ShadowRoot[] }) => StaticRange[];
        };
        const [range] = selection.getComposedRanges?.({ shadowRoots: [one.card().shadowRoot!] }) ?? [];
        return range?.startContainer === text ? text.data.slice(range.startOffset, range.endOffset) : undefined;
      };
      const before = selected();
      await one.resize(500);
      expect(inRail(one)).to.equal(false);
      expect(selected()).to.equal(before);
      if (before) expect(isOpen(one)).to.equal(true);
    });
  });
}

describe('a card beside the composer folds', () => {
  const wheel = async (one: Shell, by: number): Promise<void> => {
    const transcript = one.shell.querySelector('.transcript')!;
    transcript.dispatchEvent(new WheelEvent('wheel', { bubbles: true, deltaY: by }));
    transcript.scrollTop += by;
    await new Promise((resolve) => transcript.addEventListener('scroll', resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve, 400));
  };
  const scrolled = async (over: Record<string, unknown>): Promise<Shell> => {
    const one = await shell(over, 500);
    const transcript = one.shell.querySelector('.transcript')!;
    transcript.scrollTop = 3000;
    await new Promise((resolve) => transcript.addEventListener('scroll', resolve, { once: true }));
    return one;
  };

  it('after two strokes upwards of 320 pixels together, and no update opens it again', async () => {
    const one = await scrolled({ open: true });
    expect(isOpen(one)).to.equal(true);
    await wheel(one, -200);
    expect(isOpen(one)).to.equal(true);
    await wheel(one, -200);
    await until(() => !isOpen(one), 'it folds');
    one.surface['card'] = body({ markdown: 'New.' });
    one.surface['runs'] = [run({ state: 'completed', endedAt: Date.now() })];
    await drawn(one.surface);
    await drawn(one.card());
    expect(isOpen(one)).to.equal(false);
  });

  it('later where the reader opened it, and not by scrolling down in between', async () => {
    const one = await scrolled({});
    toggle(one).click();
    await wheel(one, -200);
    await wheel(one, -200);
    expect(isOpen(one)).to.equal(true);
    await wheel(one, 100);
    for (const by of [-250, -250]) await wheel(one, by);
    expect(isOpen(one)).to.equal(true);
    await wheel(one, -250);
    await until(() => !isOpen(one), 'it folds');
  });

  it('not for scrolling of the page itself, nor where it is told to stay', async () => {
    const one = await scrolled({ open: true });
    const transcript = one.shell.querySelector('.transcript')!;
    for (const by of [-400, -400, -400]) {
      transcript.scrollTop += by;
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    expect(isOpen(one)).to.equal(true);
    const kept = await scrolled({ open: true, keepOpen: true });
    for (const by of [-400, -400, -400]) await wheel(kept, by);
    expect(isOpen(kept)).to.equal(true);
  });

  it('by Escape, which goes back to the toggle, and not while text is composed', async () => {
    const one = await shell({ open: true, operations: [operation({ run: 'r', message: 'm', error: { message: 'Broken' } })] }, 500);
    const row = one.card().shadowRoot!.querySelector<Element>('tool-progress')!;
    await drawn(row);
    row.shadowRoot!.querySelector<HTMLElement>('button')!.focus();
    part(one.card(), 'base')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing: true, bubbles: true }));
    await drawn(one.card());
    expect(isOpen(one)).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await until(() => !isOpen(one), 'it folds');
    expect(one.card().shadowRoot!.activeElement).to.equal(toggle(one));
  });

  it('no more once the reader chose, until there is another session', async () => {
    const session = (id: string): string =>
      `data:application/json,${encodeURIComponent(
        JSON.stringify({
          type: 'snapshot',
          session: id,
          epoch: 'e',
          seq: 1,
          at: Date.now(),
          revision: 1,
          card: { plan: steps },
          operations: [],
          runs: [],
          title: id,
        }),
      )}`;
    const one = await shell({ card: undefined, operations: undefined, runs: undefined, heading: undefined, src: session('one') }, 500);
    await until(() => one.cards() === 1 && !!part(one.card(), 'toggle'), 'the session is there');
    toggle(one).click();
    await drawn(one.card());
    expect(isOpen(one)).to.equal(true);
    await one.resize(900);
    await one.resize(500);
    expect(isOpen(one)).to.equal(true);
    one.surface['src'] = session('two');
    await until(() => one.cards() === 1 && part(one.card(), 'base')?.getAttribute('aria-label') === 'two', 'the other session is there');
    expect(isOpen(one)).to.equal(false);
  });
});

describe('a surface', () => {
  it('takes no space while there is nothing to show', async () => {
    const one = await shell({ card: undefined });
    expect(one.cards()).to.equal(0);
    expect(one.surface.offsetHeight).to.equal(0);
    expect(getComputedStyle(one.surface).display).to.equal('none');
    one.surface['card'] = body();
    await until(() => one.cards() === 1, 'the card comes');
    one.surface['card'] = null;
    await until(() => one.cards() === 0, 'the card goes');
    expect(one.places).to.deep.equal(['rail', undefined]);
    expect(one.surface.matches(':state(rail)')).to.equal(false);
  });

  it('is the shell itself where it has content', async () => {
    const box = await fixture<HTMLElement>(html`
      <div style="inline-size: 1000px">
        <progress-surface style="block-size: 400px">
          <main>Conversation</main>
          <textarea slot="composer"></textarea>
          <p slot="rail">Files</p>
        </progress-surface>
      </div>
    `);
    const surface = box.querySelector<Element>('progress-surface')!;
    Object.assign(surface, { card: body(), runs: [run()] });
    await surface.updateComplete;
    await until(() => surface['place'] === 'rail', 'it is in the rail');
    const side = part(surface, 'side')!;
    expect(side.querySelector('progress-card')).not.to.equal(null);
    expect(box.querySelector('p')!.checkVisibility()).to.equal(true);
    box.style.inlineSize = '600px';
    await until(() => surface['place'] === 'composer', 'it is beside the composer');
    const card = surface.shadowRoot!.querySelector<Element>('progress-card')!;
    const [main, composer] = [box.querySelector('main')!, box.querySelector('textarea')!].map((one) => one.getBoundingClientRect());
    const at = card.getBoundingClientRect();
    expect(at.top).to.be.at.least(main!.bottom);
    expect(at.bottom).to.be.at.most(composer!.top);
    expect(side.hidden).to.equal(true);
    surface['card'] = undefined;
    box.style.inlineSize = '1000px';
    await until(() => !side.hidden, 'what else is in the rail stays');
    expect(surface['place']).to.equal(undefined);
  });

  it('leaves nothing behind', async () => {
    const one = await shell();
    one.surface.remove();
    await until(() => one.cards() === 0, 'the card went along');
    one.shell.querySelector('textarea')!.before(one.surface);
    await until(() => one.cards() === 1, 'and came along again');
    expect(inRail(one)).to.equal(true);
  });
});
