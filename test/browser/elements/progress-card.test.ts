import { aTimeout, expect, fixture, html, oneEvent } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import '@sitrep/elements/define/progress-card';
import type { CardRecord, Operation } from '@sitrep/schema';
import { allWords, create, drawn, expectNoOverflow, listen, operation, part, run, until, words, type Element } from './support.ts';

const steps: NonNullable<NonNullable<CardRecord['card']>['plan']> = [
  { step: 'Inspect', status: 'completed' },
  { step: 'Repair', status: 'in_progress' },
  { step: 'Verify', status: 'pending' },
];
const record = (card: CardRecord['card'], over: Partial<CardRecord> = {}): CardRecord => ({
  revision: 1,
  updatedAt: Date.now(),
  card,
  ...over,
});
const draw = async (properties: Record<string, unknown>): Promise<Element> => {
  const element = create('progress-card');
  Object.assign(element, properties);
  const box = await fixture<HTMLElement>(html`<div></div>`);
  box.append(element);
  await drawn(element);
  return element;
};
const items = (element: HTMLElement): readonly string[] => [...element.shadowRoot!.querySelectorAll('ol > li')].map(words);
const toggle = (element: HTMLElement): HTMLButtonElement | null => element.shadowRoot!.querySelector('button[part~=toggle]');
const pill = (element: HTMLElement): string => words(part(element, 'pill')).toLowerCase();

describe('progress-card: accessibility', () => {
  it('shows the plan as an ordered list with a word for each step and one current step', async () => {
    const element = await draw({ card: record({ plan: steps }), runs: [run()], open: true });
    expect(items(element)).to.deep.equal(['Inspect, completed', 'Repair, in progress', 'Verify, to do']);
    expect(element.shadowRoot!.querySelectorAll('[aria-current=step]').length).to.equal(1);
    expect(words(part(element, 'counts'))).to.equal('1 of 3 completed');
    await expect(element).to.be.accessible();
  });

  it('has no axe violation with everything in it', async () => {
    const markdown =
      '# Title\n\ntext [link](https://example.org)\n\n<progress value="3" max="7"></progress>\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done';
    const element = await draw({
      heading: 'Everything',
      card: record({ plan: steps, markdown }),
      operations: [operation({ current: 1, total: 2 }), operation({ id: 2, parent: 'a', state: 'failed' })],
      runs: [run()],
      open: true,
    });
    await until(() => element.shadowRoot!.querySelector('table') !== null, 'the note is laid out');
    await expect(element).to.be.accessible();
  });

  it('has no live region of its own: the page has one voice', async () => {
    const element = await draw({ operations: [operation()] });
    expect(element.shadowRoot!.querySelectorAll('[role=status], [aria-live], [role=alert]').length).to.equal(0);
  });

  for (const notifies of [true, false]) {
    it(`speaks boundaries once each, and neither values nor what was there before, ${notifies ? 'to the browser' : 'through regions'}`, async () => {
      const heard = listen(notifies);
      const first = [operation({ id: 'old', activeTitle: 'Old' })];
      const cards = [await draw({ operations: first }), await draw({ operations: first })];
      const show = async (over: Partial<Operation>): Promise<void> => {
        for (const element of cards) {
          element['operations'] = [operation({ id: 'old', activeTitle: 'Old' }), operation({ id: 'new', activeTitle: 'New', ...over })];
          await drawn(element);
        }
      };
      const said = (count: number): Promise<void> => until(() => heard.said.length >= count, `${count} are said`);
      for (let current = 0; current <= 30; current++) await show({ current, total: 30 });
      await said(1);
      await show({ state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which one?' } });
      await said(2);
      await show({ state: 'running' });
      await show({ state: 'failed' });
      await show({ state: 'failed', usage: { tokens: 4 } });
      await said(3);
      await aTimeout(150);
      heard.stop();
      expect(heard.said).to.deep.equal([
        'polite: New: started.',
        'polite: New: needs you: Which one?',
        'assertive: Build project: failed.',
      ]);
    });
  }

  it('says milestones only where they are asked for, and never two in a hurry', async () => {
    const heard = listen(false);
    const quiet = await draw({ operations: [operation({ current: 0, total: 100 })] });
    const element = await draw({ operations: [operation({ current: 0, total: 100 })], milestones: true });
    for (const current of [10, 26, 30, 51, 76]) {
      for (const one of [quiet, element]) {
        one['operations'] = [operation({ current, total: 100 })];
        await drawn(one);
      }
    }
    await until(() => heard.said.length > 0, 'one is said');
    await aTimeout(150);
    heard.stop();
    expect(heard.said).to.deep.equal(['polite: Building project: 25%.']);
  });

  it('says a flood in three sentences and how many there were besides', async () => {
    const heard = listen(false);
    const element = await draw({ operations: [operation({ id: 'old' })] });
    const many = (state: 'running' | 'completed') =>
      Array.from({ length: 9 }, (_none, id) => operation({ id, title: `T${id}`, activeTitle: `T${id}`, state }));
    element['operations'] = many('running');
    await until(() => heard.said.length > 0, 'it is said');
    heard.stop();
    expect(heard.said).to.deep.equal(['polite: T6: started. T7: started. T8: started. 6 more.']);
  });
});

describe('progress-card: properties', () => {
  it('takes a bare card body as well as a record', async () => {
    expect(items(await draw({ card: { plan: steps }, open: true })).length).to.equal(3);
  });

  it('gives a card written before the run that is active neither its motion nor its outcome', async () => {
    const at = Date.now() - 60_000;
    const before = record({ plan: steps }, { updatedAt: at - 1000 });
    for (const state of ['running', 'completed'] as const) {
      const element = await draw({ card: before, runs: [run({ state, startedAt: at })], open: true });
      expect(items(element)[1]).to.equal('Repair, paused');
    }
    const within = await draw({
      card: record({ plan: steps }),
      runs: [run({ state: 'completed', endedAt: Date.now() + 1000 })],
      open: true,
    });
    expect(items(within)[1]).to.equal('Repair, completed');
  });

  it('believes a bare card body while a run is active', async () => {
    const element = await draw({ card: { plan: steps }, runs: [run()], open: true });
    expect(items(element)[1]).to.equal('Repair, in progress');
    expect(pill(element)).to.equal('working');
    element['runs'] = [run({ state: 'completed' })];
    await drawn(element);
    expect(items(element)[1]).to.equal('Repair, paused');
  });

  it('draws the open step paused, in words and without motion, once no run is active', async () => {
    const element = await draw({
      card: record({ plan: steps }, { run: 'r' }),
      runs: [run({ state: 'interrupted', endedAt: Date.now() })],
      open: true,
    });
    expect(items(element)[1]).to.equal('Repair, paused');
    expect(element.shadowRoot!.querySelector('.moving') === null).to.equal(true);
    expect(words(part(element, 'counts'))).to.equal('1 of 3 completed');
  });

  it('says that a silent session is out of date, and stands still', async () => {
    const updatedAt = Date.now() - 3_600_000;
    const element = await draw({
      card: record({ plan: steps }, { updatedAt }),
      runs: [run({ startedAt: updatedAt - 1, updatedAt })],
      open: true,
    });
    expect(pill(element)).to.equal('out of date');
    expect(element.shadowRoot!.querySelector('.moving') === null).to.equal(true);
    expect(pill(await draw({ operations: [operation({ updatedAt: Date.now() - 60_000 })] }))).to.equal('quiet');
  });

  it('gives an open step that nobody vouches for the mark of what is paused, and says why', async () => {
    const updatedAt = Date.now() - 3_600_000;
    const element = await draw({ card: record({ plan: steps }, { updatedAt }), runs: [run({ startedAt: updatedAt - 1 })], open: true });
    expect(items(element)[1]).to.equal('Repair, out of date');
    const paused = await draw({ card: record({ plan: steps }, { run: 'r' }), runs: [run({ state: 'interrupted' })], open: true });
    const mark = (of: HTMLElement): string => of.shadowRoot!.querySelector('li:nth-child(2) path')!.getAttribute('d')!;
    expect(mark(element)).to.equal(mark(paused));
    expect(element.shadowRoot!.querySelectorAll('[aria-current=step]').length).to.equal(1);
  });

  it('closes on Escape', async () => {
    const element = await draw({ card: record({ plan: steps }), runs: [run()], open: true });
    part(element, 'body')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await drawn(element);
    expect(toggle(element)!.getAttribute('aria-expanded')).to.equal('false');
    expect(element.shadowRoot!.activeElement).to.equal(toggle(element));
  });

  it('keeps the step going while a run started by its run is active', async () => {
    const element = await draw({
      card: record({ plan: steps }, { run: 'r' }),
      runs: [run({ state: 'completed', endedAt: Date.now() }), run({ run: 'child', parent: 'r' })],
      open: true,
    });
    expect(items(element)[1]).to.equal('Repair, in progress');
  });

  it('is closed while work goes on, shows the current step, and opens at the end', async () => {
    const element = await draw({ card: record({ plan: steps }, { run: 'r' }), runs: [run()] });
    expect(toggle(element)!.getAttribute('aria-expanded')).to.equal('false');
    expect(words(part(element, 'current'))).to.equal('Repair, in progress');
    element['runs'] = [run({ state: 'completed', endedAt: Date.now() })];
    await drawn(element);
    expect(toggle(element)!.getAttribute('aria-expanded')).to.equal('true');
    toggle(element)!.click();
    await drawn(element);
    element['runs'] = [run({ state: 'failed', endedAt: Date.now() })];
    await drawn(element);
    expect(toggle(element)!.getAttribute('aria-expanded')).to.equal('false');
  });

  it('keeps what the reader opened, and the focus, with its operation, whatever comes and goes before it', async () => {
    const one = (id: string | number): Operation => operation({ id, activeTitle: `Op ${JSON.stringify(id)}` });
    const element = await draw({ operations: [one('a'), one('b'), one('c')], open: true });
    const rows = (): readonly string[] =>
      [...element.shadowRoot!.querySelectorAll<HTMLElement>('tool-progress')].map(
        (row) => `${words(part(row, 'title'))} ${part(row, 'toggle')!.getAttribute('aria-expanded')}`,
      );
    const second = element.shadowRoot!.querySelectorAll<HTMLElement>('tool-progress')[1]!;
    part(second, 'toggle')!.click();
    part(second, 'toggle')!.focus();
    const show = async (...ids: (string | number)[]): Promise<void> => {
      element['operations'] = ids.map(one);
      await drawn(element);
      expect(element.shadowRoot!.activeElement === second, 'the focus').to.equal(true);
      expect(second.shadowRoot!.activeElement === part(second, 'toggle'), 'the focus within').to.equal(true);
    };
    await show('b', 'c');
    expect(rows()).to.deep.equal(['Op "b" true', 'Op "c" false']);
    await show('new', 7, 'b', '7');
    expect(rows()).to.deep.equal(['Op "new" false', 'Op 7 false', 'Op "b" true', 'Op "7" false']);
    await show(...Array.from({ length: 29 }, (_, index) => index), 'b');
    await show(...Array.from({ length: 29 }, (_, index) => index), 'b', 'one more');
    expect(rows().slice(-2)).to.deep.equal(['Op "b" true', 'Op "one more" false']);
    await show('b', 'b', 'b');
    expect(rows()).to.deep.equal(['Op "b" true', 'Op "b" false', 'Op "b" false']);
  });

  it('nests operations under their parents, whatever their order, and survives circles', async () => {
    const element = await draw({
      operations: [
        operation({ id: 'child', parent: 'top', activeTitle: 'Child' }),
        operation({ id: 'top', activeTitle: 'Top' }),
        operation({ id: 'x', parent: 'y', activeTitle: 'X' }),
        operation({ id: 'y', parent: 'x', activeTitle: 'Y' }),
        operation({ id: 7, activeTitle: 'Number' }),
        operation({ id: 'of-text', parent: '7', activeTitle: 'Of text' }),
      ],
      open: true,
    });
    const roots = [...element.shadowRoot!.querySelectorAll<HTMLElement>('ul > li > tool-progress')];
    expect(roots.map((root) => words(part(root, 'title')))).to.deep.equal(['Top', 'X', 'Y', 'Number', 'Of text']);
  });

  it('shows the first thirty of many operations, newest kept, and the others on request', async () => {
    const element = await draw({ operations: Array.from({ length: 45 }, (_none, id) => operation({ id })), open: true });
    expect(element.shadowRoot!.querySelectorAll('ul > li').length).to.equal(30);
    [...element.shadowRoot!.querySelectorAll('button')].find((button) => words(button).startsWith('Show 15'))!.click();
    await drawn(element);
    expect(element.shadowRoot!.querySelectorAll('ul > li').length).to.equal(45);
  });

  it('says when it was last changed, and copes with times no clock can hold', async () => {
    expect(words(part(await draw({ card: record({ plan: steps }, { updatedAt: Date.now() - 125_000 }) }), 'updated'))).to.equal(
      'updated 2 min. ago',
    );
    expect(part(await draw({ card: record({ plan: steps }, { updatedAt: 9e15 }) }), 'updated')).to.equal(null);
    expect(words(part(await draw({ card: record({ plan: steps }, { updatedAt: Date.now() + 99_000 }) }), 'updated'))).to.equal(
      'updated just now',
    );
  });

  it('ends settled: done, failed, and neither while something still goes on', async () => {
    const all = steps.map(({ step }) => ({ step, status: 'completed' as const }));
    expect(pill(await draw({ card: record({ plan: all }), runs: [run({ state: 'completed' })] }))).to.equal('done');
    expect(pill(await draw({ operations: [operation({ state: 'failed' })] }))).to.equal('failed');
    const element = await draw({ operations: [operation({ state: 'failed' }), operation({ id: 2 })] });
    expect(toggle(element)!.getAttribute('aria-expanded')).to.equal('false');
  });

  it('is drawn once, with the next frame, where what it shows is handed over right behind', async () => {
    const element = create('progress-card');
    (await fixture<HTMLElement>(html`<div></div>`)).append(element);
    await Promise.resolve();
    expect(part(element, 'base')).to.equal(null);
    element['card'] = record({ plan: steps });
    await drawn(element);
    expect(words(part(element, 'counts'))).to.equal('1 of 3 completed');
  });

  it('comes with all it needs at once: what was used, a button to put it away, its looks beside the composer', async () => {
    const element = await draw({
      card: record({ plan: [{ step: 'Inspect', status: 'completed' }] }),
      usage: { tokens: 1200 },
      actions: 'dismiss',
      placement: 'composer',
    });
    expect(words(part(element, 'dismiss'))).to.contain('Dismiss');
    expect(part(element, 'base')!.className).to.contain('line');
    expect(getComputedStyle(part(element, 'meter')!).position).to.equal('absolute');
    element['placement'] = undefined;
    await drawn(element);
    expect(words(part(element, 'usage'))).to.equal('1.2K tok');
    expect(words(part(element, 'plan'))).to.contain('Inspect');
  });

  it('shows the question while it is closed, all of it in few lines', async () => {
    const prompt = 'Delete 14 merged branches?';
    const asks = operation({ state: 'blocked', blockedOn: { kind: 'permission', prompt } });
    const element = await draw({ card: record({ plan: steps }), operations: [operation({ id: 'b' }), asks], open: false });
    expect(words(part(element, 'current'))).to.equal(prompt);
    const height = part(element, 'current')!.offsetHeight;
    element['operations'] = [{ ...asks, blockedOn: { kind: 'permission', prompt: prompt.repeat(40) } }];
    await until(() => words(part(element, 'current')).length > 500, 'a long one');
    expect(part(element, 'current')!.offsetHeight).to.be.at.most(height * 3 + 1);
    element['operations'] = [{ ...asks, blockedOn: { kind: 'permission' } }];
    await until(() => words(part(element, 'current')) === 'Building project needs you', 'without words of its own');
  });

  it('keeps its pill in place when it is opened, in a column as narrow as a phone', async () => {
    const element = await draw({ card: record({ plan: steps }), heading: 'Repair the nightly build of the project', open: false });
    for (const width of [200, 240, 260, 290, 320, 340, 360, 400, 430]) {
      element.style.inlineSize = `${width}px`;
      const below: boolean[] = [];
      for (const open of [false, true]) {
        element['open'] = open;
        await drawn(element);
        below.push(part(element, 'pill')!.getBoundingClientRect().top > toggle(element)!.getBoundingClientRect().bottom - 2);
      }
      expect(below[1], `${width} px`).to.equal(below[0]);
    }
  });

  it('says so when nothing was reported', async () => {
    expect(allWords(await draw({ card: record(null) }))).to.contain('Nothing has been reported yet');
    expect(toggle(await draw({}))).to.equal(null);
  });

  it('fits 240 pixels with long words everywhere', async () => {
    const box = await fixture<HTMLElement>(html`<div style="inline-size:240px"></div>`);
    const element = create('progress-card');
    Object.assign(element, {
      heading: 'w'.repeat(400),
      card: record({
        plan: [{ step: 'x'.repeat(400), status: 'in_progress' }],
        markdown: `${'y'.repeat(400)} \`${'z'.repeat(300)}\`\n\n| ${'a'.repeat(300)} | b |\n| - | - |`,
      }),
      operations: [operation({ activeTitle: 'v'.repeat(400), fraction: 0.5 })],
      usage: { label: 'u'.repeat(120) },
    });
    box.append(element);
    await drawn(element);
    expectNoOverflow(element);
    toggle(element)!.click();
    await until(() => element.shadowRoot!.querySelector('table') !== null, 'the note is laid out');
    await drawn(element);
    expectNoOverflow(element);
  });

  it('stands still when the reader asked for less motion', async function () {
    if (!navigator.userAgent.includes('Chrome/')) return; // the others cannot be asked from here
    await emulateMedia({ reducedMotion: 'reduce' });
    try {
      const element = await draw({ card: record({ plan: steps }), operations: [operation()], runs: [run()], open: true });
      const roots = [element, ...element.shadowRoot!.querySelectorAll<HTMLElement>('tool-progress')];
      for (const root of roots) {
        for (const inner of root.shadowRoot!.querySelectorAll('*')) expect(getComputedStyle(inner).animationName).to.equal('none');
      }
      expect(allWords(element).toLowerCase()).to.contain('running');
    } finally {
      await emulateMedia({ reducedMotion: 'no-preference' });
    }
  });

  it('follows a dark host, two shadow roots deep, at a contrast that can be read', async () => {
    const box = await fixture<HTMLElement>(html`<div style="color-scheme:dark"></div>`);
    const outer = document.createElement('div');
    outer.attachShadow({ mode: 'open' }).append(document.createElement('div'));
    const inner = outer.shadowRoot!.firstElementChild!;
    inner.attachShadow({ mode: 'open' });
    const element = create('progress-card');
    Object.assign(element, { card: record({ plan: steps }) });
    inner.shadowRoot!.append(element);
    box.append(outer);
    await drawn(element);
    expect(luminance(getComputedStyle(part(element, 'base')!).backgroundColor)).to.be.lessThan(0.1);
    expect(luminance(getComputedStyle(part(element, 'title')!).color)).to.be.greaterThan(0.7);
  });
});

describe('progress-card: events, slots and parts', () => {
  it('passes on what the reader asks of an operation in it', async () => {
    const element = await draw({ operations: [operation({ cancellable: true })], actions: 'cancel', open: true });
    const inner = element.shadowRoot!.querySelector<HTMLElement>('tool-progress')!;
    setTimeout(() => part(inner, 'cancel')!.click());
    const event = (await oneEvent(element, 'progress-cancel-request')) as unknown as { operation: Operation };
    expect(event.operation.id).to.equal('a');
  });

  it('draws every bar in the colours of the reader where only those are to be seen', async () => {
    const element = await draw({
      card: { plan: steps, markdown: '<progress value=1 max=3>\n\n<progress>' },
      operations: [operation({ current: 1, total: 4 }), operation({ id: 'b' }), operation({ id: 'c', state: 'blocked' })],
      open: true,
    });
    await until(() => part(element, 'note')?.querySelectorAll('progress').length === 2, 'the note is laid out');
    await drawn(element);
    const rows = [...element.shadowRoot!.querySelectorAll<HTMLElement>('tool-progress')];
    // No engine can be asked from here, so the rules are made to hold as if it were so.
    const rules = [element, ...rows]
      .flatMap((one) => one.shadowRoot!.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]))
      .filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText.includes('forced-colors'));
    const texts = rules.map(({ media }) => media.mediaText);
    for (const { media } of rules) media.mediaText = 'all';
    try {
      const probe = await fixture<HTMLElement>(html`<i style="color: Highlight; background: Canvas"></i>`);
      const { color: highlight, backgroundColor: canvas } = getComputedStyle(probe);
      for (const row of rows) {
        const { backgroundColor, backgroundImage, forcedColorAdjust } = getComputedStyle(part(row, 'fill')!) as CSSStyleDeclaration & {
          forcedColorAdjust?: string;
        };
        expect(`${backgroundColor} ${backgroundImage}`).to.contain(highlight);
        if (forcedColorAdjust !== undefined) expect(forcedColorAdjust).to.equal('none');
      }
      for (const bar of part(element, 'note')!.querySelectorAll('progress')) {
        const { backgroundColor, backgroundImage, borderTopWidth } = getComputedStyle(bar);
        expect(borderTopWidth).to.equal('1px');
        if (bar.hasAttribute('value')) expect(backgroundColor).to.equal(canvas);
        else expect(backgroundImage).to.contain(highlight);
      }
    } finally {
      rules.forEach(({ media }, index) => (media.mediaText = texts[index]!));
    }
  });

  it('goes on in another document, where the styles of this one cannot follow', async () => {
    const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
    const element = await draw({
      card: { plan: steps, markdown: 'A **note**' },
      operations: [operation({ activeTitle: 'Here' })],
      open: true,
    });
    await until(() => part(element, 'note')?.querySelector('strong') !== null, 'the note is laid out');
    frame.contentDocument!.body.append(element);
    element['operations'] = [operation({ activeTitle: 'There' })];
    element['card'] = { plan: steps, markdown: 'Another **note**' };
    await drawn(element);
    expect(allWords(element)).to.contain('There').and.to.contain('Another note');
  });

  it('exposes its parts to the page, and its slots whatever the state', async () => {
    const element = await draw({
      card: record({ plan: steps, markdown: 'x' }),
      operations: [operation()],
      usage: { label: '1 tok' },
      open: true,
    });
    for (const name of [
      'base',
      'head',
      'toggle',
      'title',
      'pill',
      'meta',
      'counts',
      'updated',
      'usage',
      'meter',
      'body',
      'plan',
      'step',
      'note',
      'operations',
    ]) {
      expect(part(element, name), name).not.to.equal(null);
    }
    expect(element.shadowRoot!.querySelectorAll('slot').length).to.equal(2);
    expect((await draw({})).shadowRoot!.querySelectorAll('slot').length).to.equal(2);
  });
});

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = (/rgba?\(([^)]+)\)/.exec(color)?.[1] ?? '').split(/[ ,/]+/).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
