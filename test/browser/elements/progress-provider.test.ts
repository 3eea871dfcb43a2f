import { expect, fixture, html } from '@open-wc/testing';
import type { Connection } from '@sitrep/schema/select';
import '@sitrep/elements/define';
import type { ProgressProvider } from '@sitrep/elements';
import type { SessionView, Store } from '@sitrep/client';
import { clockLoad } from '../../../packages/elements/dist/display/clock.js';
import { speakerLoad } from '../../../packages/elements/dist/display/language.js';
import { create, drawn, listen, operation, part, until, words, type Element } from './support.ts';

/** A store that a test moves by hand, and that counts who listens. */
function movable(title: string): Store & { readonly size: number; move(over: Partial<SessionView>): void } {
  const listeners = new Set<(view: SessionView) => void>();
  let view: SessionView = {
    session: title,
    loaded: true,
    epoch: 'e',
    seq: 1,
    card: { revision: 0, card: null },
    operations: [operation({ title, activeTitle: title })],
    runs: [],
    title,
    usage: undefined,
    connection: { state: 'live', since: Date.now() },
  };
  return {
    getSnapshot: () => view,
    subscribe(listener) {
      const own = (next: SessionView): void => listener(next);
      listeners.add(own);
      own(view);
      return () => void listeners.delete(own);
    },
    operation: () => undefined,
    subscribeOperation: () => () => {},
    at: () => undefined,
    outcomes: {} as Store['outcomes'],
    diagnostics: new Map(),
    close() {},
    get size() {
      return listeners.size;
    },
    move(over) {
      view = { ...view, ...over };
      for (const listener of listeners) listener(view);
    },
  };
}
const titleOf = (element: HTMLElement): string => words(part(element, 'title'));

describe('progress-provider: named from elsewhere', () => {
  it('gives its session to an element that names it, whichever of the two comes first', async () => {
    const box = await fixture<HTMLElement>(html`<div><progress-card provider="run-1"></progress-card></div>`);
    const card = box.querySelector<Element>('progress-card')!;
    await drawn(card);
    expect(card.shadowRoot!.querySelector('.loading'), 'it is on its way').not.to.equal(null);
    const store = movable('Late');
    const provider = create('progress-provider') as unknown as ProgressProvider;
    provider.store = store;
    provider.id = 'run-1';
    document.body.append(provider);
    await until(() => titleOf(card) === 'Late', 'the card shows the session');
    expect(store.size).to.equal(1);
    const second = create('progress-card');
    second.setAttribute('provider', 'run-1');
    box.append(second);
    await until(() => titleOf(second) === 'Late', 'the second card shows it too');
    expect(store.size, 'one subscription for both').to.equal(1);
    provider.remove();
    await until(() => titleOf(card) !== 'Late', 'it is gone with its provider');
    expect(store.size).to.equal(0);
    document.body.append(provider);
    await until(() => titleOf(card) === 'Late', 'and back with it');
    expect(store.size).to.equal(1);
    box.remove();
    await until(() => store.size === 0, 'nobody listens any more');
    provider.remove();
  });

  it('follows an id that goes to another provider, and an element that takes another name', async () => {
    const [one, two] = [movable('One'), movable('Two')];
    const box = await fixture<HTMLElement>(html`
      <div>
        <progress-provider id="a" .store=${one}></progress-provider>
        <progress-provider id="b" .store=${two}></progress-provider>
        <progress-card provider="a"></progress-card>
      </div>
    `);
    const card = box.querySelector<Element>('progress-card')!;
    const [first, second] = box.querySelectorAll('progress-provider');
    await until(() => titleOf(card) === 'One', 'the first');
    card.setAttribute('provider', 'b');
    await until(() => titleOf(card) === 'Two', 'the second, by the element');
    expect([one.size, two.size]).to.deep.equal([0, 1]);
    second!.id = 'c';
    first!.id = 'b';
    await until(() => titleOf(card) === 'One', 'the first, by its new id');
    expect([one.size, two.size]).to.deep.equal([1, 0]);
  });

  it('is found from within shadow roots, the nearest root first, and never inside of another one', async () => {
    const [outer, inner] = [movable('Outer'), movable('Inner')];
    const box = await fixture<HTMLElement>(
      html`<div>
        <progress-provider id="x" .store=${outer}></progress-provider>
        <div></div>
      </div>`,
    );
    const root = box.lastElementChild!.attachShadow({ mode: 'open' });
    const card = create('progress-card');
    card.setAttribute('provider', 'x');
    root.append(card);
    await until(() => titleOf(card) === 'Outer', 'the one of the document');
    const near = create('progress-provider') as unknown as ProgressProvider;
    near.id = 'x';
    near.store = inner;
    root.append(near);
    await until(() => titleOf(card) === 'Inner', 'the one beside it');
    const outside = create('progress-card');
    outside.setAttribute('provider', 'x');
    box.append(outside);
    await until(() => titleOf(outside) === 'Outer', 'from outside the document’s own');
    const moved = create('progress-card');
    moved.setAttribute('provider', 'x');
    box.append(moved);
    await until(() => titleOf(moved) === 'Outer', 'outside first');
    root.append(moved);
    await until(() => titleOf(moved) === 'Inner', 'and by its new place');
  });

  it('comes after an own src and before the provider around the element', async () => {
    const [around, by] = [movable('Around'), movable('Named')];
    const box = await fixture<HTMLElement>(html`
      <div>
        <progress-provider id="n" .store=${by}></progress-provider>
        <progress-provider .store=${around}><progress-card></progress-card></progress-provider>
      </div>
    `);
    const card = box.querySelector<Element>('progress-card')!;
    await until(() => titleOf(card) === 'Around', 'the one around');
    card.setAttribute('provider', 'n');
    await until(() => titleOf(card) === 'Named', 'the one it names');
    expect(around.size).to.equal(0);
    card.removeAttribute('provider');
    await until(() => titleOf(card) === 'Around', 'the one around again');
  });
});

describe('progress-provider: the banner', () => {
  const at = (state: Connection['state'], ago = 0): Partial<SessionView> => ({ connection: { state, since: Date.now() - ago } });
  const bannerOf = (provider: HTMLElement): HTMLElement | null => {
    const found = part(provider, 'banner');
    return found?.checkVisibility() ? found : null;
  };
  async function provided(attributes: string = ''): Promise<{ provider: Element; store: ReturnType<typeof movable> }> {
    const store = movable('Session');
    const box = await fixture<HTMLElement>(html`<div></div>`);
    box.innerHTML = `<progress-provider ${attributes}><progress-card></progress-card></progress-provider>`;
    const provider = box.firstElementChild as Element;
    provider['store'] = store;
    await until(() => titleOf(provider.querySelector('progress-card')!) === 'Session', 'it is shown');
    await until(
      () => provider.shadowRoot!.querySelector('slot[name=banner]') !== null || attributes.includes('none'),
      'the banner is there',
    );
    return { provider, store };
  }

  it('says that a connection is lost and has it made again, and that it is back, each spoken once', async () => {
    const heard = listen(true);
    try {
      const { provider, store } = await provided();
      expect(bannerOf(provider)).to.equal(null);
      store.move(at('lost', 40_000));
      await until(() => bannerOf(provider) !== null, 'the banner');
      expect(words(part(provider, 'banner'))).to.match(/^connection lost · out of date for 4\d sec ?Try again$/);
      const before = store.size;
      await until(() => heard.said.length === 1, 'the loss is spoken');
      part(provider, 'banner-retry')!.click();
      expect(store.size, 'listened to anew, which has a store try again').to.equal(before);
      store.move(at('reconnecting'));
      await until(() => words(bannerOf(provider)).startsWith('reconnecting'), 'it is being made again');
      store.move(at('resumed'));
      await until(() => words(bannerOf(provider)) === 'up to date again', 'it is back');
      await until(() => heard.said.length === 2, 'the return is spoken');
      store.move({ seq: 2 });
      store.move(at('live', 6_000));
      await until(() => bannerOf(provider) === null, 'it goes by itself');
      expect(heard.said).to.deep.equal(['polite: The connection was lost.', 'polite: up to date again.']);
    } finally {
      heard.stop();
    }
  });

  it('does not show a short break, and says of a long one for how long', async () => {
    const heard = listen(true);
    try {
      const { provider, store } = await provided();
      store.move(at('reconnecting'));
      await (provider.updateComplete as Promise<unknown>);
      expect(bannerOf(provider)).to.equal(null);
      store.move(at('resumed'));
      await (provider.updateComplete as Promise<unknown>);
      expect(bannerOf(provider), 'nothing is called back that was not called gone').to.equal(null);
      store.move(at('reconnecting', 125_000));
      await until(() => /^reconnecting · out of date for 2 min,? \d+ sec$/.test(words(bannerOf(provider))), 'a long one');
      store.move(at('quiet', 30_000));
      await until(() => /^no news for 3\d sec$/.test(words(bannerOf(provider))), 'silence');
      store.move(at('ended'));
      await until(() => bannerOf(provider) === null, 'an end that was announced is no outage');
    } finally {
      heard.stop();
    }
  });

  it('leaves nothing behind when its provider is taken out', async () => {
    await until(() => clockLoad().elements + speakerLoad() === 0, 'those of other tests have left');
    const { provider, store } = await provided();
    store.move(at('lost'));
    await until(() => bannerOf(provider) !== null, 'the banner');
    provider.remove();
    await until(() => store.size === 0, 'the session is left');
    expect([clockLoad().elements, speakerLoad()]).to.deep.equal([0, 0]);
  });

  it('takes no place, unless it is asked to, and nothing with none', async () => {
    const { provider, store } = await provided();
    const content = document.createElement('p');
    content.textContent = 'Content';
    provider.prepend(content);
    const row = provider.parentElement!;
    Object.assign(row.style, { display: 'flex', alignItems: 'start' });
    const before = JSON.stringify(content.getBoundingClientRect());
    store.move(at('lost'));
    await until(() => bannerOf(provider) !== null, 'the banner');
    expect(JSON.stringify(content.getBoundingClientRect())).to.equal(before);
    expect(getComputedStyle(provider).display).to.equal('contents');
    row.style.display = '';
    const top = content.getBoundingClientRect().top;
    provider.setAttribute('banner', 'inline');
    await until(() => content.getBoundingClientRect().top > top + 20, 'as a block before the content');
    provider.setAttribute('banner', 'none');
    await until(() => bannerOf(provider) === null, 'no banner');
    const silent = await provided('banner="none"');
    silent.store.move(at('lost'));
    await (silent.provider.updateComplete as Promise<unknown>);
    expect(bannerOf(silent.provider)).to.equal(null);
  });

  it('says it in place of the cards inside, which say it where there is no banner', async () => {
    const card = (provider: HTMLElement): HTMLElement => provider.querySelector('progress-card')!;
    const { provider, store } = await provided();
    store.move(at('lost'));
    await until(() => bannerOf(provider) !== null && words(part(card(provider), 'pill')) === 'connection lost', 'it is lost');
    expect(part(card(provider), 'problem')).to.equal(null);
    const silent = await provided('banner="none"');
    silent.store.move(at('lost'));
    await until(() => words(part(card(silent.provider), 'problem')).includes('The connection was lost.'), 'the card says it');
  });

  it('shows what the page gave in its place at the same times', async () => {
    const { provider, store } = await provided();
    const own = document.createElement('p');
    own.slot = 'banner';
    own.textContent = 'Offline';
    provider.append(own);
    await (provider.updateComplete as Promise<unknown>);
    expect(own.checkVisibility()).to.equal(false);
    store.move(at('lost'));
    await until(() => own.checkVisibility(), 'it is shown');
    store.move(at('live', 9_000));
    await until(() => !own.checkVisibility(), 'and gone');
  });
});
