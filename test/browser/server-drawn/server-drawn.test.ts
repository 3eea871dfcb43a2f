import { expect, waitUntil } from '@open-wc/testing';

interface Page extends Omit<Window & typeof globalThis, 'before'> {
  readonly said: readonly string[];
  readonly before: readonly Element[];
  elementsNow(): Element[];
}
type Drawn = Element & { readonly hasUpdated?: boolean; readonly updateComplete?: Promise<boolean> };

/** Looks until there is something to see; a busy machine may take its time. */
const until = (look: () => unknown): Promise<void> => waitUntil(() => !!look(), String(look), { timeout: 15_000 });

const frames: HTMLIFrameElement[] = [];
afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove();
});

/** A session at the gateway, and how to write to it. */
async function session(...events: object[]): Promise<{ readonly address: string; write(...events: object[]): Promise<void> }> {
  const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
  const name = `drawn-${crypto.randomUUID()}`;
  const address = `${url}/v1/sessions/${name}`;
  const write = async (...more: object[]): Promise<void> => {
    const body = JSON.stringify(more.map((event) => ({ session: name, at: Date.now(), ...event })));
    const response = await fetch(`${address}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).to.equal(200);
  };
  await write(...events);
  return { address, write };
}

/** A page that a server has drawn, in a frame that is as good as a page of its own. */
async function open(page: { readonly markup: string; readonly [option: string]: unknown }): Promise<Page> {
  const frame = document.createElement('iframe');
  frame.width = '600';
  frame.height = '500';
  // Without a right to run scripts, but to be looked into.
  if (page['script'] === false) frame.setAttribute('sandbox', 'allow-same-origin');
  frame.src = `/server-drawn.html?page=${encodeURIComponent(JSON.stringify(page))}`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
  frames.push(frame);
  document.body.append(frame);
  await loaded;
  return frame.contentWindow as unknown as Page;
}

const one = (page: Page, tag: string): Drawn => page.document.querySelector<Drawn>(tag)!;
const inside = (element: Element, selector: string): HTMLElement => element.shadowRoot!.querySelector<HTMLElement>(selector)!;
const ready = (page: Page): Promise<unknown> =>
  until(() => page.elementsNow().every((element: Drawn) => !element.localName.includes('-') || element.hasUpdated));

/** What a reader sees, shadow roots included. */
function seen(node: Node): string {
  if (node instanceof Text || node.nodeType === 3) return node.textContent!;
  const element = node as Element;
  if (['style', 'script', 'template'].includes(element.localName) || element.hasAttribute?.('hidden')) return '';
  const nodes = element.localName === 'slot' ? [] : [...(element.shadowRoot?.childNodes ?? []), ...element.childNodes];
  return nodes.map(seen).join(' ').replace(/\s+/g, ' ').trim();
}

const AT = Date.now();
const EVENTS = [
  { type: 'session', title: 'Nightly build' },
  { type: 'run', run: 'r', state: 'running', startedAt: AT - 90_000 },
  {
    type: 'card',
    run: 'r',
    revision: 1,
    card: {
      plan: [
        { step: 'Read <everything>', status: 'completed' },
        { step: 'Compile', status: 'in_progress' },
        { step: 'Ship', status: 'pending' },
      ],
      markdown: '**Two** packages are left.',
    },
  },
  {
    type: 'operation',
    id: 'a',
    run: 'r',
    state: 'running',
    title: 'Compile',
    current: 42,
    total: 100,
    unit: 'files',
    startedAt: AT - 65_000,
  },
  { type: 'operation', id: 'b', run: 'r', parent: 'a', state: 'running', title: 'Types', fraction: 0.5 },
  { type: 'operation', id: 7, run: 'r', state: 'failed', title: 'Upload', error: { message: 'No "net" & no <disk>', code: 'E1' } },
];

describe('what a server has drawn', () => {
  it('is all there without any script', async () => {
    const { address } = await session(...EVENTS);
    const page = await open({
      markup: `<progress-card src="${address}" open></progress-card>`,
      addresses: [address],
      script: false,
    });
    const card = one(page, 'progress-card');
    const text = seen(card);
    for (const words of [
      'Nightly build',
      '1 of 3 completed',
      'Read <everything>',
      '**Two** packages',
      '42 of 100 files',
      '42%',
      'No "net" & no <disk>',
    ])
      expect(text).to.contain(words);
    expect(card.getAttribute('lang')).to.equal('en');
    expect(inside(card, '.toggle').getAttribute('aria-expanded')).to.equal('true');
    const [compile, upload] = [...card.shadowRoot!.querySelectorAll('[part=operations] tool-progress')];
    const bar = inside(compile!, '[role=progressbar]');
    expect(bar.getAttribute('aria-valuenow')).to.equal('42');
    expect(bar.getAttribute('aria-valuetext')).to.equal('42 of 100 files, 42%');
    expect(bar.getBoundingClientRect().height).to.be.above(2);
    const share = inside(compile!, '.fill').getBoundingClientRect().width / bar.getBoundingClientRect().width;
    expect(share).to.be.closeTo(0.42, 0.01);
    expect(!inside(upload!, '[role=progressbar]')).to.equal(true);
    expect(inside(upload!, '[part=detail]').textContent).to.contain('No "net"');
    expect(page.getComputedStyle(inside(card, '.base')).borderTopLeftRadius).not.to.equal('0px');
  });

  it('is taken over node by node, without a word, a request or a difference', async () => {
    const { address, write } = await session(...EVENTS);
    const now = Date.now() - 100_000;
    const page = await open({
      markup: `<progress-card src="${address}" open actions="cancel"></progress-card>`,
      addresses: [address],
      now,
    });
    const card = one(page, 'progress-card');
    await ready(page);
    const kept = page.elementsNow();
    expect(page.said).to.deep.equal([]);
    expect(page.before.length).to.be.above(50);
    for (const element of page.before) expect(kept.includes(element), `${element.localName}.${element.className} stays`).to.equal(true);
    expect(page.said).to.deep.equal([]);
    // Its styles are shared now, and nothing of the server's way is left in the roots.
    expect(!card.shadowRoot!.querySelector('style')).to.equal(true);
    expect(card.shadowRoot!.adoptedStyleSheets.length).to.be.above(0);

    const compile = card.shadowRoot!.querySelector('[part=operations] tool-progress')!;
    const percent = inside(compile, '.percent');
    await write({ type: 'operation', id: 'a', run: 'r', current: 77 });
    await until(() => percent.textContent === '77%');
    expect(percent.isConnected).to.equal(true);
    expect(inside(compile, '[role=progressbar]').getAttribute('aria-valuenow')).to.equal('77');
    await until(() => inside(card, '.note strong'));
    expect(inside(card, '.note').textContent).not.to.contain('**');
    // The snapshot came with the page: only the stream was asked for, and that is still open.
    const asked = page.performance.getEntriesByType('resource').map(({ name }) => name);
    expect(asked.length).to.be.above(0);
    expect(asked.filter((name) => name.startsWith(address) && !name.includes('/stream'))).to.deep.equal([]);

    const toggle = inside(card, '.toggle');
    const heard: string[] = [];
    card.addEventListener('progress-toggle', () => heard.push('toggle'));
    toggle.click();
    await until(() => toggle.getAttribute('aria-expanded') === 'false');
    expect(heard).to.deep.equal(['toggle']);
    expect(inside(card, '.body').hidden).to.equal(true);
    expect(page.said).to.deep.equal([]);
  });

  it('has the time of the server at first, and then the time it is', async () => {
    const { address } = await session(...EVENTS);
    const now = Date.now() + 3_600_000;
    const page = await open({ markup: `<progress-card src="${address}"></progress-card>`, addresses: [address], now, script: false });
    expect(seen(one(page, 'progress-card'))).to.contain('1 hr. ago');
    const live = await open({ markup: `<progress-card src="${address}"></progress-card>`, addresses: [address], now });
    await ready(live);
    await until(() => seen(one(live, 'progress-card')).includes('just now'));
    expect(live.said).to.deep.equal([]);
  });

  it('may be a provider with everything in it', async () => {
    const { address, write } = await session(...EVENTS);
    const markup = `<progress-provider src="${address}"><status-pill summary></status-pill><tool-progress operation-id="7" open></tool-progress>
      <tool-progress operation-id="a"></tool-progress></progress-provider>`;
    const still = await open({ markup, addresses: [address], script: false });
    expect(seen(one(still, 'status-pill'))).to.equal('working Compile');
    expect(seen(one(still, 'tool-progress'))).to.contain('Upload failed');
    const page = await open({ markup, addresses: [address] });
    const pill = one(page, 'status-pill');
    await ready(page);
    const kept = page.elementsNow();
    for (const element of page.before) expect(kept.includes(element), `${element.localName}.${element.className} stays`).to.equal(true);
    await write({ type: 'operation', id: 'a', run: 'r', state: 'blocked', blockedOn: { kind: 'permission', prompt: 'May I?' } });
    await until(() => seen(pill).startsWith('needs you'));
    expect(page.said).to.deep.equal([]);
  });

  it('may be any other element', async () => {
    const { address, write } = await session(...EVENTS);
    const markup = `<progress-list src="${address}"></progress-list><progress-surface src="${address}"><p>Chat</p></progress-surface>`;
    const still = await open({ markup, addresses: [address], script: false });
    expect(seen(one(still, 'progress-list'))).to.contain('Compile');
    const page = await open({ markup, addresses: [address] });
    await ready(page);
    const list = one(page, 'progress-list');
    await write({ type: 'operation', id: 'c', run: 'r', state: 'running', title: 'Pack' });
    await until(() => seen(list).includes('Pack'));
    expect(seen(list).match(/Pack/g)?.length).to.equal(1);
    await until(() => seen(one(page, 'progress-surface')).includes('Compile'));
    expect(page.said).to.deep.equal([]);
  });

  it('may be a surface: its card is in one place without any script, and then where there is room', async () => {
    const { address, write } = await session(...EVENTS);
    const shells = (code: string): [string, string][] => [
      [`<progress-surface ${code}><p>Chat</p><textarea slot="composer"></textarea><p slot="rail">Files</p></progress-surface>`, 'shell'],
      [
        `<div style="display: flex"><div style="flex: 1"><progress-surface rail="rail" ${code}></progress-surface></div><div id="rail" style="inline-size: 260px"></div></div>`,
        'named',
      ],
    ];
    const all = (root: ParentNode): Drawn[] =>
      [...root.querySelectorAll<Drawn>('*')].flatMap((at) => [at, ...(at.shadowRoot ? all(at.shadowRoot) : [])]);
    const cards = (page: Page): Drawn[] => all(page.document).filter(({ localName }) => localName === 'progress-card');
    for (const [markup, how] of shells(`src="${address}" rail-from="500"`)) {
      const still = await open({ markup, addresses: [address], script: false });
      expect(cards(still).length, how).to.equal(1);
      expect(cards(still)[0]!.getBoundingClientRect().height, how).to.be.above(20);
      expect(seen(cards(still)[0]!)).to.contain('Compile');
      if (how === 'shell')
        for (const words of still.document.querySelectorAll('p')) expect(words.getBoundingClientRect().height).to.be.above(10);
      for (const lang of ['en', 'de']) {
        const page = await open({ markup, addresses: [address], lang });
        const surface = one(page, 'progress-surface') as Drawn & { readonly place?: string };
        await ready(page);
        await until(() => surface.place === 'rail');
        const [card, ...others] = cards(page);
        expect(others.length, how).to.equal(0);
        expect(page.before.includes(card!), `${how} in ${lang}: it is the card that was drawn`).to.equal(true);
        await until(() => !inside(card!, '.base').className.includes('composer'));
        expect(card!.closest('#rail, .rail')).not.to.equal(null);
        await write({ type: 'operation', id: 'c', run: 'r', state: 'running', title: `Pack ${how} ${lang}` });
        await until(() => seen(card!).includes(`Pack ${how} ${lang}`));
        expect(page.said).to.deep.equal([]);
      }
    }
    const [markup] = shells(`src="${address}" rail-from="500"`)[1]!;
    const anew = await open({ markup, addresses: [address], code: 'anew.js' });
    await ready(anew);
    await until(() => cards(anew).length === 1 && cards(anew)[0]!.parentElement!.id === 'rail');
  });

  it('may be a board, or the reach of a peek', async () => {
    const { address } = await session(...EVENTS);
    const base = address.slice(0, address.lastIndexOf('/'));
    const name = address.slice(base.length + 1);
    const page = await open({
      markup: `<progress-board src="${base}" sessions="${name}"></progress-board><progress-peek><a href="#x">Run</a></progress-peek>`,
      addresses: [address],
    });
    await ready(page);
    const board = one(page, 'progress-board');
    await until(() => seen(board).includes('Compile'));
    expect(board.shadowRoot!.querySelectorAll('[part=head]').length).to.equal(1);
    expect(board.shadowRoot!.querySelectorAll('progress-widget').length).to.equal(1);
    expect(board.shadowRoot!.querySelectorAll('style').length).to.equal(0);
    const peek = one(page, 'progress-peek').shadowRoot!;
    expect(peek.querySelectorAll('slot:not([name])').length).to.equal(1);
    expect(page.said).to.deep.equal([]);
  });

  it('is told in the language the server was asked for', async () => {
    const { address } = await session(...EVENTS);
    for (const [lang, words] of [
      ['de', '1 von 3 erledigt'],
      ['ar', 'Nightly build'],
    ] as const) {
      const page = await open({ markup: `<progress-card src="${address}" open></progress-card>`, addresses: [address], lang });
      const card = one(page, 'progress-card');
      const before = seen(card);
      expect(before).to.contain(words);
      await ready(page);
      expect(card.getAttribute('lang')).to.equal(lang);
      await until(() => inside(card, '.note strong'));
      expect(seen(card).slice(0, 20)).to.equal(before.slice(0, 20));
      for (const element of page.before) expect(element.isConnected, `${element.localName}.${element.className} stays`).to.equal(true);
      expect(page.said).to.deep.equal([]);
    }
  });

  it('is taken over once by a page that moves it while its language is on the way', async () => {
    const { address } = await session(...EVENTS);
    const page = await open({
      markup: `<progress-card src="${address}" open></progress-card>`,
      addresses: [address],
      lang: 'de',
      after: `<script>
        customElements.whenDefined('progress-card').then(() => {
          const card = document.querySelector('progress-card');
          window.early = !card.hasUpdated;
          document.querySelector('main').append(card);
        });
      </script>`,
    });
    const card = one(page, 'progress-card');
    await ready(page);
    expect((page as unknown as { early: boolean }).early).to.equal(true);
    await until(() => inside(card, '.note strong'));
    expect(card.shadowRoot!.querySelectorAll('.base').length).to.equal(1);
    for (const element of page.before) expect(element.isConnected, `${element.localName}.${element.className} stays`).to.equal(true);
    expect(seen(card)).to.contain('1 von 3 erledigt');
    expect(page.said).to.deep.equal([]);
  });

  it('holds under a strict content security policy, Trusted Types included', async () => {
    const { address, write } = await session(...EVENTS);
    const page = await open({ markup: `<progress-card src="${address}" open></progress-card>`, addresses: [address], strict: true });
    const card = one(page, 'progress-card');
    const fill = inside(card.shadowRoot!.querySelector('[part=operations] tool-progress')!, '.fill');
    await ready(page);
    await write({ type: 'operation', id: 'a', run: 'r', current: 60 });
    await until(() => fill.style.inlineSize === '60%');
    await until(() => inside(card, '.note strong'));
    expect(page.said).to.deep.equal([]);
  });

  it('is drawn anew, and once, by a page that does not take it over', async () => {
    const { address } = await session(...EVENTS);
    const page = await open({ markup: `<progress-card src="${address}" open></progress-card>`, addresses: [address], code: 'anew.js' });
    const card = one(page, 'progress-card');
    await ready(page);
    await until(() => seen(card).includes('42 of 100 files'));
    expect(card.shadowRoot!.querySelectorAll('.base').length).to.equal(1);
    expect(page.said).to.deep.equal([]);
  });

  it('stays as it is until it is seen, where the page says so', async () => {
    const { address } = await session(...EVENTS);
    const markup = `<progress-card src="${address}" defer-hydration="visible"></progress-card>`;
    const page = await open({ markup, addresses: [address], before: '<p style="block-size: 3000px">Far above</p>' });
    const card = one(page, 'progress-card');
    await until(() => page.customElements.get('progress-card'));
    await new Promise((resolve) => page.requestAnimationFrame(() => page.requestAnimationFrame(resolve)));
    expect(card.hasUpdated).to.equal(false);
    expect(seen(card)).to.contain('Nightly build');
    card.scrollIntoView();
    await until(() => card.hasUpdated);
    expect(page.said).to.deep.equal([]);
  });

  it('is drawn anew where it is not what the page would have drawn', async () => {
    const { address } = await session(...EVENTS);
    const page = await open({ markup: `<progress-card src="${address}" open></progress-card>`, addresses: [address], script: false });
    const html = page.document.querySelector('main')!.innerHTML;
    expect(html).not.to.contain('<template');
    // Put there by script, templates stay templates; and data that is not what was drawn is what counts.
    const later = await open({ markup: '<p>Nothing yet</p>' });
    await until(() => later.customElements.get('progress-card'));
    const drawn = await (
      await fetch(
        `/server-drawn.html?page=${encodeURIComponent(JSON.stringify({ markup: `<progress-card src="${address}" open></progress-card>`, addresses: [address] }))}`,
      )
    ).text();
    const main = /<main>([\s\S]*)<\/main>/.exec(drawn)![1]!;
    later.document.querySelector('main')!.innerHTML = main;
    const card = one(later, 'progress-card');
    await until(() => card.hasUpdated);
    expect(seen(card)).to.contain('42 of 100 files');
    expect(!card.querySelector('template')).to.equal(true);
    later.document.querySelector('main')!.innerHTML = main
      .replace('Nightly build</', '<i></i><!--lit-part-->x</')
      .replaceAll('lit-part ', 'lit-part x');
    await until(() => seen(one(later, 'progress-card')).includes('Nightly build'));
    expect(seen(one(later, 'progress-card')).match(/Nightly build/g)?.length).to.equal(1);
    expect(later.said).to.deep.equal([]);
  });
});
