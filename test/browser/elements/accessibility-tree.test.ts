import { expect, fixture, html } from '@open-wc/testing';
import { a11ySnapshot, sendKeys } from '@web/test-runner-commands';
import type { Operation } from '@sitrep/schema';
import '@sitrep/elements/define/progress-card';
import '@sitrep/elements/define/status-pill';
import { barOf, create, drawn, operation, run, words as textOf } from './support.ts';

interface Node {
  readonly role: string;
  readonly name?: string;
  readonly value?: string | number;
  readonly expanded?: boolean;
  readonly children?: readonly Node[];
}

/** What assistive technology finds in the page, flat and in order. */
async function tree(): Promise<readonly Node[]> {
  const flat = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(flat)];
  return flat((await a11ySnapshot({})) as unknown as Node);
}

const words: Readonly<Record<Operation['state'], string>> = {
  pending: 'Pending',
  running: 'Running',
  waiting: 'Waiting',
  blocked: 'Needs you',
  paused: 'Paused',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  denied: 'Denied',
  interrupted: 'Interrupted',
};
const ended = new Set(['completed', 'failed', 'cancelled', 'denied', 'interrupted']);

// Only Chromium can be asked for its tree from here; what it is built from is asserted in all engines beside it.
const ask = navigator.userAgent.includes('Chrome/') ? describe : () => undefined;

ask('the accessibility tree', () => {
  for (const [state, word] of Object.entries(words) as [Operation['state'], string][]) {
    it(`of an operation that is ${state} has its button, its word and its bar`, async () => {
      const draw = async (over: Partial<Operation>): Promise<readonly Node[]> => {
        const box = await fixture<HTMLElement>(html`<main></main>`);
        const element = create('tool-progress');
        element['operation'] = operation({ state, title: 'Build', activeTitle: 'Build', ...over });
        box.append(element);
        await drawn(element);
        const found = await tree();
        box.remove();
        return found;
      };
      const counted = await draw({ current: 3, total: 9, unit: 'files' });
      const button = counted.find(({ role }) => role === 'button');
      expect(button?.name).to.equal('Build');
      expect(button?.expanded ?? false).to.equal(ended.has(state));
      expect(counted.map(({ name }) => name)).to.include(word);
      const bars = counted.filter(({ role }) => role === 'progressbar');
      expect(bars.length).to.equal(1);
      expect(bars[0]!.name).to.equal('Build');
      const whole = state === 'completed' ? 100 : 33;
      expect(Number(bars[0]!.value)).to.equal(whole);
      const uncounted = (await draw({})).filter(({ role }) => role === 'progressbar');
      expect(uncounted.length).to.equal(ended.has(state) ? 0 : 1);
      for (const bar of uncounted) expect(bar.value).to.equal(undefined);
    });
  }

  it('of a card has its steps in order, each with its word', async () => {
    const box = await fixture<HTMLElement>(html`<main></main>`);
    const element = create('progress-card');
    Object.assign(element, {
      heading: 'Release',
      open: true,
      card: {
        revision: 1,
        run: 'r',
        updatedAt: Date.now(),
        card: {
          plan: [
            { step: 'One', status: 'completed' },
            { step: 'Two', status: 'in_progress' },
            { step: 'Three', status: 'pending' },
          ],
        },
      },
      runs: [run()],
    });
    box.append(element);
    await drawn(element);
    const found = await tree();
    const button = found.find(({ role }) => role === 'button');
    expect(button?.name).to.equal('Release');
    expect(button?.expanded).to.equal(true);
    const said = found.map(({ name }) => name).filter((name): name is string => !!name);
    const from = said.indexOf('One');
    expect(
      said
        .slice(from)
        .join(' ')
        .replace(/[\s,]+/g, ' '),
    ).to.contain('One completed Two in progress Three to do');
  });

  it('of a pill in every state has its word, seen or not, and nothing to stop at', async () => {
    const shown: Readonly<Record<string, string>> = {
      ...words,
      connecting: 'Connecting',
      quiet: 'Quiet',
      stale: 'Out of date',
      reconnecting: 'Reconnecting',
      lost: 'Connection lost',
      working: 'Working',
      'needs-you': 'Needs you',
      idle: 'Idle',
      done: 'Done',
    };
    const box = await fixture<HTMLElement>(html`<main></main>`);
    for (const [state, word] of Object.entries(shown)) {
      for (const compact of [false, true]) {
        const element = create('status-pill');
        Object.assign(element, { state, compact });
        box.append(element);
        await drawn(element);
        const names = (await tree()).map(({ name }) => name?.toLowerCase());
        expect(names, `${state} ${compact}`).to.include(word.toLowerCase());
        element.remove();
      }
    }
    Object.assign(box.appendChild(create('status-pill')), { state: 'failed' });
    expect(await tabStops(box)).to.deep.equal([]);
  });

  it('of an operation says more than the bare number where there is more, and nothing while nothing is known', async () => {
    const bar = async (over: Partial<Operation>): Promise<readonly unknown[]> => {
      const box = await fixture<HTMLElement>(html`<main></main>`);
      const element = create('tool-progress');
      element['operation'] = operation({ activeTitle: 'Build', ...over });
      box.append(element);
      await drawn(element);
      const found = (await tree()).find(({ role }) => role === 'progressbar');
      // The tree that can be asked for here leaves the words out.
      const spoken = barOf(element)!.getAttribute('aria-valuetext');
      box.remove();
      return [found?.name, found?.value === undefined ? undefined : Number(found.value), spoken];
    };
    expect(await bar({ current: 42, total: 100, unit: 'files' })).to.deep.equal(['Build', 42, '42 of 100 files, 42%']);
    expect(await bar({ current: 9, total: 9 })).to.deep.equal(['Build', 100, '100%, finishing']);
    expect(await bar({ fraction: 0.5 })).to.deep.equal(['Build', 50, null]);
    expect(await bar({ current: 7, unit: 'files' })).to.deep.equal(['Build', undefined, null]);
  });

  it('has the stops that can be asked for, in the order in which they stand', async () => {
    const stops = async (over: Partial<Operation>): Promise<readonly string[]> => {
      const box = await fixture<HTMLElement>(html`<main></main>`);
      const element = create('tool-progress');
      Object.assign(element, { actions: 'cancel retry dismiss', operation: operation({ title: 'Build', activeTitle: 'Build', ...over }) });
      box.append(element);
      await drawn(element);
      const found = await tabStops(box);
      box.remove();
      return found;
    };
    for (const state of ['pending', 'running', 'waiting', 'blocked', 'paused'] as const) {
      expect(await stops({ state }), state).to.deep.equal(['Build']);
      expect(await stops({ state, cancellable: true }), state).to.deep.equal(['Build', 'Cancel Build']);
    }
    expect(await stops({ cancellable: true, cancelRequested: true }), 'it stays where the focus may be').to.deep.equal([
      'Build',
      'cancelling Build',
    ]);
    expect(await stops({ state: 'completed' })).to.deep.equal(['Build', 'Dismiss Build']);
    for (const state of ['failed', 'cancelled', 'denied', 'interrupted'] as const)
      expect(await stops({ state }), state).to.deep.equal(['Build', 'Try again Build', 'Dismiss Build']);
  });

  it('of a card that is over has its stops in order, and those inside only while it is open', async () => {
    const box = await fixture<HTMLElement>(html`<main></main>`);
    const element = create('progress-card');
    Object.assign(element, {
      heading: 'Release',
      actions: 'retry dismiss',
      operations: [operation({ title: 'Build', state: 'failed' })],
      runs: [run({ state: 'failed' })],
    });
    box.append(element);
    await drawn(element);
    expect(await tabStops(box)).to.deep.equal(['Release', 'Dismiss Release', 'Build', 'Try again Build']);
    element['open'] = false;
    await drawn(element);
    expect(await tabStops(box)).to.deep.equal(['Release', 'Dismiss Release']);
  });
});

/** Where the Tab key stops inside, by name. */
async function tabStops(box: HTMLElement): Promise<readonly string[]> {
  const before = document.createElement('button');
  const after = document.createElement('button');
  box.prepend(before);
  box.append(after);
  const stops: string[] = [];
  before.focus();
  for (let presses = 0; presses < 20; presses++) {
    await sendKeys({ press: 'Tab' });
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    if (at === after || !at || !box.contains(document.activeElement)) break;
    stops.push(textOf(at));
  }
  before.remove();
  after.remove();
  return stops;
}
