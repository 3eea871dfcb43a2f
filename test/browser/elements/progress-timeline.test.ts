import { expect, fixture, html } from '@open-wc/testing';
import { createHistory, createStore } from '@sitrep/client';
import type { SourceSink } from '@sitrep/client';
import type { Operation } from '@sitrep/schema';
import '@sitrep/elements/define/progress-provider';
import '@sitrep/elements/define/progress-timeline';
import type { ProgressScrubEvent } from '@sitrep/elements';
import { create, drawn, expectNoOverflow, listen, operation, part, run, until, words, type Element } from './support.ts';

const T = Date.UTC(2026, 0, 5, 14, 3, 0);
const at = (id: string, from: number, to: number, over: Partial<Operation> = {}): Operation =>
  operation({
    id,
    title: `Task ${id}`,
    state: 'completed',
    startedAt: T + from * 1000,
    endedAt: T + to * 1000,
    updatedAt: T + to * 1000,
    ...over,
  });
const draw = async (operations: readonly Operation[], more: object = {}, dir = 'ltr'): Promise<Element> => {
  const element = create('progress-timeline');
  Object.assign(element, { operations, ...more });
  const box = await fixture<HTMLElement>(html`<main dir=${dir}></main>`);
  box.append(element);
  await drawn(element);
  return element;
};
const rows = (element: HTMLElement): HTMLElement[] => [...element.shadowRoot!.querySelectorAll<HTMLElement>('.rows > [role=row]')];
const row = (element: HTMLElement, title: string): HTMLElement =>
  rows(element).find((one) => words(one.querySelector('[part=title]')) === title)!;
const cells = (one: HTMLElement): string[] => [...one.querySelectorAll('.side [role=gridcell]')].map(words);
const bar = (one: HTMLElement): DOMRect => one.querySelector('[part=bar]')!.getBoundingClientRect();
const slider = (element: HTMLElement): HTMLInputElement | null => element.shadowRoot!.querySelector('[type=range]');

describe('progress-timeline', () => {
  it('draws bars by start and end on one axis, and says the same in words', async () => {
    const element = await draw([at('a', 0, 10), at('b', 10, 20, { state: 'failed' }), at('c', 5, 15)], { lang: 'en' });
    const [a, b, c] = ['Task a', 'Task b', 'Task c'].map((title) => bar(row(element, title)));
    const track = element.shadowRoot!.querySelector('.ticks')!.getBoundingClientRect();
    expect(a!.left).to.be.closeTo(track.left, 1);
    expect(b!.right).to.be.closeTo(track.right, 1);
    expect(a!.right).to.be.closeTo(b!.left, 1);
    expect(c!.left).to.be.closeTo(a!.left + a!.width / 2, 1);
    const [name, state, start, took] = cells(row(element, 'Task b'));
    expect([name, state, took]).to.deep.equal(['Task b', 'failed', '10 sec']);
    expect(start).to.match(/\d?\d:\d\d:10/);
    expect(row(element, 'Task b').querySelector('.track')!.getAttribute('aria-hidden')).to.equal('true');
  });

  it('runs in the direction of the text', async () => {
    const element = await draw([at('a', 0, 10), at('b', 10, 20)], {}, 'rtl');
    expect(bar(row(element, 'Task a')).left).to.be.closeTo(bar(row(element, 'Task b')).right, 1);
  });

  it('has columns with names, and rows in a treegrid', async () => {
    const element = await draw([at('a', 0, 10), at('b', 1, 9, { parent: 'a' })], { heading: 'Turn' });
    const grid = part(element, 'list')!;
    expect([grid.getAttribute('role'), grid.ariaLabel, grid.getAttribute('aria-rowcount')]).to.deep.equal(['treegrid', 'Turn', '3']);
    expect([...grid.querySelectorAll('[role=columnheader]')].map(words)).to.deep.equal(['Operation', 'State', 'Start', 'Duration']);
    expect(row(element, 'Task b').ariaLevel).to.equal('2');
    row(element, 'Task a').focus();
    row(element, 'Task a').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }));
    await drawn(element);
    expect(rows(element).length).to.equal(1);
    await expect(element).to.be.accessible();
  });

  it('shows what has no start as a point, and bears times that cannot be', async () => {
    const { startedAt: _none, ...unstarted } = at('a', 0, 10);
    const odd = [unstarted, at('b', 0, 5, { startedAt: 9e20 }), at('c', 3, 4, { endedAt: T - 9_999_999 }), at('d', 0, 8)];
    const element = await draw(odd);
    expect(row(element, 'Task a').querySelector('.point')).to.not.equal(null);
    expect(cells(row(element, 'Task a'))[2]).to.equal('start unknown');
    expect(row(element, 'Task b').querySelector('.point')).to.not.equal(null);
    expect(bar(row(element, 'Task c')).width).to.be.below(6);
  });

  it('holds what is said to begin before its run to the run', async () => {
    const runs = [run({ run: 'r', startedAt: T, endedAt: T + 10_000, state: 'completed' })];
    const element = await draw([at('a', 0, 10, { run: 'r', startedAt: 0 }), at('b', 5, 10, { run: 'r' })], { runs });
    expect(bar(row(element, 'Task b')).width).to.be.closeTo(bar(row(element, 'Task a')).width / 2, 2);
  });

  it('draws as a line the times in which it saw an operation held', async () => {
    const now = Date.now();
    const live = operation({ id: 'a', title: 'Push', activeTitle: 'Push', startedAt: now - 10_000, updatedAt: now - 10_000 });
    const element = await draw([live]);
    element['operations'] = [{ ...live, state: 'blocked', updatedAt: now - 6000 }];
    await drawn(element);
    await until(() => row(element, 'Push').querySelectorAll('.held.blocked').length === 1, 'it is held');
    element['operations'] = [{ ...live, state: 'running', updatedAt: now - 2000 }];
    await drawn(element);
    const held = row(element, 'Push').querySelector('.held')!.getBoundingClientRect();
    expect(held.width / bar(row(element, 'Push')).width).to.be.closeTo(0.4, 0.1);
  });

  it('looks closer, less close, and at everything', async () => {
    const element = await draw([at('a', 0, 10), at('b', 10, 20)]);
    const width = (): number => bar(row(element, 'Task a')).width;
    const fits = width();
    const [less, fit, more] = element.shadowRoot!.querySelectorAll<HTMLElement>('[part=zoom]');
    more!.click();
    expect(width() / fits).to.be.closeTo(1.63, 0.1);
    row(element, 'Task a').dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true, cancelable: true }));
    expect(width() / fits).to.be.closeTo(2.65, 0.2);
    less!.click();
    expect(width() / fits).to.be.closeTo(1.63, 0.1);
    fit!.click();
    expect(width()).to.be.closeTo(fits, 1);
  });

  it('draws only rows in sight of thousands, and fits a narrow place', async () => {
    const many = Array.from({ length: 4000 }, (_none, index) => at(String(index), index, index + 3));
    expect(rows(await draw(many)).length).to.be.within(5, 70);
    for (const width of [200, 240, 500, 900]) {
      const box = await fixture<HTMLElement>(html`<div></div>`);
      box.style.inlineSize = `${width}px`;
      const element = create('progress-timeline');
      Object.assign(element, {
        heading: 'A rather long heading',
        operations: [at('a', 0, 9, { title: 'word '.repeat(40) }), at('b', 3, 20)],
      });
      box.append(element);
      await drawn(element);
      expectNoOverflow(element);
    }
  });
});

describe('progress-timeline: history', () => {
  let sink: SourceSink | undefined;
  let seq = 0;
  const send = (time: number, event: object): void => sink!.frame({ session: 's', at: T + time * 1000, ...event }, `e:${++seq}`);
  const lived = async (kept = true): Promise<Element> => {
    seq = 0;
    const store = createStore({
      ...(kept && { history: createHistory() }),
      source: {
        open: async (to, signal) => {
          (sink = to).connection('live');
          send(0, { type: 'operation', id: 'a', title: 'Build', state: 'running', startedAt: T });
          send(4, { type: 'operation', id: 'b', title: 'Test', state: 'running', startedAt: T + 4000 });
          send(8, { type: 'operation', id: 'a', state: 'failed', endedAt: T + 8000 });
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
    });
    const box = await fixture<HTMLElement>(
      html`<progress-provider .store=${store}><progress-timeline lang="en"></progress-timeline></progress-provider>`,
    );
    const element = box.querySelector<Element>('progress-timeline')!;
    await until(() => rows(element).length === 2, 'it is drawn');
    return element;
  };
  const scrub = async (element: Element, to: number): Promise<void> => {
    const input = slider(element)!;
    input.value = String(to);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await drawn(element);
  };

  it('has no slider where no history is kept', async () => {
    expect(slider(await lived(false))).to.equal(null);
    expect(slider(await draw([at('a', 0, 1)]))).to.equal(null);
  });

  it('goes back, says so, tells the page, and comes back', async () => {
    const element = await lived();
    await until(() => slider(element) !== null, 'history is offered');
    const input = slider(element)!;
    expect([input.min, input.max, input.value, input.ariaLabel]).to.deep.equal(['1', '3', '3', 'History']);
    expect(input.getAttribute('aria-valuetext')).to.equal('live, 2 of 2 changes');
    expect(words(part(element, 'since'))).to.match(/^History begins at .*03:00/);
    const told: ProgressScrubEvent[] = [];
    element.addEventListener('progress-scrub', (event) => told.push(event as ProgressScrubEvent));
    await scrub(element, 2);
    expect(words(part(element, 'then'))).to.match(/^As of .*03:04/);
    expect(slider(element)!.getAttribute('aria-valuetext')).to.match(/^As of .*03:04.*, 1 of 2 changes$/);
    expect(cells(row(element, 'Build'))[1]).to.equal('running');
    expect(element.matches(':state(past)')).to.equal(true);
    await scrub(element, 1);
    expect(rows(element).length).to.equal(1);
    expect(told.map((event) => [event.seq, event.at, event.session?.operations.length])).to.deep.equal([
      [2, T + 4000, 2],
      [1, T, 1],
    ]);
    part(element, 'live')!.click();
    await drawn(element);
    expect(cells(row(element, 'Build'))[1]).to.equal('failed');
    expect(part(element, 'then')).to.equal(null);
    expect(told.at(-1)!.seq).to.equal(undefined);
    await expect(element).to.be.accessible();
  });

  it('says nothing of what happens while the past is shown, nor of it afterwards', async () => {
    const element = await lived();
    await until(() => slider(element) !== null, 'history is offered');
    await scrub(element, 1);
    const { said, stop } = listen(true);
    send(9, { type: 'operation', id: 'b', state: 'failed', endedAt: T + 9000 });
    await until(() => slider(element)!.max === '4', 'it has come');
    expect(rows(element).length).to.equal(1);
    part(element, 'live')!.click();
    await drawn(element);
    await until(() => words(row(element, 'Test')).includes('failed'), 'it is back');
    send(10, { type: 'operation', id: 'c', title: 'Ship', state: 'failed', endedAt: T + 10_000 });
    await until(() => said.some((one) => one.includes('Ship')), 'what comes now is said');
    stop();
    expect(said.filter((one) => one.includes('Test: failed'))).to.deep.equal([]);
  });

  const past = (key: string, title: string, source?: (to: SourceSink) => void): ReturnType<typeof createStore> =>
    createStore({
      history: createHistory(),
      source: {
        open: async (to, signal) => {
          to.connection('live');
          to.frame({ session: key, at: T, type: 'operation', id: 'a', title, state: 'running', startedAt: T }, 'e:1');
          to.frame({ session: key, at: T + 1000, type: 'operation', id: 'a', state: 'running', current: 1 }, 'e:2');
          to.frame({ session: key, at: T + 2000, type: 'operation', id: 'a', state: 'running', current: 2 }, 'e:3');
          source?.(to);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
    });

  it('leaves the past of one session when another is shown, and tells the page', async () => {
    const [first, second] = [past('one', 'First'), past('two', 'Second')];
    const box = await fixture<HTMLElement & { store: unknown }>(
      html`<progress-provider .store=${first}><progress-timeline lang="en"></progress-timeline></progress-provider>`,
    );
    const element = box.querySelector<Element>('progress-timeline')!;
    await until(() => slider(element) !== null, 'history is offered');
    await scrub(element, 2);
    expect(part(element, 'then')).to.not.equal(null);
    const told: ProgressScrubEvent[] = [];
    element.addEventListener('progress-scrub', (event) => told.push(event as ProgressScrubEvent));
    box.store = second;
    await until(() => rows(element).some((shown) => words(shown).includes('Second')), 'the other session is shown');
    expect(part(element, 'then')).to.equal(null);
    expect(element.matches(':state(past)')).to.equal(false);
    expect(told.map((event) => [event.seq, event.session])).to.deep.equal([[undefined, undefined]]);
  });

  it('leaves the past when the session begins anew, keeps the focus, and says nothing of what was missed', async () => {
    let later: SourceSink | undefined;
    const store = past('anew', 'Build', (to) => (later = to));
    const box = await fixture<HTMLElement>(
      html`<progress-provider .store=${store}><progress-timeline lang="en"></progress-timeline></progress-provider>`,
    );
    const element = box.querySelector<Element>('progress-timeline')!;
    await until(() => slider(element) !== null, 'history is offered');
    await scrub(element, 2);
    part(element, 'live')!.focus();
    const { said, stop } = listen(true);
    for (let step = 1; step <= 4; step++)
      later!.frame(
        { session: 'anew', at: T + step * 5000, type: 'operation', id: 'a', state: step === 4 ? 'failed' : 'running', current: 9 + step },
        `f:${step}`,
      );
    await until(() => part(element, 'then') === null, 'it is live again');
    expect(words(row(element, 'Build'))).to.contain('failed');
    expect(element.shadowRoot!.activeElement).to.equal(slider(element));
    later!.frame({ session: 'anew', at: T + 30_000, type: 'operation', id: 'b', title: 'Publish', state: 'failed' }, 'f:5');
    await until(() => said.some((one) => one.includes('Publish')), 'what comes now is said');
    stop();
    expect(said.filter((one) => one.includes('Build'))).to.deep.equal([]);
  });

  it('looks back at a session of a gateway by its address, and comes back without a word', async function () {
    this.timeout(60_000);
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const session = `timeline-${crypto.randomUUID()}`;
    const address = `${url}/v1/sessions/${session}`;
    const started = Date.now() - 60_000;
    const post = async (time: number, ...events: readonly object[]): Promise<void> => {
      const body = JSON.stringify(events.map((event) => ({ type: 'operation', session, at: started + time, ...event })));
      const { status } = await fetch(`${address}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      expect(status).to.equal(200);
    };
    await post(0, { id: 'a', title: 'Build', state: 'running', startedAt: started });
    const box = await fixture<HTMLElement>(html`<div><progress-timeline lang="en" src=${address}></progress-timeline></div>`);
    const element = box.querySelector<Element>('progress-timeline')!;
    /** For what takes longer than one wait. */
    const after = async (condition: () => boolean, what: string): Promise<void> => {
      for (let tries = 0; tries < 6 && !condition(); tries++) await until(condition, what).catch(() => {});
      expect(condition(), what).to.equal(true);
    };
    await after(() => rows(element).length === 1, 'it is loaded');
    for (let current = 1; current <= 40 && !slider(element); current++) {
      await post(current * 100, { id: 'a', state: 'running', current, total: 100 });
      await until(() => slider(element) !== null, 'history is kept').catch(() => {});
    }
    await post(10_000, { id: 'a', state: 'running', current: 50, total: 100 }, { id: 'b', title: 'Test', state: 'running' });
    await after(() => rows(element).length === 2, 'it goes on');
    await scrub(element, Number(slider(element)!.min));
    expect(words(part(element, 'then'))).to.match(/^As of /);
    expect(rows(element).length).to.equal(1);
    const { said, stop } = listen(true);
    const { max } = slider(element)!;
    await post(12_000, { id: 'a', state: 'failed', endedAt: started + 12_000 });
    await after(() => slider(element)!.max !== max, 'what happens meanwhile lengthens the history');
    expect(words(row(element, 'Build'))).to.contain('running');
    part(element, 'live')!.click();
    await after(() => words(row(element, 'Build')).includes('failed'), 'it is back');
    expect(slider(element)!.getAttribute('aria-valuetext')).to.match(/^live/);
    await post(13_000, { id: 'b', state: 'failed', endedAt: started + 13_000 });
    await after(() => said.some((one) => one.includes('Test')), 'what comes now is said');
    stop();
    expect(said.filter((one) => one.includes('Build'))).to.deep.equal([]);
  });
});
