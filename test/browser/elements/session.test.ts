import { aTimeout, expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define';
import { ProgressProvider } from '@sitrep/elements';
import { createMemorySource, createStore } from '@sitrep/client';
import type { Source, Store } from '@sitrep/client';
import de from '../../../packages/elements/dist/locales/de.js';
import { allWords, create, drawn, listen, operation, part, run, until, words, type Element } from './support.ts';

const now = Date.now();
const snapshot = (over: object = {}): object => ({
  type: 'snapshot',
  session: 's',
  epoch: 'e',
  seq: 4,
  at: now,
  card: { plan: [{ step: 'Repair', status: 'in_progress' }] },
  revision: 4,
  cardUpdatedAt: now,
  cardRun: 'r',
  operations: [operation({ run: 'r', current: 1, total: 4 })],
  runs: [run()],
  title: 'The session',
  ...over,
});
const event = (seq: number, over: object): string =>
  `id: e:${seq}\nevent: operation\ndata: ${JSON.stringify({ type: 'operation', session: 's', at: now + seq, id: 'a', run: 'r', ...over })}\n\n`;

/** A server in the page's own fetch: what it answers, and what it was asked. */
class Server {
  readonly asked: { url: string; cursor: string | null }[] = [];
  status = 200;
  /** Streams that the page has let go. */
  let = 0;
  body: unknown = snapshot();
  /** Streams are answered once this has come. */
  opens: Promise<void> | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #fetch = window.fetch;

  constructor() {
    window.fetch = (input, init) => this.#answer(new Request(input, init));
  }

  send(text: string): void {
    this.#stream?.enqueue(new TextEncoder().encode(text));
  }

  /** The stream breaks off. */
  cut(): void {
    this.#stream?.close();
  }

  restore(): void {
    window.fetch = this.#fetch;
  }

  count(end: string): number {
    return this.asked.filter(({ url }) => new URL(url).pathname.endsWith(end)).length;
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (!url.pathname.startsWith('/v1/')) return this.#fetch(request);
    this.asked.push({ url: request.url, cursor: request.headers.get('last-event-id') ?? url.searchParams.get('cursor') });
    if (this.status !== 200) return new Response('{}', { status: this.status });
    if (!url.pathname.endsWith('/stream')) return Response.json(await this.body);
    await this.opens;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
        request.signal.addEventListener('abort', () => {
          this.let++;
          try {
            controller.error(new DOMException('aborted', 'AbortError'));
          } catch {
            // already over
          }
        });
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  }
}

/** A source that counts how often it is open. */
class CountingSource implements Source {
  running = 0;
  opened = 0;
  async open(...[sink, signal]: Parameters<Source['open']>): Promise<void> {
    this.running++;
    this.opened++;
    sink.connection('live');
    sink.frame(snapshot());
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    this.running--;
  }
}

/** A store that counts its subscriptions. */
function counting(store: Store): Store & { readonly size: number } {
  let size = 0;
  return {
    getSnapshot: () => store.getSnapshot(),
    subscribe(listener) {
      size++;
      const leave = store.subscribe(listener);
      let left = false;
      return () => {
        if (!left) size--;
        left = true;
        leave();
      };
    },
    operation: (id, key) => store.operation(id, key),
    subscribeOperation: (id, key, listener) => store.subscribeOperation(id, key, listener),
    at: (seq) => store.at(seq),
    get outcomes() {
      return store.outcomes;
    },
    get diagnostics() {
      return store.diagnostics;
    },
    close: () => store.close(),
    get size() {
      return size;
    },
  };
}

const title = (element: HTMLElement): string => words(part(element, 'title'));
const pill = (element: HTMLElement): string => words(part(element, 'pill')).toLowerCase();

describe('src: a session by its address alone', () => {
  let server: Server;
  let path = 0;
  let src: string;
  beforeEach(() => {
    server = new Server();
    src = `/v1/sessions/s${path++}`;
  });
  afterEach(() => server.restore());

  it('shows the snapshot, then what the stream adds, resumed from the snapshot', async () => {
    const element = await fixture<Element>(html`<progress-card open src=${src}></progress-card>`);
    await until(() => title(element) === 'The session', 'the snapshot is shown');
    await until(() => server.count('/stream') === 1, 'the stream is opened');
    expect(server.asked.at(-1)!.cursor).to.equal('e:4');
    server.send(event(5, { state: 'completed', current: 4 }));
    const inner = element.shadowRoot!.querySelector<Element>('tool-progress')!;
    await until(() => pill(inner) === 'completed', 'the operation is completed');
  });

  it('shows all of it, also what comes to be needed while something else is loaded', async () => {
    server.body = snapshot({ usage: { tokens: 1200 }, operations: [operation({ run: 'r', state: 'completed' })], runs: [] });
    const element = await fixture<Element>(html`<progress-card open src=${src}></progress-card>`);
    await until(() => words(part(element, 'usage')) === '1.2K tok', 'what was used');
    expect(words(part(element, 'plan'))).to.contain('Repair');
  });

  it('is one connection for all elements with the same address', async () => {
    const box = await fixture<HTMLElement>(
      html`<div>
        <progress-card src=${src}></progress-card><status-pill src=${src}></status-pill>
        <tool-progress src=${src} operation-id="a" run="r"></tool-progress><status-pill src=${src} operation-id="a" summary></status-pill>
      </div>`,
    );
    const [card, sum, tool, one] = [...box.children] as Element[];
    await until(() => title(card!) === 'The session' && pill(sum!) === 'working' && title(tool!) === 'Building project', 'all show it');
    await until(() => words(part(one!, 'summary')) === 'Building project 25%', 'the summary is shown');
    await until(() => server.count('/stream') > 0, 'the stream is opened');
    expect(server.asked.filter(({ url }) => url.endsWith(src)).length).to.equal(1);
    expect(server.count('/stream')).to.equal(1);
  });

  it('does not call a connection broken that has only just been loaded over, while its stream is on its way', async () => {
    let open = (): void => {};
    server.opens = new Promise((resolve) => (open = resolve));
    const element = await fixture<Element>(html`<status-pill src=${src}></status-pill>`);
    const seen = new Set<string>();
    await until(() => {
      seen.add(pill(element));
      return server.count('/stream') === 1;
    }, 'the stream is asked for');
    await drawn(element);
    seen.add(pill(element));
    open();
    await until(() => pill(element) === 'working', 'the session is shown');
    expect([...seen]).not.to.include('reconnecting');
  });

  it('does not go on calling that live whose stream never opens', async () => {
    server.opens = new Promise(() => {});
    const element = await fixture<Element>(html`<status-pill src=${src}></status-pill>`);
    await until(() => pill(element) === 'working', 'the session is shown');
    await until(() => pill(element) === 'reconnecting', 'the stream keeps everybody waiting');
  });

  it('says that it loads, and does not call that empty', async () => {
    server.body = new Promise(() => {});
    const element = await fixture<Element>(html`<progress-card src=${src}></progress-card>`);
    await drawn(element);
    expect(allWords(element)).to.contain('Loading');
    expect(allWords(element)).not.to.contain('Nothing');
  });

  it('offers to try again when the session cannot be loaded', async () => {
    server.status = 404;
    const element = await fixture<Element>(html`<progress-card src=${src}></progress-card>`);
    await until(() => part(element, 'problem') !== null, 'the problem is shown');
    expect(words(part(element, 'problem'))).to.contain('no such session');
    server.status = 200;
    part(element, 'retry')!.click();
    await until(() => title(element) === 'The session', 'the session is shown');
    expect(part(element, 'problem')).to.equal(null);
  });

  it('hides a card of a session that the reader may not read, until it is put in again with the right to', async () => {
    server.status = 403;
    const box = await fixture<HTMLElement>(html`<div><progress-card src=${src}></progress-card></div>`);
    const element = box.firstElementChild as Element;
    const display = (): string => getComputedStyle(element).display;
    await until(() => display() === 'none', 'it is hidden');
    expect(allWords(element)).to.equal('');
    server.status = 200;
    const asked = server.asked.length;
    while (server.asked.length === asked) {
      element.remove();
      await aTimeout(300);
      box.append(element);
      await drawn(element);
    }
    await until(() => title(element) === 'The session', 'it is shown');
    expect(display()).not.to.equal('none');
  });

  it('forgets what it showed once the reader may no longer read it', async () => {
    const box = await fixture<HTMLElement>(
      html`<progress-provider src=${src}
        ><progress-card></progress-card><tool-progress operation-id="a"></tool-progress
      ></progress-provider>`,
    );
    const [card, tool] = [...box.children] as Element[];
    await until(
      () => title(card!) === 'The session' && title(tool!) === 'Building project' && server.count('/stream') === 1,
      'both are shown',
    );
    server.status = 403;
    server.cut();
    await until(() => getComputedStyle(card!).display === 'none', 'the card is hidden');
    expect(allWords(card!)).to.equal('');
    await until(() => allWords(tool!).includes('may not read'), 'the other says why it shows nothing');
    expect(allWords(tool!)).not.to.contain('Building');
  });

  it('does so with a source of the page, until that is let in', async () => {
    let sink: Parameters<Source['open']>[0] | undefined;
    const source: Source = {
      open: (into, signal) => {
        sink = into;
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      },
    };
    const box = await fixture<HTMLElement>(html`<progress-provider .source=${source}><progress-card></progress-card></progress-provider>`);
    const card = box.firstElementChild as Element;
    await until(() => sink !== undefined, 'it is opened');
    sink!.connection('live');
    sink!.frame(snapshot());
    await until(() => title(card) === 'The session', 'it is shown');
    sink!.connection('reconnecting');
    sink!.diagnostic({ code: 'http_status', message: 'no', status: 403 });
    await until(() => getComputedStyle(card).display === 'none', 'it is hidden');
    expect(allWords(card)).to.equal('');
    sink!.connection('live');
    sink!.frame(snapshot());
    await until(() => title(card) === 'The session' && getComputedStyle(card).display !== 'none', 'it is shown again');
  });

  it('says so when what comes is no session, instead of loading for ever', async () => {
    const element = await fixture<Element>(html`<progress-card></progress-card>`);
    for (const body of [{ hello: 1 }, null, 7, [], snapshot({ operations: [{ id: 'a', title: 5 }] })]) {
      server.body = body;
      element['src'] = `/v1/sessions/s${path++}`;
      await until(
        () => words(part(element, 'problem')).includes('something else than a session'),
        `the problem is shown: ${JSON.stringify(body)}`,
      );
    }
    server.body = snapshot();
    part(element, 'retry')!.click();
    await until(() => title(element) === 'The session', 'the session is shown');
    expect(part(element, 'problem')).to.equal(null);
  });

  it('is understood with the /stream of its live stream behind it, and is one connection with the address without', async () => {
    const box = await fixture<HTMLElement>(
      html`<div><progress-card src=${`${src}/stream`}></progress-card><progress-card src=${src}></progress-card></div>`,
    );
    for (const element of box.children) await until(() => title(element as Element) === 'The session', 'the session is shown');
    await until(() => server.count('/stream') > 0, 'the stream is opened');
    expect(server.asked.filter(({ url }) => url.endsWith(src)).length).to.equal(1);
    expect(server.count('/stream')).to.equal(1);
  });

  it('is a session that has the name "stream", too', async () => {
    server.body = snapshot({ session: 'stream' });
    const element = await fixture<Element>(html`<progress-card src="/v1/sessions/stream"></progress-card>`);
    await until(() => server.asked.length > 0, 'the server is asked');
    expect(new URL(server.asked[0]!.url).pathname).to.equal('/v1/sessions/stream');
    await until(() => part(element, 'problem') !== null, 'this server streams there, and that is said');
  });

  it('says so when what comes is a stream, and lets it go', async () => {
    const element = await fixture<Element>(html`<progress-card src="/v1/elsewhere/stream"></progress-card>`);
    await until(() => words(part(element, 'problem')).includes('address of a stream'), 'the problem is shown');
    expect(server.asked.length).to.equal(1);
    await until(() => server.let === 1, 'the stream is let go');
  });

  it('keeps the card when loading it again fails', async () => {
    const box = await fixture<HTMLElement>(html`<progress-provider src=${src}><progress-card></progress-card></progress-provider>`);
    const element = box.querySelector<Element>('progress-card')!;
    await until(() => title(element) === 'The session' && server.count('/stream') === 1, 'the snapshot is shown');
    server.status = 500;
    (box as unknown as { refresh(): void }).refresh();
    await until(() => part(element, 'problem') !== null, 'the problem is shown');
    expect(words(part(element, 'current'))).to.equal('Repair, in progress');
    expect(words(part(element, 'problem'))).to.contain('still shown');
  });

  it('closes the connection a moment after the last element left', async () => {
    const element = await fixture<Element>(html`<progress-card src=${src}></progress-card>`);
    await until(() => server.count('/stream') === 1, 'the stream is opened');
    const parent = element.parentElement!;
    element.remove();
    await aTimeout(400);
    parent.append(element);
    await until(() => server.count('/stream') === 2, 'the stream is opened again');
  });

  it('says so when the address is none, alone and in a provider', async () => {
    const box = await fixture<HTMLElement>(
      html`<div>
        <progress-card src="http://["></progress-card><progress-provider src="http://["><progress-card></progress-card></progress-provider>
      </div>`,
    );
    for (const element of box.querySelectorAll<Element>('progress-card')) {
      await until(() => part(element, 'problem') !== null, 'the problem is shown');
      expect(words(part(element, 'problem'))).to.contain('address');
    }
  });

  it('follows a changed address', async () => {
    const element = await fixture<Element>(html`<progress-card src=${src}></progress-card>`);
    await until(() => title(element) === 'The session', 'the first is shown');
    server.body = snapshot({ title: 'Another' });
    element['src'] = `/v1/sessions/s${path++}`;
    await until(() => title(element) === 'Another', 'the second is shown');
  });
});

describe('progress-provider', () => {
  it('hands its store to every element inside, at any depth and whenever they come', async () => {
    const store = createStore({ source: new CountingSource() });
    const box = await fixture<HTMLElement>(
      html`<progress-provider .store=${store}
        ><section><status-pill></status-pill></section
      ></progress-provider>`,
    );
    const early = box.querySelector<Element>('status-pill')!;
    await until(() => pill(early) === 'working', 'the early one shows it');
    const late = create('progress-card');
    box.firstElementChild!.append(late);
    await until(() => title(late) === 'The session', 'the late one shows it');
  });

  it('shows what a source brings, live', async () => {
    const source = createMemorySource();
    const box = await fixture<HTMLElement>(
      html`<progress-provider .source=${source}><tool-progress operation-id="a"></tool-progress></progress-provider>`,
    );
    const element = box.querySelector<Element>('tool-progress')!;
    source.push(snapshot());
    await until(() => title(element) === 'Building project', 'the snapshot is shown');
    source.push({ type: 'operation', session: 's', at: now + 9, id: 'a', run: 'r', state: 'failed', error: { message: 'No space.' } });
    await until(() => pill(element) === 'failed', 'the event is shown');
    expect(allWords(element)).to.contain('No space.');
  });

  it('says when the connection is in doubt instead of what was true before', async () => {
    const source = createMemorySource();
    const box = await fixture<HTMLElement>(
      html`<progress-provider .source=${source}
        ><progress-card></progress-card><tool-progress operation-id="a"></tool-progress
      ></progress-provider>`,
    );
    const [card, tool] = [...box.children] as Element[];
    source.setConnection('live');
    source.push(snapshot());
    (card as unknown as { open: boolean }).open = true;
    await until(() => pill(card!) === 'working' && pill(tool!) === 'running', 'it goes on');
    const inner = card!.shadowRoot!.querySelector<Element>('tool-progress')!;
    source.setConnection('reconnecting');
    await until(() => pill(card!) === 'reconnecting' && pill(tool!) === 'reconnecting' && pill(inner) === 'reconnecting', 'it reconnects');
    expect(tool!.shadowRoot!.querySelector('.moving, .running') === null).to.equal(true);
    source.setConnection('lost');
    await until(() => pill(card!) === 'connection lost' && part(box, 'banner-retry') !== null, 'it is lost');
  });

  it('sums up a session by what its word is about', async () => {
    const summaryOf = async (over: object): Promise<string> => {
      const source = createMemorySource();
      const box = await fixture<HTMLElement>(
        html`<progress-provider .source=${source}><status-pill summary></status-pill></progress-provider>`,
      );
      source.setConnection('live');
      source.push(snapshot(over));
      const element = box.querySelector<Element>('status-pill')!;
      await until(() => part(element, 'summary') !== null, 'the summary is shown');
      return `${pill(element).replace(words(part(element, 'summary')).toLowerCase(), '')}: ${words(part(element, 'summary'))}`;
    };
    const parts = [
      operation({ run: 'r', id: 'all', activeTitle: 'Check the checkout', current: 1, total: 4 }),
      operation({ run: 'r', id: 'one', parent: 'all', activeTitle: 'Hash the files', fraction: 0.5 }),
    ];
    expect(await summaryOf({})).to.equal('working: Repair');
    expect(await summaryOf({ card: null, operations: parts })).to.equal('working: Check the checkout 25%');
    const asks = operation({ run: 'r', id: 'ask', state: 'blocked', title: 'Delete', activeTitle: 'Deleting' });
    expect(await summaryOf({ operations: [asks, ...parts] })).to.equal('needs you: Deleting needs you');
    const over = { card: null, runs: [] };
    const failed = operation({ id: 'no', state: 'failed', title: 'Publish' });
    expect(await summaryOf({ ...over, operations: [failed, operation({ id: 'yes', state: 'completed' })] })).to.equal(
      'failed: Publish failed',
    );
    expect(await summaryOf({ ...over, operations: [operation({ id: 'yes', state: 'completed' })] })).to.equal('done: The session');
  });

  it('says the same word for the session in pill and card, and none that nobody vouches for', async () => {
    const wordsOf = async (over: object): Promise<string[]> => {
      const source = createMemorySource();
      const box = await fixture<HTMLElement>(
        html`<progress-provider .source=${source}><status-pill></status-pill><progress-card></progress-card></progress-provider>`,
      );
      source.setConnection('live');
      source.push(snapshot({ card: null, runs: [], ...over }));
      const [first, second] = [...box.children] as Element[];
      await until(() => pill(second!) !== '' && pill(second!) !== 'connecting' && pill(first!) === pill(second!), 'both have spoken');
      const moving = [first!, second!].some((element) => element.matches(':state(moving)'));
      return [pill(first!), ...(moving ? ['moving'] : [])];
    };
    const long = now - 60_000;
    expect(await wordsOf({ operations: [operation()] })).to.deep.equal(['working', 'moving']);
    expect(await wordsOf({ operations: [operation({ updatedAt: long })] })).to.deep.equal(['quiet']);
    expect(await wordsOf({ operations: [operation({ updatedAt: now - 3_600_000 })] })).to.deep.equal(['out of date']);
    expect(await wordsOf({ operations: [operation({ state: 'blocked', updatedAt: long })] })).to.deep.equal(['needs you']);
    const interrupted = { operations: [operation({ run: 'r', state: 'interrupted' })], runs: [run({ state: 'interrupted' })] };
    expect(await wordsOf(interrupted)).to.deep.equal(['interrupted']);
    expect(await wordsOf({ ...interrupted, card: { plan: [{ step: 'Repair', status: 'in_progress' }] } })).to.deep.equal(['interrupted']);
  });

  it('opens its source once when it is taken out and put back while the code that connects is loaded', async () => {
    const load = ProgressProvider.load;
    let arrive = (): void => {};
    const held = new Promise<void>((resolve) => (arrive = resolve));
    ProgressProvider.load = () => held.then(load);
    try {
      const source = new CountingSource();
      const box = await fixture<HTMLElement>(
        html`<div>
          <progress-provider .source=${source}><status-pill></status-pill></progress-provider>
        </div>`,
      );
      const provider = box.firstElementChild!;
      provider.remove();
      await aTimeout(0);
      box.append(provider);
      await aTimeout(0);
      arrive();
      await until(() => source.running === 1, 'it is open');
      await aTimeout(50);
      expect(source.opened).to.equal(1);
      provider.remove();
      await until(() => source.running === 0, 'it is closed');
    } finally {
      ProgressProvider.load = load;
    }
  });

  it('says so when the code that connects cannot be loaded, and tries again when asked', async () => {
    const load = ProgressProvider.load;
    ProgressProvider.load = () => Promise.reject(new Error('offline'));
    try {
      const source = new CountingSource();
      const provider = await fixture<HTMLElement>(
        html`<progress-provider .source=${source}><status-pill></status-pill></progress-provider>`,
      );
      await until(() => part(provider, 'problem') !== null, 'it says so');
      expect(words(part(provider, 'problem'))).to.contain('could not be loaded');
      provider.lang = 'de';
      await until(() => words(part(provider, 'retry')) === de['Try again'], 'in the language of the reader');
      expect(words(part(provider, 'problem'))).to.contain(de['The code that connects could not be loaded.']);
      ProgressProvider.load = load;
      part(provider, 'retry')!.click();
      await until(() => source.running === 1 && part(provider, 'problem') === null, 'it is open');
      provider.remove();
      await until(() => source.running === 0, 'it is closed');
    } finally {
      ProgressProvider.load = load;
    }
  });

  it('keeps the subscription through a move, and ends it with a removal', async () => {
    const store = counting(createStore({ source: new CountingSource() }));
    const box = await fixture<HTMLElement>(
      html`<div>
        <progress-provider .store=${store}
          ><p></p>
          <section></section>
          <progress-card></progress-card
        ></progress-provider>
      </div>`,
    );
    const card = box.querySelector<Element>('progress-card')!;
    await until(() => title(card) === 'The session', 'it is shown');
    expect(store.size).to.equal(1);
    const before = card.shadowRoot!.querySelector('[part=base]');
    box.querySelector('section')!.append(card);
    await aTimeout(20);
    expect(store.size).to.equal(1);
    expect(card.shadowRoot!.querySelector('[part=base]')).to.equal(before);
    card.remove();
    await aTimeout(20);
    expect(store.size).to.equal(0);
  });

  it('opens its source once and closes it when it goes, moves apart', async () => {
    const source = new CountingSource();
    const box = await fixture<HTMLElement>(
      html`<div>
        <section></section>
        <progress-provider .source=${source}><progress-card></progress-card></progress-provider>
      </div>`,
    );
    await until(() => source.running === 1, 'it is open');
    const provider = box.querySelector('progress-provider')!;
    box.querySelector('section')!.append(provider);
    await aTimeout(50);
    expect(source.opened).to.equal(1);
    provider.remove();
    await until(() => source.running === 0, 'it is closed');
  });

  it('draws an operation again only when something about it has changed', async () => {
    const source = createMemorySource();
    const box = await fixture<HTMLElement>(
      html`<progress-provider .source=${source}
        ><tool-progress operation-id="a"></tool-progress><tool-progress operation-id="b"></tool-progress
      ></progress-provider>`,
    );
    const [a, b] = [...box.children] as [Element, Element];
    source.setConnection('live');
    source.push(snapshot({ operations: [operation({ run: 'r' }), operation({ run: 'r', id: 'b', activeTitle: 'Other' })] }));
    await until(() => title(a) === 'Building project' && title(b) === 'Other', 'both are shown');
    await a.updateComplete;
    let renders = 0;
    const render = a['render'] as () => unknown;
    a['render'] = () => (renders++, render.call(a));
    for (let current = 1; current <= 3; current++)
      source.push({ type: 'operation', session: 's', at: now + current, id: 'b', run: 'r', current, total: 3 });
    await until(() => words(part(b, 'percent')) === '100%', 'the other one moved');
    expect(renders).to.be.at.most(1); // the shared clock may tick once meanwhile
  });

  it('leaves nothing behind after two hundred attachments', async () => {
    const store = counting(createStore({ source: new CountingSource() }));
    const box = await fixture<HTMLElement>(html`<progress-provider .store=${store}></progress-provider>`);
    for (let turn = 0; turn < 200; turn++) {
      const element = document.createElement(turn % 2 ? 'progress-card' : 'status-pill');
      box.append(element);
      if (turn % 10 === 0) await aTimeout(0);
      element.remove();
    }
    await aTimeout(300);
    expect(store.size).to.equal(0);
    const { clockLoad } = await import('../../../packages/elements/dist/display/clock.js');
    expect(clockLoad()).to.deep.equal({ elements: 0, running: false });
  });

  it('does not speak of what was there before it was shown', async () => {
    const source = createMemorySource();
    const box = await fixture<HTMLElement>(html`<progress-provider .source=${source}><progress-card></progress-card></progress-provider>`);
    const element = box.querySelector<Element>('progress-card')!;
    source.push(snapshot());
    await until(() => title(element) === 'The session', 'it is shown');
    await aTimeout(200);
    const heard = listen(true);
    source.push({ type: 'operation', session: 's', at: now + 9, id: 'a', run: 'r', state: 'failed' });
    await until(() => heard.said.length > 0, 'something is said');
    heard.stop();
    expect(heard.said).to.deep.equal(['assertive: Build project: failed.']);
  });
});
