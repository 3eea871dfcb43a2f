import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define/progress-board';
import { setSessionHeaders } from '@sitrep/elements';
import { fetchSnapshot, SnapshotError } from '../../../packages/elements/dist/connect/fetch-snapshot.js';
import { stir, untilNextLook, wait } from '../../../packages/elements/dist/connect/looks.js';
import { watchList } from '../../../packages/elements/dist/connect/session-list.js';
import { Standings } from '../../../packages/elements/dist/progress-board/standings.js';
import { allWords, operation, part, run, until, words, type Element } from './support.ts';

const snapshot = (session: string, over: object = {}): object => ({
  type: 'snapshot',
  session,
  epoch: 'e',
  seq: 1,
  at: Date.now(),
  card: null,
  revision: 0,
  operations: [operation({ run: 'r' })],
  runs: [run()],
  ...over,
});

/** A gateway in the page's own fetch, and a clock whose long waits pass at once where the test says so. */
class Stand {
  answer: (path: string, request: Request) => Response | Promise<Response> = () => new Response('{}', { status: 404 });
  /** Waits of at least this are over at once, milliseconds. */
  pass = Infinity;
  readonly waits: number[] = [];
  readonly asked: string[] = [];
  readonly #fetch = window.fetch;
  readonly #setTimeout = window.setTimeout;

  constructor() {
    window.fetch = (input, init) => {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith('/v1/')) return this.#fetch(input, init);
      this.asked.push(pathname);
      return Promise.resolve(this.answer(pathname, request));
    };
    window.setTimeout = ((act: () => void, ms = 0) => {
      if (ms >= 1_000) this.waits.push(ms);
      return this.#setTimeout.call(window, act, ms >= this.pass ? 0 : ms);
    }) as typeof window.setTimeout;
  }

  restore(): void {
    window.fetch = this.#fetch;
    window.setTimeout = this.#setTimeout;
  }
}

let keys = 0;
const addressOf = (): string => `/v1/sessions/outage-${keys++}`;
const broken = (status: number, headers: HeadersInit = {}): Response => new Response('{}', { status, headers });
const open = (): Response => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
const isStream = (path: string): boolean => path.endsWith('/stream');
const pill = (card: HTMLElement): string => words(part(card, 'pill')).toLowerCase();

describe('what is asked for again', () => {
  let stand: Stand;
  beforeEach(() => (stand = new Stand()));
  afterEach(() => stand.restore());

  it('is asked for ever more rarely, never in step, and not before the time that the server named', () => {
    const waits = (failures: number): number[] => Array.from({ length: 200 }, () => untilNextLook(failures));
    for (const [failures, mean] of [
      [0, 5_000],
      [6, 5_000],
      [7, 10_000],
      [60, 30_000],
    ] as const) {
      const all = waits(failures);
      expect(Math.min(...all)).to.be.within(mean * 0.75, mean);
      expect(Math.max(...all)).to.be.within(mean, mean * 1.25);
    }
    expect(untilNextLook(0, 120_000)).to.equal(120_000);
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    try {
      const unseen = waits(0);
      expect(Math.min(...unseen)).to.be.at.least(11_250);
      // What is silent for longer counts as quiet.
      expect(Math.max(...unseen)).to.be.below(22_500);
    } finally {
      delete (document as { hidden?: boolean }).hidden;
    }
  });

  it('is asked for in a moment once its server answers again, and that no more often than it is anyway', async () => {
    const over = new AbortController();
    const ended: string[] = [];
    const waits = (name: string, address: string, asked = 0): void => {
      void wait({ failures: 60, asked }, over.signal, address).then(() => ended.push(name));
    };
    waits('one', 'https://stirred.example/v1/sessions/a');
    waits('two', 'https://stirred.example/v1/sessions/b');
    waits('told when', 'https://stirred.example/v1/sessions/c', 120_000);
    waits('elsewhere', 'https://other.example/v1/sessions/a');
    stir('https://stirred.example/v1/sessions/d');
    await until(() => ended.length > 1, 'they ask');
    expect(ended.toSorted()).to.deep.equal(['one', 'two']);
    waits('three', 'https://stirred.example/v1/sessions/a');
    const begun = stand.waits.length;
    stir('https://stirred.example/v1/sessions/d');
    expect(stand.waits.length, 'once is enough').to.equal(begun);
    over.abort();
    await until(() => ended.length === 5, 'nobody waits for what is over');
  });

  it('knows why a session could not be had, and when to come back', async () => {
    const fault = async (): Promise<SnapshotError> =>
      fetchSnapshot('/v1/sessions/x', new AbortController()).then(
        () => expect.fail('it was had'),
        (error: unknown) => error as SnapshotError,
      );
    for (const [status, header, final, asked] of [
      [401, '', true, 0],
      [403, '', true, 0],
      [404, '', true, 0],
      [429, '20', false, 20_000],
      [500, '', false, 0],
      [503, '9999', false, 300_000],
      [503, 'Wed, 21 Oct 2026 07:28:00 GMT', false, 0],
    ] as const) {
      stand.answer = () => broken(status, header ? { 'retry-after': header } : {});
      const error = await fault();
      expect([status, error.final, error.asked]).to.deep.equal([status, final, asked]);
    }
  });

  it('says nothing of a look that failed but that it is reconnecting, and after half a minute why', async () => {
    const address = addressOf();
    stand.answer = (path) => (isStream(path) ? broken(500) : Response.json(snapshot('s')));
    const card = await fixture<Element>(html`<progress-card src=${address}></progress-card>`);
    await until(() => pill(card) === 'reconnecting', 'the stream is broken');
    expect(part(card, 'problem')).to.equal(null);
    expect(stand.waits).to.include(30_000);
    stand.pass = 30_000;
    card.remove();
    await until(() => stand.asked.length > 0, 'it was read');
    const later = await fixture<Element>(html`<progress-card src=${addressOf()}></progress-card>`);
    await until(() => words(part(later, 'problem')).includes('status 500'), 'it says why');
    expect(allWords(later)).to.contain('What was known is still shown.');
    stand.answer = (path) => (isStream(path) ? open() : Response.json(snapshot('s')));
    part(later, 'retry')!.click();
    await until(() => pill(later) === 'working' && part(later, 'problem') === null, 'at once, when it is asked for');
  });

  it('opens its stream at once when the reader asks, though the server had named a time', async () => {
    const address = addressOf();
    let down = true;
    stand.answer = (path) => (down ? broken(503, { 'retry-after': '300' }) : isStream(path) ? open() : Response.json(snapshot('s')));
    const card = await fixture<Element>(html`<progress-card src=${address}></progress-card>`);
    await until(() => part(card, 'retry') !== null && stand.asked.includes(`${address}/stream`), 'it could not be read');
    await until(() => stand.waits.includes(300_000), 'the stream waits');
    down = false;
    part(card, 'retry')!.click();
    await until(() => pill(card) === 'working', 'it is shown, and live');
    expect(stand.asked.filter((path) => path === `${address}/stream`).length).to.equal(2);
  });
});

describe('what is asked for by address', () => {
  let stand: Stand;
  beforeEach(() => (stand = new Stand()));
  afterEach(() => {
    stand.restore();
    setSessionHeaders();
  });

  it('carries the headers of the page, each time anew, and once more when they were refused', async () => {
    const tokens: string[] = [];
    // What the tests before left may ask once more.
    const ours = (path: string): boolean => /^\/v1\/sessions(\/(told|other)(\/stream)?)?$/.test(path);
    stand.answer = (path, request) => {
      if (!ours(path)) return broken(404);
      const token = request.headers.get('authorization');
      tokens.push(`${path.split('/').slice(2).join('/')} ${token ?? 'none'}`);
      if (token === null || token === 'old') return broken(401);
      if (path === '/v1/sessions') return Response.json({ sessions: [] });
      return isStream(path) ? open() : Response.json(snapshot('told'));
    };
    let token = 'old';
    const asked: string[] = [];
    setSessionHeaders(async (address) => {
      if (!ours(new URL(address).pathname)) return undefined;
      asked.push(new URL(address).pathname);
      const authorization = token;
      token = 'new';
      return { authorization };
    });
    const card = await fixture<Element>(html`<progress-card src="/v1/sessions/told"></progress-card>`);
    await until(() => pill(card) === 'working' && tokens.includes('sessions/told/stream new'), 'it is read');
    expect(tokens.slice(0, 2)).to.deep.equal(['sessions/told old', 'sessions/told new']);
    const leave = watchList(new URL('/v1/sessions', location.href).href, () => undefined);
    await until(() => tokens.includes('sessions new'), 'lists too');
    leave();
    expect(tokens.filter((one) => !one.endsWith(' new'))).to.deep.equal(['sessions/told old']);
    expect(asked.length, 'for each request').to.be.at.least(tokens.length);
    expect(new Set(asked)).to.deep.equal(new Set(['/v1/sessions/told', '/v1/sessions/told/stream', '/v1/sessions']));
    card.remove();
    setSessionHeaders();
    const other = await fixture<Element>(html`<progress-card src="/v1/sessions/other"></progress-card>`);
    await until(() => part(other, 'problem') !== null, 'and none once they are taken back');
    expect(tokens.filter((one) => one.endsWith(' none'))).to.deep.equal(['sessions/other none']);
    other.remove();
  });

  it('is given up when the headers never come', async () => {
    setSessionHeaders(() => new Promise(() => {}));
    stand.pass = 15_000;
    const error: unknown = await fetchSnapshot('/v1/sessions/never', new AbortController()).catch((cause: unknown) => cause);
    expect((error as SnapshotError).final).to.equal(false);
    expect(stand.asked).not.to.include('/v1/sessions/never');
  });
});

describe('the list of a gateway', () => {
  let stand: Stand;
  beforeEach(() => (stand = new Stand()));
  afterEach(() => stand.restore());

  it('gives no word to a session that has none, and the board counts it by what it saw', async () => {
    const list = [{ session: 'a', activity: 'done' }, { session: 'b' }, { session: 'c', activity: null }, { session: 7 }, null];
    stand.answer = (path) => (path === '/v1/sessions' ? Response.json({ sessions: list }) : broken(404));
    const told = await new Promise((resolve) => {
      const leave = watchList(new URL('/v1/sessions', location.href).href, (now) => {
        leave();
        resolve(now);
      });
    });
    expect(told).to.deep.equal({
      sessions: [
        { session: 'a', activity: 'done' },
        { session: 'b', activity: undefined },
        { session: 'c', activity: undefined },
      ],
      error: undefined,
    });
    const box = document.createElement('div');
    const widget = Object.assign(document.createElement('progress-widget'), { session: 'b', standing: 'working' });
    box.append(widget);
    const standings = new Standings(box);
    standings.add(widget);
    const count = (activity: string | undefined) => [...standings.count(['b', 'c'], [{ session: 'b', activity }])];
    expect(widget.resting).to.equal(true);
    expect([count(undefined), count('dreaming'), count('done')]).to.deep.equal([[['working', 1]], [['working', 1]], [['done', 1]]]);
  });

  it('waits as long as the server asks', async () => {
    stand.answer = () => broken(429, { 'retry-after': '240' });
    const leave = watchList(new URL('/v1/sessions', location.href).href, () => undefined);
    await until(() => stand.waits.includes(240_000), 'it waits');
    leave();
    expect(stand.asked.filter((path) => path === '/v1/sessions').length).to.equal(1);
  });
});
