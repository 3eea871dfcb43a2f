import { expect, fixture, html } from '@open-wc/testing';
import { a11ySnapshot, resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import '@sitrep/elements/define/progress-peek';
import type { ProgressPeek } from '@sitrep/elements';
import { operation, part, run, until, words, type Element } from './support.ts';

const steps = [
  { step: 'Inspect the failing route', status: 'completed' },
  { step: 'Repair the session owner', status: 'in_progress' },
  { step: 'Run focused verification', status: 'pending' },
];
const snapshot = (session: string, over: object = {}): object => ({
  type: 'snapshot',
  session,
  epoch: 'e',
  seq: 4,
  at: Date.now(),
  card: { plan: steps },
  revision: 4,
  cardUpdatedAt: Date.now(),
  cardRun: 'r',
  operations: [],
  runs: [run()],
  title: `Session ${session}`,
  ...over,
});

/** A gateway in the page's own fetch: what it has, and what it was asked. */
class Gateway {
  readonly asked: string[] = [];
  /** Streams that are open. */
  open = 0;
  readonly has = new Map<string, object | number>();
  /** Holds every answer back until it is resolved. */
  wait: Promise<void> = Promise.resolve();
  readonly #fetch = window.fetch;

  constructor() {
    window.fetch = (input, init) => this.#answer(new Request(input, init));
  }

  restore(): void {
    window.fetch = this.#fetch;
  }

  count(end: string): number {
    return this.asked.filter((path) => path.endsWith(end)).length;
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/v1/')) return this.#fetch.call(window, request);
    this.asked.push(pathname);
    await this.wait;
    const body = this.has.get(decodeURIComponent(pathname.replace(/^\/v1\/sessions\/|\/stream$/g, '')));
    if (typeof body !== 'object') return new Response('{}', { status: body ?? 404 });
    if (!pathname.endsWith('/stream')) return Response.json(body);
    this.open++;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const beat = { type: 'heartbeat', epoch: 'e', seq: 4, at: Date.now() };
        controller.enqueue(new TextEncoder().encode(`event: heartbeat\ndata: ${JSON.stringify(beat)}\n\n`));
        request.signal.addEventListener('abort', () => {
          this.open--;
          controller.error(new DOMException('aborted', 'AbortError'));
        });
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  }
}

let gateway: Gateway;
let errors: string[];
const note = (event: ErrorEvent): void => void errors.push(event.message);
beforeEach(async () => {
  gateway = new Gateway();
  errors = [];
  window.addEventListener('error', note);
  await sendMouse({ type: 'move', position: [790, 590] });
});
afterEach(async () => {
  for (const peek of document.querySelectorAll('progress-peek')) peek.remove();
  await resetMouse();
  gateway.restore();
  window.removeEventListener('error', note);
  expect(errors).to.deep.equal([]);
});

const tick = (ms = 30): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let sessions = 0;
/** A session nobody has asked for yet. */
function fresh(over: object = {}): string {
  const session = `s${++sessions}-${Date.now()}`;
  gateway.has.set(session, snapshot(session, over));
  return session;
}

/** A list of references in a page of their own, looked after by one element. */
async function list(
  names: readonly string[],
): Promise<{ peek: ProgressPeek; links: HTMLAnchorElement[]; before: HTMLButtonElement; after: HTMLButtonElement }> {
  const box = await fixture<HTMLElement>(html`
    <div style="padding: 20px">
      <button>before</button>
      <nav id="sessions" style="display: flex; flex-direction: column; inline-size: 180px">
        ${names.map((name) => html`<a href="#${name}" data-progress-session=${name} style="padding: 6px">${name}</a>`)}
      </nav>
      <button>after</button>
      <progress-peek for="sessions" base="/v1/sessions/" show-delay="100" hide-delay="60"></progress-peek>
    </div>
  `);
  const peek = box.querySelector('progress-peek')!;
  await peek.updateComplete;
  const [before, after] = box.querySelectorAll('button');
  return { peek, links: [...box.querySelectorAll('a')], before: before!, after: after! };
}

async function around(session: string, inner = 'Fix the build'): Promise<{ peek: ProgressPeek; link: HTMLAnchorElement }> {
  const box = await fixture<HTMLElement>(html`
    <p style="padding: 20px">
      See
      <progress-peek src="/v1/sessions/${session}" show-delay="100" hide-delay="60"><a href="#there">${inner}</a></progress-peek> for more.
    </p>
  `);
  const peek = box.querySelector('progress-peek')!;
  await peek.updateComplete;
  return { peek, link: box.querySelector('a')! };
}

const popoverOf = (peek: HTMLElement): HTMLElement | null => peek.querySelector('.sitrep-peek');
const cardOf = (peek: HTMLElement): Element => popoverOf(peek)!.querySelector<Element>('progress-card')!;
const isShown = (peek: HTMLElement): boolean => popoverOf(peek)?.matches(':popover-open') ?? false;
const middle = (element: HTMLElement): [number, number] => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
};
const hover = (element: HTMLElement): Promise<void> => sendMouse({ type: 'move', position: middle(element) });
const away = (): Promise<void> => sendMouse({ type: 'move', position: [790, 590] });
const shown = (peek: HTMLElement): Promise<void> => until(() => isShown(peek), 'the card is shown');
const gone = (peek: HTMLElement): Promise<void> => until(() => !isShown(peek), 'the card is gone');
const filled = (peek: HTMLElement): Promise<void> => until(() => isShown(peek) && !!part(cardOf(peek), 'plan'), 'the card is filled');

describe('a hover card', () => {
  it('shows the session of a reference under the pointer, in the top layer, and nothing is asked before', async () => {
    const session = fresh();
    const { peek, link } = await around(session);
    await tick(150);
    expect(gateway.asked).to.deep.equal([]);
    await hover(link);
    await filled(peek);
    expect(words(part(cardOf(peek), 'title'))).to.equal(`Session ${session}`);
    expect(part(cardOf(peek), 'toggle')).to.equal(null);
    expect(peek.matches(':state(open)')).to.equal(true);
    expect(gateway.count(session)).to.equal(1);
    await away();
    await gone(peek);
    expect(popoverOf(peek)).to.equal(null);
    expect(link.hasAttribute('aria-describedby')).to.equal(false);
  });

  it('stays while the pointer travels into it and rests there', async () => {
    const { peek, link } = await around(fresh());
    await hover(link);
    await filled(peek);
    const [, top] = middle(link);
    const box = cardOf(peek).getBoundingClientRect();
    for (const y of [top + 8, box.top + 2, box.top + 20])
      await sendMouse({ type: 'move', position: [Math.round(box.left + 20), Math.round(y)] });
    await tick(200);
    expect(isShown(peek)).to.equal(true);
    await away();
    await gone(peek);
  });

  it('lies beside a row and below a word, and never over what it belongs to', async () => {
    const { peek, link } = await around(fresh());
    await hover(link);
    await filled(peek);
    expect(cardOf(peek).getBoundingClientRect().top).to.be.at.least(link.getBoundingClientRect().bottom);
    await away();
    await gone(peek);
    const one = await list([fresh()]);
    await hover(one.links[0]!);
    await filled(one.peek);
    expect(cardOf(one.peek).getBoundingClientRect().left).to.be.at.least(one.links[0]!.getBoundingClientRect().right);
  });

  it('is placed by measuring where the engine cannot anchor', async () => {
    const { supports } = CSS;
    CSS.supports = ((...asked: [string]) => !String(asked[0]).includes('position-area') && supports.apply(CSS, asked)) as typeof supports;
    try {
      const { peek, link } = await around(fresh());
      link.parentElement!.parentElement!.style.cssText = 'position: fixed; left: 20px; bottom: 10px; margin: 0';
      await hover(link);
      await filled(peek);
      await until(() => cardOf(peek).getBoundingClientRect().bottom <= link.getBoundingClientRect().top + 1, 'it is above');
      const box = popoverOf(peek)!.getBoundingClientRect();
      expect(box.left).to.be.at.least(0);
      expect(box.right).to.be.at.most(innerWidth);
    } finally {
      CSS.supports = supports;
    }
  });

  it('turns to the other side at the edge of the window', async () => {
    const { peek, link } = await around(fresh());
    link.parentElement!.parentElement!.style.cssText =
      'position: fixed; right: 10px; bottom: 10px; margin: 0; padding: 0; white-space: nowrap';
    await hover(link);
    await filled(peek);
    const box = cardOf(peek).getBoundingClientRect();
    expect(box.bottom).to.be.at.most(link.getBoundingClientRect().top + 1);
    expect(box.right).to.be.at.most(document.documentElement.clientWidth);
    expect(box.left).to.be.at.least(0);
  });

  it('is dismissed by Escape without moving anything, and comes again for who comes again', async () => {
    const { peek, link } = await around(fresh());
    await hover(link);
    await filled(peek);
    await sendKeys({ press: 'Escape' });
    await gone(peek);
    const [x, y] = middle(link);
    await sendMouse({ type: 'move', position: [x + 3, y] });
    await tick(250);
    expect(isShown(peek)).to.equal(false);
    await away();
    await hover(link);
    await shown(peek);
  });

  it('goes when its reference is followed, scrolled out of sight, or taken away', async () => {
    const { peek, link } = await around(fresh());
    await hover(link);
    await filled(peek);
    const clicked: string[] = [];
    link.addEventListener('click', (event) => {
      event.preventDefault();
      clicked.push('click');
    });
    await sendMouse({ type: 'click', position: middle(link) });
    await gone(peek);
    expect(clicked).to.deep.equal(['click']);
    await tick(250);
    expect(isShown(peek)).to.equal(false);
    await away();
    await hover(link);
    await filled(peek);
    link.remove();
    await gone(peek);
    const one = await list([fresh()]);
    const scroller = one.links[0]!.parentElement!;
    scroller.style.cssText += '; block-size: 60px; overflow: auto';
    scroller.append(Object.assign(document.createElement('div'), { style: 'block-size: 900px; flex: none' }));
    await hover(one.links[0]!);
    await filled(one.peek);
    scroller.scrollTop = 400;
    await gone(one.peek);
  });

  it('is one at a time, and the next comes at once while the reader goes through them', async () => {
    // The one before this has to be forgotten first.
    await tick(700);
    const names = [fresh(), fresh(), fresh()];
    const one = await list(names);
    const other = await around(fresh());
    one.peek.setAttribute('show-delay', '1500');
    await one.peek.updateComplete;
    const began = performance.now();
    await hover(one.links[0]!);
    await filled(one.peek);
    expect(performance.now() - began).to.be.above(1400);
    await hover(one.links[1]!);
    await until(() => isShown(one.peek) && words(part(cardOf(one.peek), 'title')) === `Session ${names[1]}`, 'the next one');
    expect(performance.now() - began).to.be.below(1500 + 1500);
    await hover(other.link);
    await filled(other.peek);
    expect(isShown(one.peek)).to.equal(false);
    expect(document.querySelectorAll(':popover-open').length).to.equal(1);
  });

  it('costs nothing for a thousand references that the pointer only passes', async () => {
    const one = await list(Array.from({ length: 1000 }, (_, index) => `none-${index}`));
    for (const link of one.links.slice(0, 8)) await hover(link);
    await away();
    await tick(250);
    expect(gateway.count('/stream')).to.equal(0);
    expect(isShown(one.peek)).to.equal(false);
    expect(document.querySelectorAll('progress-card').length).to.equal(0);
  });

  it('fetches ahead while it waits, opens the stream only when it shows, and closes it afterwards', async () => {
    await tick(700);
    const session = fresh();
    const one = await list([session]);
    one.peek.setAttribute('show-delay', '800');
    await one.peek.updateComplete;
    await hover(one.links[0]!);
    await until(() => gateway.count(session) === 1, 'the snapshot is fetched');
    expect(gateway.count('/stream')).to.equal(0);
    await filled(one.peek);
    await until(() => gateway.open === 1, 'the stream is open');
    expect(gateway.count(session)).to.equal(1);
    one.peek.remove();
    await until(() => gateway.open === 0, 'the stream is closed');
  });
});

describe('by keyboard, a card', () => {
  it('comes with the focus and goes with it', async () => {
    const one = await list([fresh(), fresh()]);
    one.before.focus();
    await sendKeys({ press: 'Tab' });
    expect(document.activeElement).to.equal(one.links[0]);
    await filled(one.peek);
    await sendKeys({ press: 'Tab' });
    expect(document.activeElement).to.equal(one.links[1]);
    await until(() => one.peek.reference === one.links[1], 'the neighbour’s card');
    await sendKeys({ press: 'Escape' });
    await gone(one.peek);
    expect(document.activeElement).to.equal(one.links[1]);
    await tick(250);
    expect(isShown(one.peek)).to.equal(false);
  });

  it('is a description where there is nothing to use in it', async () => {
    const session = fresh();
    const one = await list([session]);
    one.links[0]!.setAttribute('aria-describedby', 'own');
    one.before.focus();
    await sendKeys({ press: 'Tab' });
    await filled(one.peek);
    const popover = popoverOf(one.peek)!;
    await until(() => popover.getAttribute('role') === 'tooltip', 'it has its role');
    const [own, id] = one.links[0]!.getAttribute('aria-describedby')!.split(' ');
    expect(own).to.equal('own');
    const line = `Session ${session}: working. Repair the session owner. 1 of 3 completed.`;
    await until(() => words(document.getElementById(id!)) === line, 'the description');
    expect(one.links[0]!.hasAttribute('aria-details')).to.equal(false);
    await sendKeys({ press: 'Tab' });
    expect(document.activeElement).to.equal(one.after);
    await gone(one.peek);
    expect(one.links[0]!.getAttribute('aria-describedby')).to.equal('own');
  });

  it('is gone into by Tab where there is, and left behind its reference', async () => {
    const session = fresh({ operations: [operation({ run: 'r', message: 'm', error: { message: 'Broken' } })] });
    const one = await list([session, 'none']);
    one.before.focus();
    await sendKeys({ press: 'Tab' });
    await filled(one.peek);
    const popover = popoverOf(one.peek)!;
    await until(() => popover.getAttribute('role') === 'dialog', 'it has its role');
    expect(popover.getAttribute('aria-label')).to.equal(`Session ${session}`);
    expect(one.links[0]!.getAttribute('aria-details')).to.equal(popover.id);
    await sendKeys({ press: 'Tab' });
    expect(popover.contains(document.activeElement)).to.equal(true);
    await tick(200);
    expect(isShown(one.peek)).to.equal(true);
    document.activeElement!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Tab', shiftKey: true, bubbles: true, cancelable: true, composed: true }),
    );
    expect(document.activeElement).to.equal(one.links[0]);
    expect(isShown(one.peek)).to.equal(true);
    await sendKeys({ press: 'Tab' });
    await sendKeys({ press: 'Tab' });
    expect(document.activeElement).to.equal(one.links[1]);
    await until(() => one.peek.reference !== one.links[0], 'the card is gone');
  });

  it('gives the focus back by Escape', async () => {
    const session = fresh({ operations: [operation({ run: 'r', message: 'm', error: { message: 'Broken' } })] });
    const { peek, link } = await around(session);
    peek.show(link);
    await filled(peek);
    await until(() => popoverOf(peek)!.getAttribute('role') === 'dialog', 'it can be used');
    link.focus();
    await sendKeys({ press: 'Tab' });
    expect(popoverOf(peek)!.contains(document.activeElement)).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await gone(peek);
    expect(document.activeElement).to.equal(link);
  });
});

describe('by touch, a card', () => {
  const touch = (link: HTMLElement, type: string, over: object = {}): boolean => {
    const [clientX, clientY] = middle(link);
    const init = { bubbles: true, cancelable: true, composed: true, pointerType: 'touch', isPrimary: true, clientX, clientY, ...over };
    return link.dispatchEvent(new PointerEvent(type, init));
  };

  it('comes when a finger rests, and lifting it is no click', async () => {
    const { peek, link } = await around(fresh());
    let clicks = 0;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      clicks++;
    });
    touch(link, 'pointerdown');
    await filled(peek);
    expect(touch(link, 'contextmenu')).to.equal(false);
    touch(link, 'pointerup');
    touch(link, 'click');
    expect(clicks).to.equal(0);
    expect(isShown(peek)).to.equal(true);
    touch(link, 'pointerdown');
    touch(link, 'pointerup');
    touch(link, 'click');
    expect(clicks).to.equal(1);
    await gone(peek);
  });

  it('does not come for a tap or a finger that scrolls, and goes with a tap elsewhere', async () => {
    const { peek, link } = await around(fresh());
    let clicks = 0;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      clicks++;
    });
    touch(link, 'pointerover');
    touch(link, 'pointerdown');
    touch(link, 'pointerup');
    touch(link, 'click');
    touch(link, 'pointerdown');
    touch(link, 'pointermove', { clientY: 500 });
    await tick(700);
    expect(isShown(peek)).to.equal(false);
    expect(clicks).to.equal(1);
    expect(touch(link, 'contextmenu', { pointerType: 'mouse' })).to.equal(true);
    touch(link, 'pointerdown');
    await filled(peek);
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch' }));
    await gone(peek);
    expect(link.hasAttribute('style')).to.equal(false);
  });
});

describe('what a hover card says', () => {
  it('while it loads, when there is nothing yet, and then', async () => {
    const session = fresh({ card: null, operations: [] });
    let go = (): void => {};
    gateway.wait = new Promise((resolve) => (go = resolve));
    const { peek, link } = await around(session);
    await hover(link);
    await shown(peek);
    await until(() => words(cardOf(peek).shadowRoot!.querySelector('.loading')) === 'Loading…', 'it says that it loads');
    go();
    await until(() => words(cardOf(peek).shadowRoot!.querySelector('.empty')) === 'Nothing has been reported yet.', 'it says so');
    await until(
      () => words(document.getElementById(link.getAttribute('aria-describedby')!)).includes('Nothing has been reported'),
      'in words too',
    );
  });

  it('nothing at all to those who may not read the session, and it is not asked for again', async () => {
    const session = fresh();
    gateway.has.set(session, 403);
    const { peek, link } = await around(session);
    await hover(link);
    await until(() => gateway.count(session) === 1, 'it was asked for');
    await tick(500);
    expect(popoverOf(peek)).to.equal(null);
    expect(link.hasAttribute('aria-describedby')).to.equal(false);
    await away();
    await tick();
    await hover(link);
    await tick(400);
    expect(gateway.count(session)).to.equal(1);
    expect(popoverOf(peek)).to.equal(null);
  });

  it('that it could not be loaded, and tries again', async () => {
    const session = fresh();
    gateway.has.set(session, 404);
    const { peek, link } = await around(session);
    await hover(link);
    await shown(peek);
    await until(() => !!part(cardOf(peek), 'retry'), 'it says so');
    expect(words(part(cardOf(peek), 'problem'))).to.contain('There is no such session.');
    gateway.has.set(session, snapshot(session));
    part(cardOf(peek), 'retry')!.click();
    await filled(peek);
  });

  it('first of all the bar of its note', async () => {
    const session = fresh({ card: { plan: steps, markdown: 'Tests run.\n\n<progress value="3" max="7"></progress>' } });
    const { peek, link } = await around(session);
    await hover(link);
    await until(() => isShown(peek) && !!part(cardOf(peek), 'promoted'), 'the bar is there');
    expect(words(part(cardOf(peek), 'promoted'))).to.equal(`Session ${session} · 3/7`);
  });

  it('of a session that the page holds itself', async () => {
    const { peek, link } = await around('x');
    const asked: string[] = [];
    const state = { session: undefined, error: 'Sign in first.' };
    peek.openSession = (session) => {
      asked.push(session);
      return { getSnapshot: () => state, subscribe: () => () => {}, retry() {} };
    };
    await hover(link);
    await shown(peek);
    expect(asked).to.deep.equal(['/v1/sessions/x']);
    expect(gateway.asked).to.deep.equal([]);
    await until(() => words(part(cardOf(peek), 'problem')).includes('Sign in first.'), 'it says so');
  });

  it('as it stands at a real gateway', async () => {
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const session = `peek-${crypto.randomUUID()}`;
    const put = (body: object): Promise<Response> =>
      fetch(`${url}/v1/sessions/${session}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    gateway.restore();
    expect((await put({ type: 'run', session, run: 'r', state: 'running', at: Date.now() })).ok).to.equal(true);
    expect((await put({ type: 'card', session, run: 'r', revision: 1, at: Date.now(), card: { plan: steps } })).ok).to.equal(true);
    const { peek, link } = await around('x');
    link.dataset['progressSession'] = `${url}/v1/sessions/${session}`;
    await hover(link);
    await filled(peek);
    const next = steps.map(({ step }) => ({ step, status: 'completed' }));
    await put({ type: 'card', session, run: 'r', revision: 2, at: Date.now(), card: { plan: next } });
    await until(() => words(part(cardOf(peek), 'counts')) === '3 of 3 completed', 'what is new is shown');
  });

  it('is in the accessibility tree', async () => {
    const session = fresh({ operations: [operation({ run: 'r', message: 'm', error: { message: 'Broken' } })] });
    const { peek, link } = await around(session);
    link.focus();
    peek.show(link);
    await filled(peek);
    await until(() => popoverOf(peek)!.getAttribute('role') === 'dialog', 'it has its role');
    interface Node {
      readonly role: string;
      readonly name?: string;
      readonly description?: string;
      readonly children?: readonly Node[];
    }
    const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
    // Only Chromium tells, and what it tells comes a moment later.
    const line = `Session ${session}: working. Repair the session owner. 1 of 3 completed.`;
    for (let tries = 0; navigator.userAgent.includes('Chrome/'); tries++) {
      const nodes = all((await a11ySnapshot({})) as unknown as Node);
      const said = nodes.find(({ role }) => role === 'link');
      const used = nodes.filter(({ role }) => role === 'button' || role === 'progressbar').map(({ role, name }) => `${role} ${name}`);
      if (tries < 50 && (said?.description !== line || used.length < 2)) continue;
      expect([said?.name, said?.description]).to.deep.equal(['Fix the build', line]);
      expect(used).to.deep.equal(['button Building project', 'progressbar Building project']);
      break;
    }
  });
});
