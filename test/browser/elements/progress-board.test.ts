import { expect, fixture, html } from '@open-wc/testing';
import { a11ySnapshot } from '@web/test-runner-commands';
import type { SessionView } from '@sitrep/client';
import '@sitrep/elements/define/progress-board';
import '@sitrep/elements/define/progress-provider';
import type { ProgressBoard, ProgressMoveRequestEvent, ProgressOpenRequestEvent, ProgressUnpinRequestEvent } from '@sitrep/elements';
import { allWords, create, expectNoOverflow, listen, operation, part, run, until, words, type Element } from './support.ts';

type Widget = Element & { readonly standing: string | undefined };

const view = (session: string, over: Partial<SessionView> = {}): SessionView => ({
  session,
  loaded: true,
  epoch: 'e',
  seq: 1,
  card: { revision: 0, card: null },
  operations: [operation({ run: 'r', current: 1, total: 4 })],
  runs: [run()],
  title: `Title of ${session}`,
  usage: undefined,
  connection: { state: 'live', since: Date.now() },
  ...over,
});
const store = (state: SessionView) => ({
  getSnapshot: () => state,
  subscribe(listener: (view: SessionView) => void) {
    listener(state);
    return () => {};
  },
  operation: () => undefined,
  subscribeOperation: () => () => {},
  at: () => undefined,
  outcomes: {} as never,
  diagnostics: new Map(),
  close() {},
});
const cardOf = (widget: HTMLElement): Element | null => widget.shadowRoot!.querySelector<Element>('progress-card');
const said = (widget: HTMLElement): string =>
  `${cardOf(widget)?.shadowRoot?.querySelector('[part=base]') ? allWords(cardOf(widget)!) : ''} ${words(widget.shadowRoot!.querySelector('[part=base]'))}`
    .replace(/\s+/g, ' ')
    .trim();
const widgetsOf = (board: HTMLElement): Widget[] => [...board.shadowRoot!.querySelectorAll<Widget>('progress-widget')];
const sumsOf = (board: HTMLElement): string[] =>
  [...board.shadowRoot!.querySelectorAll('[part=sums] > li')].map((one) =>
    ['label', 'summary'].map((name) => words(one.querySelector(`[part=${name}]`))).join(' '),
  );

/** Counts what the page asks for below an address, and which of its streams are open; answers some itself. */
class Watch {
  readonly asked: string[] = [];
  readonly streams = new Set<string>();
  most = 0;
  answer: ((path: string) => Response | undefined) | undefined;
  readonly #fetch = window.fetch.bind(window);
  readonly #before = window.fetch;

  constructor() {
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (!pathname.includes('/v1/sessions')) return this.#fetch(input, init);
      if (request.method === 'GET') this.asked.push(pathname);
      const own = this.answer?.(pathname);
      if (own) return own;
      if (!pathname.endsWith('/stream')) return this.#fetch(input, init);
      this.streams.add(pathname);
      this.most = Math.max(this.most, this.streams.size);
      init?.signal?.addEventListener('abort', () => this.streams.delete(pathname));
      return this.#fetch(input, init);
    };
  }

  stop(): void {
    window.fetch = this.#before;
  }
}

describe('progress-widget', () => {
  let watch: Watch;
  beforeEach(() => (watch = new Watch()));
  afterEach(() => watch.stop());

  it('follows the session of the provider around it, and one that it names by id', async () => {
    const box = await fixture<HTMLElement>(html`
      <div>
        <progress-provider id="there" .store=${store(view('there'))}></progress-provider>
        <progress-provider .store=${store(view('around'))}><progress-widget session="  "></progress-widget></progress-provider>
      </div>
    `);
    const widget = box.querySelector<Widget>('progress-widget')!;
    await until(() => said(widget).includes('Title of around'), 'the one around');
    expect(widget.matches(':state(working)')).to.equal(true);
    widget.setAttribute('provider', 'there');
    await until(() => said(widget).includes('Title of there'), 'the one it names');
  });

  it('calls a session without a title by its key, and its buttons too', async () => {
    const box = await fixture<HTMLElement>(html`
      <progress-provider .store=${store(view('agent:main/1', { title: undefined }))}
        ><progress-widget editable></progress-widget
      ></progress-provider>
    `);
    const widget = box.querySelector<Widget>('progress-widget')!;
    await until(() => words(part(cardOf(widget) ?? widget, 'title')) === 'agent:main/1', 'the key');
    expect(part(widget, 'unpin')!.getAttribute('aria-label')).to.equal('agent:main/1: Unpin');
    widget.setAttribute('heading', 'Release');
    await until(() => words(part(cardOf(widget)!, 'title')) === 'Release', 'what the page calls it');
  });

  it('says that it loads, and that nothing was reported yet', async () => {
    const box = await fixture<HTMLElement>(html`
      <progress-provider .store=${store(view('new', { operations: [], runs: [] }))}><progress-widget></progress-widget></progress-provider>
    `);
    const widget = box.querySelector<Widget>('progress-widget')!;
    await until(() => said(widget).includes('Nothing has been reported yet.'), 'it is empty');
    watch.answer = () => new Response(new ReadableStream());
    const loading = await fixture<Widget>(html`<progress-widget session="slow"></progress-widget>`);
    await until(() => said(loading).includes('Loading'), 'it loads');
    expect(watch.asked.every((path) => path === '/v1/sessions/slow')).to.equal(true);
  });

  it('keeps its place when the reader may not read the session, says so, and nothing else of it', async () => {
    let status = 403;
    const answer = (path: string): Response =>
      status === 200 && !path.endsWith('/stream')
        ? Response.json({ ...snapshotOf('secret'), title: 'The secret plan' })
        : new Response('{}', { status });
    watch.answer = answer;
    const widget = await fixture<Widget>(html`<progress-widget session="secret" editable href="/chats/{session}"></progress-widget>`);
    await until(() => said(widget).includes('You may not read this session.'), 'it says so');
    expect(widget.getBoundingClientRect().height).to.be.at.least(48);
    expect(widget.shadowRoot!.innerHTML).not.to.match(/secret|Title/);
    expect(part(widget, 'link')).to.equal(null);
    expect(widget.matches(':state(no-access)')).to.equal(true);
    status = 200;
    part(widget, 'retry')!.click();
    await until(() => said(widget).includes('The secret plan'), 'it is shown once it may be');
  });

  it('offers to try again when the session is unavailable, and then loads it', async () => {
    let down = true;
    watch.answer = (path) =>
      down ? new Response('{}', { status: 404 }) : path.endsWith('/stream') ? undefined : Response.json(snapshotOf('back'));
    const widget = await fixture<Widget>(html`<progress-widget session="agent:main/back"></progress-widget>`);
    await until(() => said(widget).includes('There is no such session.'), 'it says why');
    await until(() => words(part(cardOf(widget)!, 'title')) === 'agent:main/back', 'and of which');
    const asked = watch.asked.length;
    const requests: string[] = [];
    widget.addEventListener('progress-retry-request', (event) => requests.push(event.type));
    down = false;
    part(cardOf(widget)!, 'retry')!.click();
    await until(() => said(widget).includes('Title of back'), 'the session');
    expect(watch.asked.length).to.be.above(asked);
    expect(requests).to.deep.equal(['progress-retry-request']);
  });

  it('links to the session, and leaves it to the page to follow', async () => {
    const box = await fixture<HTMLElement>(html`
      <progress-provider .store=${store(view('agent:main/1'))}
        ><progress-widget href="/chats/{session}"></progress-widget
      ></progress-provider>
    `);
    const widget = box.querySelector<Widget>('progress-widget')!;
    await until(() => part(widget, 'link') !== null, 'the link');
    const link = part(widget, 'link') as HTMLAnchorElement;
    expect(link.getAttribute('href')).to.equal('/chats/agent%3Amain%2F1');
    expect(link.getAttribute('aria-label')).to.equal('Title of agent:main/1: Open chat');
    let asked = '';
    widget.addEventListener('progress-open-request', (event) => {
      asked = (event as ProgressOpenRequestEvent).session;
      event.preventDefault();
    });
    link.click();
    expect(asked).to.equal('agent:main/1');
  });

  it('fits a column of 240 pixels', async () => {
    const box = await fixture<HTMLElement>(html`
      <div>
        <progress-provider .store=${store(view('narrow', { title: 'Unbreakable'.repeat(30) }))}>
          <progress-widget editable href="/chats/{session}"></progress-widget>
        </progress-provider>
      </div>
    `);
    box.style.inlineSize = '240px';
    const widget = box.querySelector<Widget>('progress-widget')!;
    await until(() => part(widget, 'link') !== null, 'it is drawn');
    await until(() => part(widget, 'link')!.getBoundingClientRect().height > 0, 'it is laid out');
    expectNoOverflow(widget);
    for (const one of widget.shadowRoot!.querySelectorAll('button')) {
      expect(one.getBoundingClientRect().height).to.be.at.least(24);
      expect(one.getBoundingClientRect().width).to.be.at.least(24);
    }
  });
});

function snapshotOf(session: string): object {
  const { card, operations, runs, title } = view(session);
  return { type: 'snapshot', session, epoch: 'e', seq: 1, at: Date.now(), card: card.card, revision: 0, operations, runs, title };
}

describe('progress-board', () => {
  let watch: Watch;
  beforeEach(() => (watch = new Watch()));
  afterEach(() => watch.stop());

  const states: Readonly<Record<string, Partial<SessionView>>> = {
    a: {},
    b: { operations: [operation({ run: 'r', state: 'blocked', blockedOn: { kind: 'permission' } })] },
    c: {},
    d: { runs: [run({ state: 'completed' })], operations: [] },
  };
  const own = () => html`
    <progress-board heading="Mine">
      ${Object.entries(states).map(
        ([key, over]) => html`<progress-provider .store=${store(view(key, over))}><progress-widget></progress-widget></progress-provider>`,
      )}
    </progress-board>
  `;

  it('sums up where its sessions stand, what needs somebody first', async () => {
    const board = await fixture<ProgressBoard>(own());
    await until(() => sumsOf(board).length === 3, 'the roll-up');
    expect(sumsOf(board)).to.deep.equal(['needs you 1', 'running 2', 'done 1']);
    board.querySelectorAll('progress-provider')[1]!.remove();
    board.querySelectorAll('progress-provider')[0]!.store = store(view('a', states['d']));
    await until(() => sumsOf(board).join() === 'running 1,done 2', 'it follows');
  });

  it('counts a widget where it is, and no longer where it was', async () => {
    const box = await fixture<HTMLElement>(html`<div>${own()}<progress-board heading="Others"></progress-board></div>`);
    const [mine, others] = [...box.querySelectorAll<ProgressBoard>('progress-board')];
    await until(() => sumsOf(mine!).join() === 'needs you 1,running 2,done 1', 'the roll-up');
    const keeper = document.createElement('div');
    others!.append(keeper);
    await others!.updateComplete;
    // Deep in both, so that no slot of theirs changes.
    const provider = mine!.querySelector('progress-provider')!;
    const widget = provider.querySelector('progress-widget')!;
    keeper.append(widget);
    widget.setAttribute('provider', (provider.id = 'deep'));
    await until(() => sumsOf(mine!).join() === 'needs you 1,running 1,done 1', 'not where it was');
    await until(() => sumsOf(others!).join() === 'running 1', 'where it is');
    widget.remove();
    await until(() => sumsOf(others!).length === 0, 'nowhere');
  });

  it('is one column where it is narrow and more where there is room', async () => {
    const board = await fixture<ProgressBoard>(own());
    const columns = (): number =>
      new Set([...board.querySelectorAll('progress-widget')].map((one) => one.getBoundingClientRect().left)).size;
    for (const [width, count] of [
      [240, 1],
      [620, 2],
      [920, 3],
    ] as const) {
      board.style.inlineSize = `${width}px`;
      await until(() => columns() === count, `${count} columns at ${width} px`);
    }
  });

  it('keeps its widgets within a page of 208 pixels', async () => {
    watch.answer = (path) => (path.split('/').length === 4 ? Response.json(snapshotOf(path.split('/').at(-1)!)) : undefined);
    const board = await fixture<ProgressBoard>(html`<progress-board editable href="/{session}" .sessions=${['n', 'm']}></progress-board>`);
    board.style.inlineSize = '208px';
    await until(() => widgetsOf(board).every((widget) => part(widget, 'link') !== null), 'both are shown');
    const { right } = board.getBoundingClientRect();
    for (const widget of widgetsOf(board)) expect(widget.getBoundingClientRect().right).to.be.at.most(right + 1);
  });

  it('asks to move and to unpin, moves nothing by itself, and keeps the focus with what was moved', async () => {
    watch.answer = (path) =>
      path.endsWith('/stream') || path === '/v1/sessions' ? undefined : Response.json(snapshotOf(path.split('/').at(-1)!));
    const heard = listen(true);
    try {
      const board = await fixture<ProgressBoard>(html`<progress-board editable .sessions=${['x', 'y', 'z']}></progress-board>`);
      await until(() => widgetsOf(board).every((widget) => said(widget).includes('Title of')), 'all are shown');
      const [x, y, z] = widgetsOf(board);
      expect((part(x!, 'earlier') as HTMLButtonElement).disabled).to.equal(true);
      expect((part(z!, 'later') as HTMLButtonElement).disabled).to.equal(true);
      const orders: (readonly string[])[] = [];
      let answers = false;
      board.addEventListener('progress-move-request', (event) => {
        const { order } = event as ProgressMoveRequestEvent;
        orders.push(order);
        if (answers) board.sessions = order;
      });
      part(y!, 'later')!.focus();
      part(y!, 'later')!.click();
      await board.updateComplete;
      expect(orders).to.deep.equal([['x', 'z', 'y']]);
      expect(widgetsOf(board)).to.deep.equal([x, y, z]);
      answers = true;
      part(y!, 'later')!.click();
      await until(() => widgetsOf(board)[2] === y, 'it is moved, with its element');
      await until(() => y!.shadowRoot!.activeElement === part(y!, 'earlier'), 'the focus is on what it can do next');
      await until(() => heard.said.some((one) => one.includes('3 of 3')), 'its place is said');
      const unpinned: string[] = [];
      board.addEventListener('progress-unpin-request', (event) => unpinned.push((event as ProgressUnpinRequestEvent).session));
      part(x!, 'unpin')!.click();
      expect(unpinned).to.deep.equal(['x']);
      expect(widgetsOf(board).length).to.equal(3);
    } finally {
      heard.stop();
    }
  });

  it('says that nothing is pinned, and why a list could not be read', async () => {
    const empty = await fixture<ProgressBoard>(html`<progress-board .sessions=${[]}></progress-board>`);
    expect(words(part(empty, 'empty'))).to.equal('No session is pinned.');
    let status = 500;
    watch.answer = () => (status === 200 ? Response.json({ sessions: [] }) : new Response('{}', { status }));
    const board = await fixture<ProgressBoard>(html`<progress-board src="/v1/sessions"></progress-board>`);
    await until(() => words(part(board, 'problem')).includes('status 500'), 'it says why');
    status = 200;
    part(board, 'retry')!.click();
    await until(() => words(part(board, 'empty')) === 'No session is pinned.', 'it was read again');
  });

  it('costs nothing while it is not seen', async () => {
    const box = await fixture<HTMLElement>(html`<div></div>`);
    box.style.marginBlockStart = '5000px';
    const board = create('progress-board') as unknown as ProgressBoard;
    board.sessions = ['far-1', 'far-2'];
    box.append(board);
    await board.updateComplete;
    // Two rounds of what tells the page where things are.
    for (let round = 0; round < 2; round++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    expect(watch.asked).to.deep.equal([]);
    watch.answer = (path) => (path.endsWith('/stream') ? undefined : Response.json(snapshotOf(path.split('/').at(-1)!)));
    box.style.marginBlockStart = '0';
    await until(() => watch.asked.length > 0, 'it is read once it is seen');
  });

  const ask = navigator.userAgent.includes('Chrome/') ? it : () => undefined;
  ask('is a named region with a list of states and of widgets', async () => {
    watch.answer = (path) => (path.endsWith('/stream') ? undefined : Response.json(snapshotOf(path.split('/').at(-1)!)));
    const board = await fixture<ProgressBoard>(
      html`<progress-board editable href="/chats/{session}" heading="My agents" .sessions=${['p', 'q']}></progress-board>`,
    );
    await until(() => widgetsOf(board).every((widget) => part(widget, 'link') !== null), 'both are shown');
    await until(() => widgetsOf(board).every((widget) => part(cardOf(widget)!, 'toggle') !== null), 'and their cards');
    await until(() => sumsOf(board).length > 0, 'the roll-up');
    interface Node {
      readonly role: string;
      readonly name?: string;
      readonly children?: readonly Node[];
    }
    const flat = (node: Node): readonly string[] => [`${node.role} ${node.name ?? ''}`.trim(), ...(node.children ?? []).flatMap(flat)];
    const tree = flat((await a11ySnapshot({})) as unknown as Node);
    expect(tree.join('\n')).to.contain('heading My agents');
    for (const name of ['button Title of p', 'link Title of p: Open chat', 'button Title of p: Move later', 'button Title of q: Unpin']) {
      expect(tree.join('\n')).to.contain(name);
    }
    const stops = widgetsOf(board).flatMap((widget) => [...widget.shadowRoot!.querySelectorAll('a, button:not([disabled])')]);
    expect(stops.every((one) => (one as HTMLElement).tabIndex === 0)).to.equal(true);
  });
});

describe('progress-board at a gateway', () => {
  it('shows thirty sessions over no more streams than a browser has connections, those in view first', async function () {
    this.timeout(60_000);
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const base = `${url}/v1/sessions`;
    const keys = Array.from({ length: 30 }, (_, index) => `board-${crypto.randomUUID()}-${index}`);
    const post = (session: string, over: object): Promise<Response> =>
      fetch(`${base}/${session}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([
          { type: 'session', session, at: Date.now(), title: `Task ${session.slice(-2)}` },
          { type: 'operation', session, id: 'o', at: Date.now(), state: 'running', title: 'Build', total: 100, ...over },
        ]),
      });
    for (const key of keys) expect((await post(key, { current: 1 })).status).to.equal(200);
    const watch = new Watch();
    try {
      const box = await fixture<HTMLElement>(html`<div><progress-board src=${base} .sessions=${keys}></progress-board></div>`);
      box.style.inlineSize = '300px';
      const board = box.querySelector<ProgressBoard>('progress-board')!;
      await board.updateComplete;
      const shown = (widget: HTMLElement): boolean => said(widget).includes('Build 1%');
      await until(() => widgetsOf(board).filter(shown).length >= 5, 'those in view are shown');
      await until(() => sumsOf(board).join() === 'running 30', 'all thirty are counted, also those that were not read');
      const seen = widgetsOf(board).filter((widget) => widget['resting'] === false);
      expect(seen.length, 'not all are in view').to.be.below(30);
      expect(new Set(watch.asked.filter((path) => /board-/.test(path)).map((path) => path.replace('/stream', ''))).size).to.equal(
        seen.length,
      );
      await until(() => watch.streams.size === 4, 'four have a stream');
      // Every one in view hears of what happens, with a stream or without.
      const last = seen.at(-1)!;
      expect(watch.streams.has(`/v1/sessions/${last['session'] as string}/stream`), 'the last one has none').to.equal(false);
      await post(last['session'] as string, { current: 55 });
      for (let tries = 0; tries < 8 && !said(last).includes('55%'); tries++)
        await until(() => said(last).includes('55%'), '').catch(() => {});
      expect(said(last)).to.contain('Build 55%');
      expect(said(last)).not.to.match(/reconnecting|lost/i);
      const bottom = (): boolean => {
        // What comes into view on the way takes its own room.
        widgetsOf(board).at(-1)!.scrollIntoView();
        return shown(widgetsOf(board).at(-1)!);
      };
      await until(bottom, 'the last one is read once it comes into view');
      expect(said(widgetsOf(board)[0]!), 'what is out of view stays as it was').to.contain('Build 1%');
      expect(watch.most).to.be.at.most(4);
      board.remove();
      for (let tries = 0; tries < 3 && watch.streams.size > 0; tries++) await until(() => watch.streams.size === 0, '').catch(() => {});
      expect(watch.streams.size, 'nothing stays open').to.equal(0);
    } finally {
      watch.stop();
    }
  });

  it('looks at a session again and again while other tabs have all streams, and takes one that becomes free', async function () {
    this.timeout(60_000);
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const session = `seat-${crypto.randomUUID()}`;
    const address = `${url}/v1/sessions/${session}`;
    const post = (current: number): Promise<Response> =>
      fetch(`${address}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([
          { type: 'operation', session, id: 'o', at: Date.now(), state: 'running', title: 'Build', current, total: 100 },
        ]),
      });
    await post(1);
    const free: (() => void)[] = [];
    for (let seat = 1; seat <= 4; seat++) {
      await new Promise<void>((held) => {
        void navigator.locks.request(`sitrep stream ${seat} at ${url}`, () => {
          held();
          return new Promise<void>((resolve) => free.push(resolve));
        });
      });
    }
    const watch = new Watch();
    /** For what takes longer than one wait. */
    const after = async (condition: () => boolean, what: string): Promise<void> => {
      for (let tries = 0; tries < 6 && !condition(); tries++) await until(condition, what).catch(() => {});
      expect(condition(), what).to.equal(true);
    };
    try {
      const box = await fixture<HTMLElement>(html`<div><progress-card src=${address}></progress-card></div>`);
      const card = box.firstElementChild as Element;
      await until(() => allWords(card).includes('Build 1%'), 'it is shown');
      await after(() => watch.asked.length > 1 && watch.streams.size === 0, 'no stream is kept');
      await post(2);
      await after(() => allWords(card).includes('Build 2%'), 'the next look brings what happened');
      expect(allWords(card)).not.to.match(/reconnecting|lost/i);
      for (const give of free) give();
      await after(() => watch.streams.size === 1, 'a stream');
      await post(3);
      await until(() => allWords(card).includes('Build 3%'), 'at once from now on');
    } finally {
      for (const give of free) give();
      watch.stop();
    }
  });

  it('is live without the stream that it had before a rest', async function () {
    this.timeout(60_000);
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const session = `rest-${crypto.randomUUID()}`;
    const post = (title: string): Promise<Response> =>
      fetch(`${url}/v1/sessions/${session}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ type: 'operation', session, id: 'o', at: Date.now(), state: 'running', title }]),
      });
    await post('Before');
    const watch = new Watch();
    let gone = (): void => {};
    try {
      const box = await fixture<HTMLElement>(
        html`<div><progress-widget session=${session} base=${`${url}/v1/sessions`}></progress-widget></div>`,
      );
      const widget = box.querySelector<Widget>('progress-widget')!;
      await until(() => said(widget).includes('Before') && watch.streams.size === 1, 'it has a stream');
      box.style.marginBlockStart = '5000px';
      await until(() => widget['resting'] === true && watch.streams.size === 0, 'it rests, and gave it back');
      const others = Array.from({ length: 5 }, (_, n) => {
        const card = create('progress-card');
        card['src'] = `${url}/v1/sessions/${session}-${n}`;
        return card;
      });
      document.body.append(...others);
      gone = () => others.forEach((card) => card.remove());
      await until(() => watch.streams.size === 4, 'others have all of them');
      box.style.marginBlockStart = '0';
      const asked = watch.asked.length;
      const own = `/v1/sessions/${session}`;
      const looks = (count: number): boolean => watch.asked.slice(asked).filter((path) => path === own).length >= count;
      for (let tries = 0; tries < 6 && !looks(2); tries++) await until(() => looks(2), 'it is looked at').catch(() => {});
      // Nothing has happened meanwhile, which is to say that nothing is missing.
      const live = (word: string): boolean => said(widget).includes(word) && widget.matches(':state(working)');
      await until(() => live('Before'), 'it is live');
      await post('After');
      for (let tries = 0; tries < 3 && !live('After'); tries++) await until(() => live('After'), '').catch(() => {});
      expect(live('After'), said(widget)).to.equal(true);
      expect(watch.streams.has(`${own}/stream`)).to.equal(false);
    } finally {
      gone();
      watch.stop();
    }
  });

  it('shows what the gateway lists, each staying where it was first shown', async () => {
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const base = `${url}/v1/sessions`;
    const names = ['one', 'two'].map((name) => `listed-${name}-${crypto.randomUUID()}`);
    const post = (session: string): Promise<Response> =>
      fetch(`${base}/${session}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([{ type: 'operation', session, id: 'o', at: Date.now(), state: 'running', title: session }]),
      });
    for (const name of names) await post(name);
    const board = await fixture<ProgressBoard>(html`<progress-board src=${`${base}?limit=2`}></progress-board>`);
    const order = (): string[] => widgetsOf(board).map((widget) => String(widget['session']));
    await until(() => order().length === 2, 'both are listed');
    expect(order()).to.deep.equal(names.toReversed());
    await until(() => widgetsOf(board).every((widget) => said(widget).includes('listed-')), 'and shown');
  });
});
