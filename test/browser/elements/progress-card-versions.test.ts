import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '@sitrep/elements/define';
import { createHistory, createMemorySource, createStore } from '@sitrep/client';
import type { CardRecord, Operation } from '@sitrep/schema';
import { create, drawn, listen, operation, part, run, until, words, type Element } from './support.ts';

type Steps = NonNullable<NonNullable<CardRecord['card']>['plan']>;
const steps: Steps = [
  { step: 'Inspect', status: 'completed' },
  { step: 'Repair', status: 'in_progress' },
  { step: 'Verify', status: 'pending' },
];
const complete: Steps = steps.map(({ step }) => ({ step, status: 'completed' }));
const record = (plan: Steps, over: Partial<CardRecord> = {}): CardRecord => ({
  revision: 3,
  updatedAt: Date.now(),
  card: { plan },
  ...over,
});
const draw = async (properties: Record<string, unknown>): Promise<Element> => {
  const element = create('progress-card');
  Object.assign(element, properties);
  (await fixture<HTMLElement>(html`<div></div>`)).append(element);
  await drawn(element);
  return element;
};
const items = (element: HTMLElement): readonly string[] => [...element.shadowRoot!.querySelectorAll('ol[part=plan] > li')].map(words);
const rows = (element: HTMLElement): readonly string[] =>
  [...element.shadowRoot!.querySelectorAll<HTMLElement>('tool-progress')].map((row) => words(part(row, 'title')));
const versions = (element: HTMLElement): readonly HTMLElement[] => [...element.shadowRoot!.querySelectorAll<HTMLElement>('[part=version]')];

describe('progress-card: which operations it draws', () => {
  const operations = [
    operation({ id: 'top', activeTitle: 'Top', state: 'completed', title: 'Top' }),
    operation({ id: 'under', parent: 'top', activeTitle: 'Under' }),
    operation({ id: 'over', title: 'Over', state: 'failed' }),
    operation({ id: 'live', activeTitle: 'Live' }),
  ];

  it('all, those that go on with what they are under, or none', async () => {
    const element = await draw({ operations, open: true });
    expect(rows(element)).to.deep.equal(['Top', 'Over', 'Live']);
    element['showOperations'] = 'live';
    await drawn(element);
    expect(rows(element)).to.deep.equal(['Top', 'Live']);
    element.setAttribute('show-operations', 'none');
    await drawn(element);
    expect(rows(element)).to.deep.equal([]);
    expect(words(part(element, 'pill')).toLowerCase()).to.equal('failed');
  });

  it('keeps the focus when the row that has it goes', async () => {
    const element = await draw({ operations: [operation({ activeTitle: 'Live' })], open: true, showOperations: 'live' });
    const row = element.shadowRoot!.querySelector<HTMLElement>('tool-progress')!;
    part(row, 'toggle')!.focus();
    element['operations'] = [operation({ state: 'completed' })];
    await drawn(element);
    expect(rows(element)).to.deep.equal([]);
    expect(element.shadowRoot!.activeElement === part(element, 'toggle')).to.equal(true);
  });
});

describe('progress-card: putting it away', () => {
  const offered = async (properties: Record<string, unknown>): Promise<boolean> =>
    part(await draw({ actions: 'cancel dismiss', ...properties }), 'dismiss') !== null;

  it('is offered where nothing is active, everything is complete, or what was is over without an end', async () => {
    expect(await offered({ card: record(complete), runs: [run()] }), 'complete, while a run goes on').to.equal(true);
    expect(await offered({ card: record(steps, { run: 'r' }), runs: [run({ state: 'completed' })] }), 'paused').to.equal(true);
    expect(await offered({ card: record(steps, { run: 'r' }), runs: [run({ state: 'interrupted' })] }), 'interrupted').to.equal(true);
    expect(await offered({ card: record(steps, { updatedAt: Date.now() - 4e6 }) }), 'out of date').to.equal(true);
    expect(await offered({ operations: [operation({ state: 'failed' })] }), 'failed').to.equal(true);
  });

  it('is not offered while anything goes on, needs somebody, or cannot be known', async () => {
    expect(await offered({ card: record(steps), runs: [run()] }), 'working').to.equal(false);
    expect(await offered({ card: record(complete), operations: [operation()] }), 'an operation goes on').to.equal(false);
    expect(await offered({ operations: [operation({ state: 'blocked' })] }), 'blocked').to.equal(false);
    expect(await offered({ operations: [operation({ updatedAt: Date.now() - 60_000 })] }), 'quiet').to.equal(false);
    expect(await offered({}), 'nothing there').to.equal(false);
    expect(await offered({ card: record(complete), actions: 'cancel retry' }), 'not asked for').to.equal(false);
  });

  it('carries the revision that the reader saw, and offers nothing of the kind at the rows', async () => {
    const element = await draw({
      card: record(complete),
      operations: [operation({ state: 'failed' })],
      actions: 'retry dismiss',
      open: true,
    });
    expect(part(element.shadowRoot!.querySelector('tool-progress')!, 'dismiss')).to.equal(null);
    setTimeout(() => part(element, 'dismiss')!.click());
    const event = (await oneEvent(element, 'progress-dismiss-request')) as unknown as { revision: number; card: CardRecord };
    expect(event.revision).to.equal(3);
    expect(event.card.card!.plan).to.equal(complete);
    expect(items(element).length).to.equal(3);
  });
});

describe('progress-card: earlier versions', () => {
  const old = (revision: number, step: string): CardRecord =>
    record([{ step, status: 'in_progress' }], { revision, updatedAt: Date.now() - 300_000 });

  it('are listed on request and drawn on choice, with nothing that moves', async () => {
    const element = await draw({
      card: record(steps),
      runs: [run()],
      history: [old(1, 'First'), old(2, 'Second'), old(9, 'Not earlier')],
      actions: 'history',
      open: true,
    });
    await until(() => part(element, 'earlier') !== null, 'earlier ones are offered');
    expect(versions(element).length).to.equal(0);
    part(element, 'earlier')!.click();
    await until(() => versions(element).length > 0, 'they are listed');
    expect(versions(element).map(words)).to.deep.equal([
      'Current version',
      'Version 2 5 min. ago · 0 of 1 completed',
      'Version 1 5 min. ago · 0 of 1 completed',
    ]);
    expect(versions(element)[0]!.getAttribute('aria-pressed')).to.equal('true');
    versions(element)[2]!.click();
    await drawn(element);
    expect(items(element)).to.deep.equal(['First, in progress']);
    for (const inner of element.shadowRoot!.querySelectorAll('[part=plan] *'))
      expect(getComputedStyle(inner).animationName).to.equal('none');
    expect(words(part(element, 'counts')), 'the card is still the current one').to.equal('1 of 3 completed');
    await expect(element).to.be.accessible();
    part(element, 'earlier')!.click();
    await drawn(element);
    expect(items(element).length).to.equal(3);
  });

  it('are those that were seen, where the page gives none', async () => {
    const element = await draw({ card: old(1, 'First'), actions: 'history', open: true });
    expect(part(element, 'earlier')).to.equal(null);
    for (let revision = 2; revision < 40; revision++) {
      element['card'] = old(revision, `Step ${revision}`);
      await drawn(element);
    }
    part(element, 'earlier')!.click();
    await until(() => versions(element).length > 0, 'they are listed');
    expect(versions(element).length, 'twenty are kept').to.equal(20);
  });

  it("come from the store's own history, however late the card is there", async () => {
    const source = createMemorySource();
    const store = createStore({ source, history: createHistory() });
    const stop = store.subscribe(() => undefined);
    const provider = create('progress-provider');
    try {
      const at = Date.now() - 1000;
      source.push({ type: 'snapshot', session: 's', epoch: 'e', seq: 0, at, card: null, revision: 0, operations: [], runs: [] }, 'e:0');
      for (let revision = 1; revision <= 4; revision++)
        source.push(
          { type: 'card', session: 's', revision, at, card: { plan: [{ step: `Step ${revision}`, status: 'in_progress' }] } },
          `e:${revision}`,
        );
      await until(() => store.getSnapshot().card.revision === 4, 'the store has them');
      provider['store'] = store;
      const element = create('progress-card');
      Object.assign(element, { actions: 'history', open: true });
      provider.append(element);
      (await fixture<HTMLElement>(html`<div></div>`)).append(provider);
      await until(() => part(element, 'earlier') !== null, 'earlier ones are known');
      part(element, 'earlier')!.click();
      await until(() => versions(element).length > 0, 'they are listed');
      expect(versions(element).map((one) => words(one).slice(0, 9))).to.deep.equal(['Current v', 'Version 3', 'Version 2', 'Version 1']);
      versions(element)[3]!.click();
      await drawn(element);
      expect(items(element)).to.deep.equal(['Step 1, in progress']);
    } finally {
      stop();
      store.close();
      provider.remove();
    }
  });
});

describe('progress-card: the spoken log', () => {
  it('has boundaries only: thirty updates and a clock beside them are two sentences', async () => {
    const heard = listen(false);
    const element = await draw({ operations: [operation({ id: 'old', activeTitle: 'Old' })] });
    const show = async (over: Partial<Operation>): Promise<void> => {
      element['operations'] = [
        operation({ id: 'old', activeTitle: 'Old' }),
        operation({ id: 'new', title: 'New', activeTitle: 'New', ...over }),
      ];
      await drawn(element);
    };
    const ticking = setInterval(() => (element as unknown as { requestUpdate(): void }).requestUpdate(), 10);
    for (let current = 0; current <= 30; current++) await show({ current, total: 30, message: `File ${current}` });
    await until(() => heard.said.length > 0, 'it is said');
    await show({ state: 'completed', current: 30, total: 30 });
    await until(() => heard.said.length > 1, 'the end is said');
    clearInterval(ticking);
    heard.stop();
    expect(heard.said).to.deep.equal(['polite: New: started.', 'polite: New: finished.']);
  });

  it('is three messages at most for a run from 0 to 100 at fifty a second, milestones included', async () => {
    const heard = listen(false);
    const element = await draw({ operations: [operation({ id: 'old', activeTitle: 'Old' })], milestones: true });
    const show = (over: Partial<Operation>): void => {
      element['operations'] = [
        operation({ id: 'old', activeTitle: 'Old' }),
        operation({ id: 'n', title: 'New', activeTitle: 'New', ...over }),
      ];
    };
    for (let current = 0; current <= 100; current++) {
      show({ current, total: 100 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    show({ state: 'completed', current: 100, total: 100 });
    await drawn(element);
    await until(() => heard.said.some((one) => one.includes('finished')), 'the end is said');
    heard.stop();
    expect(heard.said.length).to.be.at.most(3);
  });
});
