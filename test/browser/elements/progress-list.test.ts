import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import { a11ySnapshot } from '@web/test-runner-commands';
import type { Operation, Run } from '@sitrep/schema';
import '@sitrep/elements/define/progress-list';
import { create, drawn, expectNoOverflow, listen, operation, part, run, until, words, type Element } from './support.ts';

const many = (count: number, over: (index: number) => Partial<Operation> = () => ({})): Operation[] =>
  Array.from({ length: count }, (_none, index) =>
    operation({
      id: `o${index}`,
      title: `Task ${index}`,
      activeTitle: `Task ${index}`,
      state: 'completed',
      endedAt: Date.now(),
      ...over(index),
    }),
  );
const draw = async (operations: readonly Operation[], more: object = {}): Promise<Element> => {
  const element = create('progress-list');
  Object.assign(element, { operations, ...more });
  const box = await fixture<HTMLElement>(html`<main></main>`);
  box.append(element);
  await drawn(element);
  return element;
};
const rows = (element: HTMLElement): HTMLElement[] => [...element.shadowRoot!.querySelectorAll<HTMLElement>('[role=row]')];
const titles = (element: HTMLElement): string[] => rows(element).map((row) => words(row.querySelector('[part=title]')));
const row = (element: HTMLElement, title: string): HTMLElement =>
  rows(element).find((one) => words(one.querySelector('[part=title]')) === title)!;
const scroller = (element: HTMLElement): HTMLElement => part(element, 'list')!;
const focused = (element: HTMLElement): string => {
  const active = element.shadowRoot!.activeElement;
  return active ? words(active.closest('[role=row]')?.querySelector('[part=title]')) || words(active) : '';
};
const press = (element: HTMLElement, key: string): boolean =>
  (element.shadowRoot!.activeElement ?? element).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }),
  );
const update = async (element: Element, operations: readonly Operation[]): Promise<void> => {
  element['operations'] = operations;
  await drawn(element);
};
const filters = (element: HTMLElement): HTMLButtonElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLButtonElement>('[part=filter]'),
];
const filter = (element: HTMLElement, name: string): HTMLButtonElement => filters(element).find((one) => words(one).startsWith(name))!;

const family = [
  operation({ id: 'a', activeTitle: 'Release' }),
  operation({ id: 'b', activeTitle: 'Compile', parent: 'a' }),
  operation({ id: 'c', activeTitle: 'Link', title: 'Link', parent: 'b' }),
  operation({ id: 'd', activeTitle: 'Test' }),
];

describe('progress-list: rows', () => {
  it('draws only what is in sight, in a list as high as all of it', async () => {
    const element = await draw(many(5000));
    expect(rows(element).length).to.be.within(5, 60);
    expect(scroller(element).scrollHeight).to.be.greaterThan(5000 * 30);
    expect(scroller(element).getAttribute('aria-rowcount')).to.equal('5001');
    scroller(element).scrollTop = scroller(element).scrollHeight;
    await until(() => titles(element).includes('Task 4999'), 'the last row is drawn');
    expect(row(element, 'Task 4999').getAttribute('aria-posinset')).to.equal('5000');
    expect(row(element, 'Task 4999').getAttribute('aria-setsize')).to.equal('5000');
    expect(rows(element).length).to.be.at.most(60);
  });

  it('draws all of them up to `whole`', async () => {
    expect(rows(await draw(many(300), { whole: 300 })).length).to.equal(300);
    expect(rows(await draw(many(300), { whole: 299 })).length).to.be.at.most(60);
  });

  it('puts operations under their parents, each with its level and place', async () => {
    const element = await draw(family, { expanded: true });
    const places = rows(element).map((one) =>
      [one.ariaLevel, one.getAttribute('aria-posinset'), one.getAttribute('aria-setsize')].join('/'),
    );
    expect(titles(element)).to.deep.equal(['Release', 'Compile', 'Link', 'Test']);
    expect(places).to.deep.equal(['1/1/2', '2/1/1', '3/1/1', '1/2/2']);
  });

  it('groups by run, with the state and the counts of each', async () => {
    const runs: Run[] = [run({ run: 'r1', state: 'completed', endedAt: Date.now() }), run({ run: 'r2' })];
    const element = await draw(
      many(6, (index) => ({ run: index < 3 ? 'r1' : 'r2', ...(index === 5 && { state: 'running' }) })),
      { runs },
    );
    expect(titles(element)).to.deep.equal(['Run 1', 'Task 0', 'Task 1', 'Task 2', 'Run 2', 'Task 3', 'Task 4', 'Task 5']);
    expect(words(row(element, 'Run 1')))
      .to.contain('done 3')
      .and.to.contain('Completed'.toLowerCase());
    expect(words(row(element, 'Run 2').querySelector('[part=message]'))).to.equal('running 1 · done 2');
    element['runTitle'] = (key: string) => (key === 'r1' ? 'Fix it' : undefined);
    await drawn(element);
    expect(titles(element)[0]).to.equal('Fix it');
    element['grouping'] = 'none';
    await drawn(element);
    expect(titles(element)).to.have.length(6);
  });

  it('does not take text, numbers or markup for anything but text', async () => {
    const element = await draw([operation({ activeTitle: '<b id="x">bold</b>', message: '<img src=x onerror=alert(1)>' })]);
    expect(words(part(element, 'message'))).to.equal('<img src=x onerror=alert(1)>');
    expect(element.shadowRoot!.querySelector('#x, img')).to.equal(null);
  });

  it('keeps ids of different type, and the same id in two runs, apart', async () => {
    const element = await draw(
      [
        operation({ id: 7, activeTitle: 'number' }),
        operation({ id: '7', activeTitle: 'text' }),
        operation({ id: '7', run: 'x', activeTitle: 'elsewhere' }),
        operation({ id: 'child', parent: 7, activeTitle: 'under number' }),
      ],
      { expanded: true },
    );
    expect(titles(element)).to.deep.equal(['number', 'under number', 'text', 'Run 1', 'elsewhere']);
  });

  it('finds a parent that is reported after its child, and stands a circle', async () => {
    const element = await draw([operation({ id: 'c', parent: 'p', activeTitle: 'child' })], { expanded: true });
    await update(element, [operation({ id: 'c', parent: 'p', activeTitle: 'child' }), operation({ id: 'p', activeTitle: 'parent' })]);
    expect(titles(element).sort()).to.deep.equal(['child', 'parent']);
    expect(row(element, 'child').ariaLevel).to.equal('2');
    await update(element, [operation({ id: 'x', parent: 'y', activeTitle: 'x' }), operation({ id: 'y', parent: 'x', activeTitle: 'y' })]);
    expect(titles(element).sort()).to.deep.equal(['x', 'y']);
  });
});

describe('progress-list: while it goes on', () => {
  it('writes one row for one change, and renders nothing', async () => {
    const operations = many(2000, (index) => (index === 3 ? { state: 'running', endedAt: undefined as never, current: 1, total: 9 } : {}));
    const element = await draw(operations);
    const changed = row(element, 'Task 3');
    const seen: Node[] = [];
    const observer = new MutationObserver((records) => seen.push(...records.map(({ target }) => target)));
    observer.observe(element.shadowRoot!, { childList: true, subtree: true, characterData: true });
    await update(element, operations.with(3, { ...operations[3]!, current: 5, message: 'half' }));
    await until(() => words(changed).includes('half'), 'the row is written');
    observer.disconnect();
    expect(
      seen.every((node) => changed.contains(node)),
      'nothing but the row was touched',
    ).to.equal(true);
    expect(changed.querySelector('[role=progressbar]')!.getAttribute('aria-valuenow')).to.equal('55');
  });

  it('keeps what is in sight where it is when something comes above it', async () => {
    const operations = [operation({ id: 'top', activeTitle: 'Top' }), operation({ id: 'first', parent: 'top' }), ...many(300)];
    const element = await draw(operations, { expanded: true });
    scroller(element).scrollTop = 3000;
    await until(() => !titles(element).includes('Task 5'), 'it scrolled');
    const seen = rows(element).find((one) => one.getBoundingClientRect().top >= scroller(element).getBoundingClientRect().top)!;
    const title = words(seen.querySelector('[part=title]'));
    const before = seen.getBoundingClientRect().top;
    await update(element, [...operations, ...Array.from({ length: 8 }, (_none, index) => operation({ id: `n${index}`, parent: 'top' }))]);
    await until(() => scroller(element).getAttribute('aria-rowcount') === '311', 'they are there');
    await until(() => Math.abs(row(element, title).getBoundingClientRect().top - before) < 3, 'the row stands where it stood');
  });

  it('keeps focus and open details through updates, scrolling and evictions', async () => {
    const operations = many(400, (index) => ({ error: { message: `Reason ${index}` }, state: 'failed' }));
    const element = await draw(operations);
    row(element, 'Task 2').focus({ preventScroll: true });
    press(element, 'Enter');
    await drawn(element);
    expect(row(element, 'Task 2').ariaExpanded).to.equal('true');
    expect(words(row(element, 'Task 2').querySelector('[part=body]'))).to.contain('Reason 2');
    scroller(element).scrollTop = 6000;
    await until(() => !titles(element).includes('Task 8'), 'it scrolled');
    expect(focused(element)).to.equal('Task 2');
    await update(
      element,
      operations.slice(1).map((one) => ({ ...one })),
    );
    expect(focused(element)).to.equal('Task 2');
    scroller(element).scrollTop = 0;
    await until(() => titles(element).includes('Task 3'), 'it is back');
    expect(row(element, 'Task 2').ariaExpanded).to.equal('true');
    await update(element, operations.slice(3));
    await until(() => focused(element) !== '', 'the focus goes to what is nearest');
  });

  it('draws details when they are first opened', async () => {
    const element = await draw([
      operation({ id: 'a', state: 'failed', endedAt: Date.now(), error: { message: 'Disk full.', code: 'E1' } }),
    ]);
    expect(part(element, 'body')!.childElementCount).to.equal(0);
    rows(element)[0]!.click();
    await drawn(element);
    expect(words(part(element, 'body')))
      .to.contain('Disk full.')
      .and.to.contain('E1')
      .and.to.contain('started');
  });

  it('follows the newest while the reader is at the end, and never pulls them away', async () => {
    let operations = many(200);
    const element = await draw(operations, { follow: true });
    await until(() => titles(element).includes('Task 199'), 'it begins at the end');
    operations = [...operations, operation({ id: 'n1', activeTitle: 'New 1' })];
    await update(element, operations);
    await until(() => titles(element).includes('New 1'), 'it follows');
    scroller(element).scrollTop = 400;
    await until(() => part(element, 'newest') !== null, 'the way back is offered');
    const at = scroller(element).scrollTop;
    await update(element, [...operations, operation({ id: 'n2', activeTitle: 'New 2' })]);
    await until(() => scroller(element).getAttribute('aria-rowcount') === '203', 'it is there');
    expect(Math.abs(scroller(element).scrollTop - at)).to.be.below(3);
    part(element, 'newest')!.click();
    await until(() => titles(element).includes('New 2'), 'it goes to the end');
  });

  it('says what crossed a boundary, once, and no number', async () => {
    const { said, stop } = listen(true);
    const operations = many(50, () => ({ state: 'running' }));
    const element = await draw(operations);
    await update(element, operations.with(1, { ...operations[1]!, message: 'on it', fraction: 0.4 }));
    const blocked: Operation = { ...operations[1]!, state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which one?' } };
    await update(element, operations.with(1, blocked));
    const own = (): string[] => said.filter((one) => one.includes('Task'));
    await until(() => own().length > 0, 'it is said');
    stop();
    expect(own()).to.deep.equal(['polite: Task 1: needs you: Which one?']);
  });
});

describe('progress-list: filters', () => {
  const mixed = many(60, (index) => ({ state: index % 20 === 3 ? 'failed' : index === 7 ? 'blocked' : 'completed' }));

  it('offers what there is, each with its count', async () => {
    const element = await draw(mixed);
    expect(filters(element).map(words)).to.deep.equal(['All 60', 'needs you 1', 'running 0', 'failed 3', 'done 56']);
    expect(filters(element).map((one) => one.ariaPressed)).to.deep.equal(['true', 'false', 'false', 'false', 'false']);
    filter(element, 'failed').click();
    await drawn(element);
    expect(titles(element)).to.deep.equal(['Task 3', 'Task 23', 'Task 43']);
    expect(element.getAttribute('filter')).to.equal('failed');
    expect(filter(element, 'failed').ariaPressed).to.equal('true');
  });

  it('is set by attribute, and shows what a match lies under', async () => {
    const element = await fixture<Element>(html`<progress-list filter="failed"></progress-list>`);
    element['operations'] = family.map((one) => (one.id === 'c' ? { ...one, state: 'failed' as const } : one));
    await drawn(element);
    expect(titles(element)).to.deep.equal(['Release', 'Compile', 'Link']);
  });

  it('lets nothing go from under the eyes of the reader, and lets it go when chosen again', async () => {
    const element = await draw(mixed, { filter: 'failed' });
    await update(element, mixed.with(23, { ...mixed[23]!, state: 'completed' }));
    await until(() => words(filter(element, 'failed')) === 'failed 2', 'the count is true');
    expect(titles(element)).to.deep.equal(['Task 3', 'Task 23', 'Task 43']);
    filter(element, 'failed').click();
    await drawn(element);
    expect(titles(element)).to.deep.equal(['Task 3', 'Task 43']);
  });

  it('goes to the next operation that needs somebody, wherever it is', async () => {
    const asking = many(500, (index) => ({ run: `r${index % 2}`, state: index === 300 || index === 401 ? 'blocked' : 'completed' }));
    const element = await draw(asking, { filter: 'done' });
    (element as unknown as { collapseAll(): void }).collapseAll();
    part(element, 'next')!.click();
    await until(() => focused(element) === 'Task 300', 'the first');
    part(element, 'next')!.click();
    await until(() => focused(element) === 'Task 401', 'the second');
    part(element, 'next')!.click();
    await until(() => focused(element) === 'Task 300', 'the first again');
  });

  it('lists earlier ones when it is asked to', async () => {
    const element = await draw(many(100), { limit: 10 });
    expect(titles(element)[0]).to.equal('Task 90');
    expect(words(part(element, 'earlier'))).to.equal('Show 10 earlier');
    part(element, 'earlier')!.click();
    await drawn(element);
    expect(scroller(element).getAttribute('aria-rowcount')).to.equal('21');
  });
});

describe('progress-list: keyboard', () => {
  it('is a named treegrid of rows of cells, below a named toolbar', async () => {
    const element = await draw(family, { heading: 'Tasks' });
    const grid = scroller(element);
    expect([grid.getAttribute('role'), grid.ariaLabel]).to.deep.equal(['treegrid', 'Tasks']);
    expect(grid.firstElementChild!.getAttribute('role')).to.equal('rowgroup');
    for (const cell of rows(element).flatMap((one) => [...one.children])) expect(cell.getAttribute('role')).to.equal('gridcell');
    expect(part(element, 'toolbar')!.getAttribute('role')).to.equal('toolbar');
    expect(part(element, 'toolbar')!.ariaLabel).to.equal('Filter');
  });

  it('has one stop for the Tab key, and the arrows go from there', async () => {
    const element = await draw(family);
    const stops = rows(element).filter((one) => one.tabIndex === 0);
    expect(stops.length).to.equal(1);
    stops[0]!.focus();
    press(element, 'ArrowDown');
    expect(focused(element)).to.equal('Test');
    press(element, 'ArrowUp');
    press(element, 'ArrowRight');
    await drawn(element);
    expect(titles(element)).to.deep.equal(['Release', 'Compile', 'Test']);
    press(element, 'ArrowRight');
    expect(focused(element)).to.equal('Compile');
    press(element, 'ArrowLeft');
    expect(focused(element)).to.equal('Release');
    press(element, 'ArrowLeft');
    await drawn(element);
    expect(titles(element)).to.deep.equal(['Release', 'Test']);
    press(element, 'End');
    expect(focused(element)).to.equal('Test');
    press(element, 'Home');
    expect(focused(element)).to.equal('Release');
    press(element, 't');
    expect(focused(element)).to.equal('Test');
    expect(rows(element).filter((one) => one.tabIndex === 0)).to.have.length(1);
  });

  it('opens inwards in a page that runs from right to left', async () => {
    const element = create('progress-list');
    element['operations'] = family;
    const box = await fixture<HTMLElement>(html`<main dir="rtl"></main>`);
    box.append(element);
    await drawn(element);
    rows(element)[0]!.focus();
    press(element, 'ArrowLeft');
    await drawn(element);
    expect(titles(element)).to.deep.equal(['Release', 'Compile', 'Test']);
  });

  it('goes by pages and to the ends of thousands', async () => {
    const element = await draw(many(3000));
    rows(element)[0]!.focus();
    press(element, 'PageDown');
    expect(Number(/\d+/.exec(focused(element))?.[0])).to.be.within(3, 30);
    press(element, 'End');
    await until(() => focused(element) === 'Task 2999', 'the last');
    const box = scroller(element).getBoundingClientRect();
    await until(() => row(element, 'Task 2999').getBoundingClientRect().bottom <= box.bottom + 1, 'it is in sight');
    press(element, 'Home');
    await until(() => focused(element) === 'Task 0' && scroller(element).scrollTop === 0, 'the first');
  });

  it('reaches the buttons of its row, and only of its row', async () => {
    const element = await draw(
      many(3, () => ({ state: 'running', cancellable: true })),
      { actions: 'cancel' },
    );
    const buttons = (): HTMLButtonElement[] => [...element.shadowRoot!.querySelectorAll<HTMLButtonElement>('[part=cancel]')];
    expect(buttons().map(({ tabIndex }) => tabIndex)).to.deep.equal([0, -1, -1]);
    rows(element)[0]!.focus();
    press(element, 'ArrowRight');
    press(element, 'ArrowRight');
    expect(element.shadowRoot!.activeElement).to.equal(buttons()[0]);
    expect(buttons()[0]!.getAttribute('aria-label')).to.equal('Cancel Task 0');
    const asked = oneEvent(element, 'progress-cancel-request');
    buttons()[0]!.click();
    expect(((await asked) as unknown as { operation: Operation }).operation.id).to.equal('o0');
    press(element, 'ArrowDown');
    expect(focused(element)).to.equal('Task 1');
    expect(buttons().map(({ tabIndex }) => tabIndex)).to.deep.equal([-1, 0, -1]);
  });

  it('goes from filter to filter by arrows', async () => {
    const element = await draw(many(3));
    expect(filters(element).filter(({ tabIndex }) => tabIndex === 0)).to.have.length(1);
    filters(element)[0]!.focus();
    press(element, 'ArrowRight');
    expect(element.shadowRoot!.activeElement).to.equal(filters(element)[1]);
    press(element, 'End');
    expect(element.shadowRoot!.activeElement).to.equal(filters(element).at(-1));
  });
});

describe('progress-list: what there is to say', () => {
  it('says that nothing has been reported, and what it waits for', async () => {
    expect(words(part(await draw([]), 'base'))).to.contain('Nothing has been reported yet.');
    const failing = await fixture<Element>(html`<progress-list src="data:text/plain,no"></progress-list>`);
    await until(() => part(failing, 'problem') !== null, 'it says why');
    expect(part(failing, 'retry')).to.not.equal(null);
    expect(words(part(await draw(many(2), { filter: 'failed' }), 'base'))).to.contain('Nothing is in this state.');
  });

  it('has no axe violation', async () => {
    const runs = [run({ run: 'r1' })];
    await expect(
      await draw(
        many(200, (index) => ({ run: 'r1', ...(index === 3 && { state: 'running' }) })),
        { runs },
      ),
    ).to.be.accessible();
    await expect(await draw([])).to.be.accessible();
  });

  it('fits a narrow place', async () => {
    for (const width of [200, 240, 400, 900]) {
      const box = await fixture<HTMLElement>(html`<div></div>`);
      box.style.inlineSize = `${width}px`;
      const element = create('progress-list');
      Object.assign(element, {
        heading: 'A rather long heading of a list',
        actions: 'cancel',
        runs: [run({ run: 'r1' })],
        operations: many(4, (index) => ({
          run: 'r1',
          activeTitle: 'word '.repeat(30),
          cancellable: true,
          state: index ? 'running' : 'failed',
        })),
      });
      box.append(element);
      await drawn(element);
      expectNoOverflow(element);
      for (const button of element.shadowRoot!.querySelectorAll<HTMLElement>('[part=filter]'))
        expect(getComputedStyle(button.querySelector('.label')!).display, 'its word is its name, seen or not').to.not.equal('none');
    }
  });

  it('draws only what is in sight also where the page makes it a block', async () => {
    const operations = Array.from({ length: 3000 }, (_none, index) => operation({ id: `o${index}` }));
    for (const size of ['', 'block-size:300px', 'max-block-size:300px', 'block-size:100%']) {
      const element = create('progress-list');
      element.style.cssText = `display:block;${size}`;
      Object.assign(element, { operations });
      const box = await fixture<HTMLElement>(html`<main></main>`);
      box.style.blockSize = '400px';
      box.append(element);
      await drawn(element);
      expect(element.shadowRoot!.querySelectorAll('.rows > [role=row]').length, size).to.be.below(100);
      const bottom = (one: HTMLElement): number => one.getBoundingClientRect().bottom;
      // What has just come is only measured once it is known to be in view.
      await until(() => bottom(part(element, 'base')!) <= bottom(element) + 1, `it stays within itself: ${size}`);
      expect(element.shadowRoot!.querySelectorAll('.rows > [role=row]').length, size).to.be.below(100);
    }
  });

  it('takes a part of the height around it once, in whatever way the page says it', async () => {
    const element = await draw(many(500));
    const box = element.parentElement!;
    box.style.blockSize = '600px';
    const base = part(element, 'base')!;
    // What has just come is only measured once it is known to be in view.
    await until(() => element.offsetHeight > 100, 'it is drawn');
    const says: readonly (readonly [string, string, string])[] = [
      ['flex', '', '50%'],
      ['block', '', '50%'],
      ['flex', '100%', '50%'],
      ['block', '100%', '50%'],
    ];
    for (const [display, blockSize, maxBlockSize] of says) {
      Object.assign(element.style, { display, blockSize, maxBlockSize });
      const which = `${display}, ${blockSize || 'auto'}, at most ${maxBlockSize}`;
      expect(element.offsetHeight, which).to.be.within(298, 302);
      if (display === 'flex' || blockSize) expect(base.offsetHeight, which).to.be.within(298, 302);
    }
  });

  it('prints more than is in sight, and says what it leaves out', async () => {
    const element = await draw(many(1200));
    dispatchEvent(new Event('beforeprint'));
    expect(rows(element).length).to.equal(1000);
    expect(words(element.shadowRoot!.querySelector('.unprinted'))).to.equal('200 more are not printed.');
    dispatchEvent(new Event('afterprint'));
    expect(rows(element).length).to.be.at.most(60);
  });

  it('leaves nothing behind', async () => {
    const { clockLoad } = await import('../../../packages/elements/dist/display/clock.js');
    const before = clockLoad().elements;
    for (let turn = 0; turn < 30; turn++) {
      const element = await draw(many(30, () => ({ state: 'running' })));
      element.remove();
    }
    expect(clockLoad().elements).to.be.at.most(before);
  });

  it('goes on where it was after a move in the page', async () => {
    const element = await draw(many(500));
    const other = await fixture<HTMLElement>(html`<section></section>`);
    other.append(element);
    await drawn(element);
    scroller(element).scrollTop = 5000;
    await until(() => !titles(element).includes('Task 3'), 'it scrolls');
    element.remove();
    await new Promise((resolve) => setTimeout(resolve));
    other.append(element);
    await drawn(element);
    await until(() => rows(element).length > 3, 'it is drawn again');
  });
});

(navigator.userAgent.includes('Chrome/') ? describe : () => undefined)('progress-list: the accessibility tree', () => {
  it('has rows, each with its name, state and value', async () => {
    await draw(
      [operation({ id: 'a', activeTitle: 'Build', current: 42, total: 100 }), operation({ id: 'b', state: 'failed', title: 'Lint' })],
      {
        heading: 'Tasks',
      },
    );
    interface Node {
      readonly role: string;
      readonly name?: string;
      readonly value?: string | number;
      readonly children?: readonly Node[];
    }
    const flat = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(flat)];
    const found = flat((await a11ySnapshot({})) as unknown as Node);
    const named = found.filter(({ role }) => role === 'row').map(({ name }) => name);
    expect(named[0]).to.contain('Build').and.to.contain('Running').and.to.contain('42%');
    expect(named[1]).to.contain('Lint').and.to.contain('Failed');
    const bars = found.filter(({ role }) => role === 'progressbar');
    expect(bars.map(({ name, value }) => `${name} ${value}`)).to.deep.equal(['Build 42']);
  });
});
