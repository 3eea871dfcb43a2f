import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define/progress-surface';
import { ProgressCancelRequestEvent, ProgressDismissRequestEvent, ProgressToggleEvent } from '@sitrep/elements';
import { drawn, operation, part, run, until, type Element } from './support.ts';
import { body, cardsIn, frames, inRail, isOpen, shell, toggle } from './surface-support.ts';

describe('what the reader asks for in a live card', () => {
  it('is told by the surface, once to everybody, wherever the card is', async () => {
    const one = await shell({ actions: 'cancel', operations: [operation({ run: 'r' })] });
    const heard: string[] = [];
    const listen = (at: EventTarget, name: string): void => {
      for (const type of ['progress-cancel-request', 'progress-toggle']) {
        at.addEventListener(type, (event) => {
          const { localName } = event.target as HTMLElement;
          const kind =
            event instanceof ProgressCancelRequestEvent ? event.operation.id : event instanceof ProgressToggleEvent && event.open;
          heard.push(`${name}: ${kind} from ${localName}`);
        });
      }
    };
    listen(one.surface, 'surface');
    listen(one.shell.querySelector('.chat')!, 'chat');
    listen(one.shell, 'shell');
    const row = one.card().shadowRoot!.querySelector<Element>('tool-progress')!;
    await drawn(row);
    for (const place of ['rail', 'composer']) {
      if (place === 'composer') {
        await one.resize(500);
        if (!isOpen(one)) toggle(one).click();
        await until(() => isOpen(one), 'it is open');
      }
      expect(one.surface['place']).to.equal(place);
      heard.length = 0;
      const asked = new ProgressCancelRequestEvent(operation({ id: `in ${place}` }));
      row.dispatchEvent(asked);
      expect(heard).to.deep.equal(['surface', 'chat', 'shell'].map((at) => `${at}: in ${place} from progress-surface`));
      expect(asked.defaultPrevented).to.equal(false);
    }
  });

  it('is refused by whoever listens at the surface', async () => {
    const one = await shell({ runs: [run({ state: 'completed' })], actions: 'dismiss' });
    expect(inRail(one)).to.equal(true);
    one.surface.addEventListener('progress-toggle', (event) => event.preventDefault());
    toggle(one).click();
    await drawn(one.card());
    await frames();
    expect(isOpen(one)).to.equal(true);
    const dismissed: (number | undefined)[] = [];
    one.surface.addEventListener('progress-dismiss-request', (event) => {
      expect(event).to.be.instanceOf(ProgressDismissRequestEvent);
      dismissed.push(event.revision);
    });
    part(one.card(), 'dismiss')!.click();
    expect(dismissed).to.deep.equal([1]);
  });
});

describe('a shell', () => {
  it('comes back as it went where it was not drawn for a while', async () => {
    const one = await shell();
    one.shell.style.display = 'none';
    await frames();
    one.surface['card'] = body({ markdown: 'New.' });
    await drawn(one.surface);
    one.shell.style.display = '';
    await frames();
    expect(inRail(one)).to.equal(true);
    expect(one.places).to.deep.equal(['rail']);
  });

  it('is looked at when it is drawn for the first time', async () => {
    const box = await fixture<HTMLElement>(html`
      <div style="display: none; inline-size: 900px">
        <div><progress-surface rail="late"></progress-surface></div>
        <aside id="late" style="inline-size: 250px"></aside>
      </div>
    `);
    const surface = box.querySelector<Element>('progress-surface')!;
    const places: (string | undefined)[] = [];
    surface.addEventListener('progress-place-change', (event) => places.push(event.place));
    Object.assign(surface, { card: body(), runs: [run()] });
    await drawn(surface);
    await frames();
    box.style.display = '';
    await until(() => surface['place'] === 'rail', 'it is in the rail');
    expect(places).to.deep.equal(['rail']);
  });

  for (const how of [{ inert: true }, { ariaHidden: 'true' }]) {
    it(`keeps its card in the rail while a dialog over it has all of it ${Object.keys(how)[0]}`, async () => {
      const one = await shell();
      Object.assign(one.shell, how);
      one.surface['card'] = body({ markdown: 'New.' });
      await drawn(one.surface);
      await frames();
      expect(one.places).to.deep.equal(['rail']);
    });
  }

  it('is measured by the nearest box where it has none of its own', async () => {
    const box = await fixture<HTMLElement>(html`
      <div style="inline-size: 900px">
        <div id="app" style="display: contents">
          <div><progress-surface rail="side" rail-from="700" shell="app"></progress-surface></div>
          <aside id="side"></aside>
        </div>
      </div>
    `);
    const surface = box.querySelector<Element>('progress-surface')!;
    Object.assign(surface, { card: body(), runs: [run()] });
    await until(() => surface['place'] === 'rail', 'there is room');
    box.style.inlineSize = '500px';
    await until(() => surface['place'] === 'composer', 'there is none');
  });

  it('that is low keeps the conversation and the composer in sight, however long the card', async () => {
    const box = await fixture<HTMLElement>(html`
      <progress-surface style="inline-size: 500px; block-size: 300px" open>
        <main style="overflow: auto"><div style="block-size: 2000px"></div></main>
        <textarea slot="composer"></textarea>
      </progress-surface>
    `);
    const surface = box as Element;
    Object.assign(surface, { card: body({ markdown: 'Long. '.repeat(2000) }), runs: [run()] });
    await until(() => surface['place'] === 'composer' && cardsIn(document).length === 1, 'it is beside the composer');
    await drawn(cardsIn(document)[0]!);
    await frames();
    const bottom = box.getBoundingClientRect().bottom;
    expect(box.querySelector('textarea')!.getBoundingClientRect().bottom).to.be.at.most(bottom + 1);
    expect(box.querySelector('main')!.offsetHeight).to.be.above(40);
  });

  it('that hides what its rail is in has no room there', async () => {
    const one = await shell();
    const drawer = document.createElement('div');
    one.rail.before(drawer);
    drawer.append(one.rail);
    one.surface['card'] = body({ markdown: 'New.' });
    await drawn(one.surface);
    await frames();
    expect(inRail(one)).to.equal(true);
    for (const [name, value] of [
      ['style', 'visibility: hidden'],
      ['inert', ''],
    ] as const) {
      drawer.setAttribute(name, value);
      await until(() => !inRail(one), `it left the drawer with ${name}`);
      drawer.removeAttribute(name);
      await until(() => inRail(one), 'it came back');
    }
  });

  it('shows no card at all while its surface is hidden', async () => {
    const one = await shell();
    one.surface.hidden = true;
    await until(() => one.cards() === 0, 'the card is gone');
    one.surface.hidden = false;
    await until(() => one.cards() === 1 && inRail(one), 'it is back');
    expect(one.places).to.deep.equal(['rail', undefined, 'rail']);
  });

  it('that goes wide and back leaves the card beside the composer scrolled as it was', async () => {
    const plan = Array.from({ length: 50 }, (_, index) => ({ step: `Step ${index}`, status: 'pending' }));
    const one = await shell({ card: body({ plan }), open: true }, 500);
    const inner = part(one.card(), 'body')!;
    inner.scrollTop = 120;
    for (let round = 0; round < 10; round++) {
      await one.resize(900);
      await until(() => inRail(one) && inner.scrollTop === 0, 'it is in the rail, and drawn for it');
      await one.resize(500);
      await until(() => inner.scrollTop === 120, 'it is scrolled as before');
      // Wider than its place by a hair's breadth is nothing to scroll by.
      inner.append(Object.assign(document.createElement('i'), { style: 'display: block; inline-size: calc(100% + 3px)' }));
    }
    inner.scrollTop = 40;
    await one.resize(900);
    await drawn(one.card());
    await one.resize(500);
    await until(() => inner.scrollTop === 40, 'the newest counts');
  });
});
