import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '@sitrep/elements/define/tool-progress';
import type { Operation } from '@sitrep/schema';
import type { ProgressToggleEvent } from '@sitrep/elements';
import { allWords, barOf, drawn, expectNoOverflow, nameOf, operation, part, shareOf, until, words, type Element } from './support.ts';

const draw = async (over: Partial<Operation> = {}): Promise<Element> => {
  const element = await fixture<Element>(html`<tool-progress .operation=${operation(over)}></tool-progress>`);
  await drawn(element);
  return element;
};
const change = async (element: Element, over: Partial<Operation>): Promise<void> => {
  element['operation'] = operation(over);
  await drawn(element);
};
const toggle = (element: HTMLElement): HTMLButtonElement => element.shadowRoot!.querySelector('button[part~=toggle]')!;
const isOpen = (element: HTMLElement): boolean => toggle(element).getAttribute('aria-expanded') === 'true';

describe('tool-progress: accessibility', () => {
  const states: readonly (readonly [string, Partial<Operation>])[] = [
    ['running, determinate', { current: 42, total: 100, unit: 'files', message: 'Compiling' }],
    ['running, indeterminate', {}],
    ['waiting', { state: 'waiting', waitingOn: { text: 'a lock' } }],
    ['blocked', { state: 'blocked', blockedOn: { kind: 'permission', prompt: 'Go on?' } }],
    ['paused', { state: 'paused', fraction: 0.3 }],
    ['completed', { state: 'completed', current: 5, total: 5 }],
    ['failed', { state: 'failed', fraction: 0.4, error: { message: 'No.', code: 'E1' } }],
    ['cancelled', { state: 'cancelled' }],
    ['denied', { state: 'denied' }],
    ['interrupted', { state: 'interrupted' }],
  ];
  for (const [name, over] of states) {
    it(`has no axe violation when ${name}`, async () => {
      const element = await draw(over);
      await expect(element).to.be.accessible();
    });
  }

  it('gives the bar the title as its name and the whole percent as its value', async () => {
    const bar = barOf(await draw({ current: 42, total: 100, unit: 'files' }))!;
    expect(nameOf(bar)).to.equal('Building project');
    expect(bar.getAttribute('aria-valuenow')).to.equal('42');
    expect(bar.getAttribute('aria-valuetext')).to.equal('42 of 100 files, 42%');
    expect(bar.hasAttribute('aria-valuemin')).to.equal(false);
    expect(bar.hasAttribute('aria-valuemax')).to.equal(false);
    expect(bar.querySelector('button, a') === null).to.equal(true);
  });

  it('says no value text that only repeats the percent', async () => {
    const bar = barOf(await draw({ fraction: 0.65 }))!;
    expect(bar.getAttribute('aria-valuenow')).to.equal('65');
    expect(bar.hasAttribute('aria-valuetext')).to.equal(false);
  });

  it('has no value when the total is unknown, and shows the count', async () => {
    for (const over of [{ current: 3 }, { current: 0, total: 0 }, { current: 3, total: -1 }, { current: Number.NaN, total: 5 }, {}]) {
      const element = await draw(over);
      const bar = barOf(element)!;
      expect(bar.hasAttribute('aria-valuenow')).to.equal(false);
      expect(nameOf(bar)).to.equal('Building project');
      expect(allWords(element)).not.to.contain('NaN');
      expect(allWords(element)).not.to.contain('%');
    }
    expect(words(part(await draw({ current: 3 }), 'amount'))).to.equal('3');
  });

  it('keeps an over-full amount truthful', async () => {
    const element = await draw({ current: 241, total: 5 });
    const bar = barOf(element)!;
    expect(Number(bar.getAttribute('aria-valuenow'))).to.be.at.most(100);
    expect(allWords(element)).to.contain('241 of 5');
    expect(allWords(element).toLowerCase()).to.contain('running');
    expect(shareOf(element)).to.equal(1);
  });

  it('opens and closes by a real button that resolves what it controls', async () => {
    const element = await draw();
    const button = toggle(element);
    expect(button.localName).to.equal('button');
    expect(words(button)).to.equal('Building project');
    expect(part(element, 'body'), 'what was never opened is not there').to.equal(null);
    expect(button.hasAttribute('aria-controls'), 'nor refers anything to it').to.equal(false);
    button.click();
    await drawn(element);
    const body = element.shadowRoot!.getElementById(button.getAttribute('aria-controls')!)!;
    expect(body.hidden).to.equal(false);
    button.click();
    await drawn(element);
    expect(body.hidden).to.equal(true);
    expect(element.shadowRoot!.getElementById(button.getAttribute('aria-controls')!)).to.equal(body);
  });

  it('has no live region: values and times are never spoken by themselves', async () => {
    const element = await draw({ current: 1, total: 2 });
    expect(element.shadowRoot!.querySelector('[aria-live], [role=status], [role=alert], [role=timer]') === null).to.equal(true);
  });

  it('offers targets of at least 24 by 24 pixels', async () => {
    const element = await fixture<Element>(
      html`<tool-progress actions="cancel" .operation=${operation({ cancellable: true, activeTitle: 'x' })}></tool-progress>`,
    );
    await until(() => toggle(element).getBoundingClientRect().width > 0, 'it is laid out');
    for (const button of element.shadowRoot!.querySelectorAll('button')) {
      const { width, height } = button.getBoundingClientRect();
      expect(Math.min(width, height)).to.be.at.least(24);
    }
  });
});

describe('tool-progress: properties', () => {
  it('shows the message beside the title, never instead of it', async () => {
    const element = await draw({ message: 'Compiling source files' });
    expect(words(part(element, 'title'))).to.equal('Building project');
    expect(words(part(element, 'message'))).to.equal('Compiling source files');
    await change(element, { message: 'Linking' });
    expect(words(part(element, 'title'))).to.equal('Building project');
    expect(words(part(element, 'message'))).to.equal('Linking');
  });

  it('fills the bar to the fraction, from the side reading begins', async () => {
    const element = await draw({ current: 1, total: 4 });
    expect(shareOf(element)).to.be.closeTo(0.25, 1e-6);
    expect(part(element, 'bar')!.getAttribute('style')).to.equal(null);
    const rtl = await fixture<HTMLElement>(
      html`<div dir="rtl"><tool-progress .operation=${operation({ current: 1, total: 4 })}></tool-progress></div>`,
    );
    const inner = rtl.querySelector<Element>('tool-progress')!;
    await drawn(inner);
    const fill = part(inner, 'fill')!.getBoundingClientRect();
    const bar = part(inner, 'bar')!.getBoundingClientRect();
    expect(fill.right).to.be.closeTo(bar.right, 1);
    expect(fill.width).to.be.closeTo(bar.width / 4, 1.5);
  });

  it('shows what fell as it is, without animating the fall', async () => {
    const element = await draw({ current: 80, total: 100 });
    await change(element, { current: 40, total: 100 });
    expect(barOf(element)!.getAttribute('aria-valuenow')).to.equal('40');
    expect(shareOf(element)).to.be.closeTo(0.4, 1e-6);
    expect(getComputedStyle(part(element, 'fill')!).animationName).to.equal('none');
  });

  it('lets a jump that comes after a while glide, each one anew, and ends where it stands', async () => {
    const element = await draw({ current: 10, total: 100 });
    const fill = part(element, 'fill')!;
    for (const current of [30, 60, 90]) {
      await new Promise((resolve) => setTimeout(resolve, 450));
      let begun = 0;
      fill.addEventListener('animationstart', () => begun++, { once: true });
      await change(element, { current, total: 100 });
      await until(() => begun === 1, 'it begins to glide');
      await until(() => fill.getAnimations().length === 0, 'it has glided');
      expect(fill.getBoundingClientRect().width / fill.parentElement!.getBoundingClientRect().width).to.be.closeTo(current / 100, 0.01);
    }
  });

  it('rounds down, and says 100 % only when everything is counted', async () => {
    const element = await draw({ current: 998, total: 1000 });
    expect(words(part(element, 'percent'))).to.equal('99%');
    await change(element, { current: 1000, total: 1000 });
    expect(words(part(element, 'percent'))).to.equal('100%');
    expect(allWords(element)).to.contain('finishing');
    expect(allWords(element).toLowerCase()).to.contain('running');
  });

  it('keeps the last value of what failed', async () => {
    const element = await draw({ current: 99, total: 100 });
    await change(element, { state: 'failed', current: 99, total: 100, error: { message: 'Disk full.', code: 'ENOSPC' } });
    expect(barOf(element)!.getAttribute('aria-valuenow')).to.equal('99');
    expect(allWords(element)).to.contain('Disk full.');
    expect(allWords(element)).to.contain('ENOSPC');
    expect(words(part(element, 'pill')).toLowerCase()).to.equal('failed');
  });

  it('shows an end without an outcome neither as success nor as going on', async () => {
    const element = await draw({ state: 'interrupted' });
    expect(words(part(element, 'pill')).toLowerCase()).to.equal('interrupted');
    expect(barOf(element)).to.equal(null);
    expect(element.shadowRoot!.querySelector('.success, .moving') === null).to.equal(true);
  });

  it('says what a machine or a person is waited for', async () => {
    expect(allWords(await draw({ state: 'waiting', waitingOn: { text: 'a free machine' } }))).to.contain('a free machine');
    expect(allWords(await draw({ state: 'blocked', blockedOn: { kind: 'auth' } }))).to.contain('sign in');
    expect(allWords(await draw({ state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which one?' } }))).to.contain('Which one?');
  });

  it('starts closed while running, opens by itself at the end', async () => {
    for (const state of ['completed', 'failed', 'cancelled', 'denied', 'interrupted'] as const) {
      const element = await draw();
      expect(isOpen(element)).to.equal(false);
      await change(element, { state });
      expect(isOpen(element), state).to.equal(true);
    }
  });

  it("keeps the reader's own choice through every update, the end included", async () => {
    const element = await draw();
    toggle(element).click();
    await drawn(element);
    for (let current = 0; current < 20; current++) await change(element, { current, total: 20 });
    expect(isOpen(element)).to.equal(true);
    toggle(element).click();
    await drawn(element);
    await change(element, { state: 'failed' });
    expect(isOpen(element)).to.equal(false);
    await change(element, { attempt: 2, state: 'running' });
    expect(isOpen(element)).to.equal(false);
  });

  it('keeps its nodes and the focus through updates', async () => {
    const element = await draw({ current: 1, total: 9 });
    const button = toggle(element);
    button.focus();
    for (let current = 2; current < 6; current++) await change(element, { current, total: 9 });
    expect(toggle(element)).to.equal(button);
    expect(element.shadowRoot!.activeElement).to.equal(button);
  });

  it('follows the open attribute, both ways', async () => {
    const open = await fixture<Element>(html`<tool-progress open .operation=${operation()}></tool-progress>`);
    expect(isOpen(open)).to.equal(true);
    const closed = await fixture<Element>(html`<tool-progress open="false" .operation=${operation({ state: 'failed' })}></tool-progress>`);
    expect(isOpen(closed)).to.equal(false);
    closed.removeAttribute('open');
    await drawn(closed);
    expect(isOpen(closed)).to.equal(true);
  });

  it('nests operations under it, each with its own choice to be open', async () => {
    const nested = [
      {
        operation: operation({ id: 'b', activeTitle: 'Compiling' }),
        nested: [{ operation: operation({ id: 'c', activeTitle: 'Linking' }), nested: [] }],
      },
    ];
    const element = await fixture<Element>(html`<tool-progress open .operation=${operation()} .nested=${nested}></tool-progress>`);
    await drawn(element);
    const child = part(element, 'nested')!.querySelector<Element>('tool-progress')!;
    expect(words(part(child, 'title'))).to.equal('Compiling');
    toggle(child).click();
    await drawn(child);
    expect(words(part(part(child, 'nested')!.querySelector<Element>('tool-progress')!, 'title'))).to.equal('Linking');
    expect(part(element, 'nested')!.localName).to.equal('ul');
  });

  it('takes elapsed time from the start, also after it was taken away and put back', async () => {
    const element = await draw({ startedAt: Date.now() - 45_400 });
    expect(words(part(element, 'elapsed'))).to.equal('45 sec');
    const parent = element.parentElement!;
    element.remove();
    parent.append(element);
    await drawn(element);
    expect(words(part(element, 'elapsed'))).to.match(/^4[56] sec$/);
    await change(element, { startedAt: Date.now() + 60_000 });
    expect(words(part(element, 'elapsed'))).to.equal('0 sec');
  });

  it('shows text as text', async () => {
    const element = await draw({ activeTitle: '<img src=x onerror=alert(1)>', message: '<b>bold</b>' });
    expect(element.shadowRoot!.querySelector('img, b') === null).to.equal(true);
    expect(words(part(element, 'title'))).to.equal('<img src=x onerror=alert(1)>');
  });

  it('fits 240 pixels whatever the text, and shows all of it once opened', async () => {
    const text = 'x'.repeat(400);
    const box = await fixture<HTMLElement>(
      html`<div style="inline-size:240px">
        <tool-progress
          actions="cancel"
          .operation=${operation({ activeTitle: text, message: text, current: 3, total: 9, unit: text, cancellable: true })}
        ></tool-progress>
      </div>`,
    );
    const element = box.querySelector<Element>('tool-progress')!;
    await drawn(element);
    expectNoOverflow(element);
    const title = part(element, 'title')!;
    expect(title.scrollWidth).to.be.greaterThan(title.clientWidth);
    toggle(element).click();
    await drawn(element);
    expectNoOverflow(element);
    expect(title.scrollWidth).to.be.at.most(title.clientWidth + 1);
    expect(words(title)).to.equal(text);
  });

  it('says out of date of what its producer calls stalled, and never that it failed', async () => {
    const element = await draw({ reason: 'stalled', current: 2, total: 5 });
    expect(words(part(element, 'pill')).toLowerCase()).to.equal('out of date');
    expect(barOf(element)!.getAttribute('aria-valuenow')).to.equal('40');
    for (const inner of element.shadowRoot!.querySelectorAll('*')) expect(getComputedStyle(inner).animationName).to.equal('none');
  });

  it('takes records nobody has checked: no message in an error, times that are none', async () => {
    const text = async (over: object): Promise<string> => {
      const element = await fixture<Element>(html`<tool-progress></tool-progress>`);
      element['operation'] = operation(over);
      await drawn(element);
      return allWords(element);
    };
    expect(await text({ state: 'failed', error: { code: 'E7' } })).to.contain('E7');
    for (const none of [Number.NaN, Infinity, -Infinity]) {
      const seen = await text({ startedAt: none, state: 'waiting', waitingOn: { until: none } });
      expect(seen).not.to.match(/NaN|Infinity/);
      expect(await text({ startedAt: 0, endedAt: none, state: 'completed' })).not.to.match(/NaN|Infinity/);
    }
  });

  it('takes the buttons as a list as well as a text', async () => {
    const element = await fixture<Element>(
      html`<tool-progress .actions=${['cancel', 'retry']} .operation=${operation({ cancellable: true })}></tool-progress>`,
    );
    await drawn(element);
    expect(part(element, 'cancel')).not.to.equal(null);
  });

  it('draws text in place of a record as nothing and says so', async () => {
    const warnings: string[] = [];
    const warn = console.warn;
    console.warn = (...parts: unknown[]) => void warnings.push(parts.join(' '));
    try {
      const element = await fixture<Element>(html`<tool-progress></tool-progress>`);
      element['operation'] = '[object Object]';
      await drawn(element);
      expect(allWords(element)).not.to.contain('object');
      expect(warnings.join()).to.contain('operation');
    } finally {
      console.warn = warn;
    }
  });
});

describe('tool-progress: what it says of its parts, its error and its time', () => {
  const under = [
    { operation: operation({ id: 'b', activeTitle: 'List the files', fraction: 0.2 }), nested: [] },
    { operation: operation({ id: 'c', activeTitle: 'Hash the files', current: 35, total: 100 }), nested: [] },
    { operation: operation({ id: 'd', title: 'Read the index', state: 'completed' }), nested: [] },
  ];
  const parent = async (over: Partial<Operation> = {}): Promise<Element> => {
    const element = await fixture<Element>(html`<tool-progress .operation=${operation(over)} .nested=${under}></tool-progress>`);
    await drawn(element);
    return element;
  };

  it('lets its newest live part speak while it is closed and has no message of its own', async () => {
    const element = await parent();
    expect(words(part(element, 'title'))).to.equal('Building project');
    expect(words(part(element, 'message'))).to.equal('Hash the files 35%');
    element['nested'] = [...under, { operation: operation({ id: 'e', activeTitle: 'Sum up' }), nested: [] }];
    await drawn(element);
    expect(words(part(element, 'message'))).to.equal('Sum up');
    toggle(element).click();
    await drawn(element);
    expect(words(part(element, 'message'))).to.equal('');
    expect(words(part(await parent({ message: 'Its own' }), 'message'))).to.equal('Its own');
  });

  it('shows the code of an error where the message lacks it', async () => {
    const refused = 'connect ECONNREFUSED 127.0.0.1:4';
    const once = await draw({ state: 'failed', error: { message: refused, code: 'ECONNREFUSED' } });
    expect(words(part(once, 'detail'))).to.equal(refused);
    const both = await draw({ state: 'failed', error: { message: 'Refused.', code: 'ECONNREFUSED' } });
    expect(words(part(both, 'detail'))).to.equal('Refused. ECONNREFUSED');
  });

  it('has the time at the end of its line, with an amount and without', async () => {
    for (const over of [{}, { current: 3, total: 9 }]) {
      const element = await draw(over);
      const line = part(element, 'meta')!.getBoundingClientRect();
      expect(part(element, 'elapsed')!.getBoundingClientRect().right).to.be.closeTo(line.right, 1);
    }
    const rtl = await fixture<HTMLElement>(html`<div dir="rtl"><tool-progress .operation=${operation()}></tool-progress></div>`);
    const element = rtl.querySelector<Element>('tool-progress')!;
    await drawn(element);
    const line = part(element, 'meta')!.getBoundingClientRect();
    expect(part(element, 'elapsed')!.getBoundingClientRect().left).to.be.closeTo(line.left, 1);
  });
});

describe('tool-progress: keyboard', () => {
  const press = (target: EventTarget, over: KeyboardEventInit = {}): KeyboardEvent => {
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true, cancelable: true, ...over });
    target.dispatchEvent(event);
    return event;
  };

  it('closes on Escape and goes back to the toggle, but not while text is being composed', async () => {
    const element = await fixture<Element>(html`<tool-progress open .operation=${operation()}><input aria-label="note" /></tool-progress>`);
    const input = element.querySelector('input')!;
    input.focus();
    press(input, { isComposing: true });
    await drawn(element);
    expect(isOpen(element)).to.equal(true);
    press(input);
    await drawn(element);
    expect(isOpen(element)).to.equal(false);
    expect(element.shadowRoot!.activeElement).to.equal(toggle(element));
    expect(press(toggle(element)).defaultPrevented, 'what is closed leaves the key to the page').to.equal(false);
  });

  it('closes the inner one first', async () => {
    const nested = [{ operation: operation({ id: 'b' }), nested: [] }];
    const element = await fixture<Element>(html`<tool-progress open .operation=${operation()} .nested=${nested}></tool-progress>`);
    await drawn(element);
    const inner = part(element, 'nested')!.querySelector<Element>('tool-progress')!;
    toggle(inner).click();
    await drawn(inner);
    press(toggle(inner));
    await drawn(element);
    expect(isOpen(inner)).to.equal(false);
    expect(isOpen(element)).to.equal(true);
    press(toggle(inner));
    await drawn(element);
    expect(isOpen(element)).to.equal(false);
  });
});

describe('tool-progress: events', () => {
  it('tells that the reader opened or closed it, and which one', async () => {
    const element = await draw();
    setTimeout(() => toggle(element).click());
    const event = (await oneEvent(element, 'progress-toggle')) as ProgressToggleEvent;
    expect(event.open).to.equal(true);
    expect(event.operation).to.equal(element['operation']);
    expect(event.bubbles && event.composed).to.equal(true);
    await drawn(element);
    setTimeout(() => toggle(element).dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true })));
    const closed = (await oneEvent(element, 'progress-toggle')) as ProgressToggleEvent;
    expect(closed.open).to.equal(false);
    expect(closed.operation).to.equal(element['operation']);
  });

  it('names the inner one where that is opened', async () => {
    const inner = operation({ id: 'b', activeTitle: 'Compiling' });
    const nested = [{ operation: inner, nested: [] }];
    const element = await fixture<Element>(html`<tool-progress open .operation=${operation()} .nested=${nested}></tool-progress>`);
    await drawn(element);
    setTimeout(() => toggle(part(element, 'nested')!.querySelector<Element>('tool-progress')!).click());
    expect(((await oneEvent(element, 'progress-toggle')) as ProgressToggleEvent).operation).to.equal(inner);
  });

  it('leaves it to the page what is open, where the page keeps that to itself', async () => {
    const element = await draw();
    element.addEventListener('progress-toggle', (event) => event.preventDefault());
    toggle(element).click();
    await drawn(element);
    expect(isOpen(element)).to.equal(false);
    element.addEventListener('progress-toggle', ({ open }) => (element['open'] = open));
    toggle(element).click();
    await drawn(element);
    expect(isOpen(element)).to.equal(true);
    element['open'] = false;
    await drawn(element);
    expect(isOpen(element), 'no choice of the reader stands before what the page says').to.equal(false);
  });

  it('asks to cancel only where that is possible and offered', async () => {
    const offered = async (over: Partial<Operation>, actions = 'cancel retry') =>
      fixture<Element>(html`<tool-progress actions=${actions} .operation=${operation(over)}></tool-progress>`);
    expect(part(await offered({}), 'cancel')).to.equal(null);
    expect(part(await offered({ cancellable: true }, ''), 'cancel')).to.equal(null);
    const element = await offered({ cancellable: true });
    setTimeout(() => part(element, 'cancel')!.click());
    const event = (await oneEvent(element, 'progress-cancel-request')) as unknown as { operation: Operation };
    expect(event.operation.id).to.equal('a');
    const asked = await offered({ cancellable: true, cancelRequested: true });
    expect(part(asked, 'cancel')!.getAttribute('aria-disabled')).to.equal('true');
    expect(words(part(asked, 'pill')).toLowerCase()).to.equal('cancelling');
  });

  it('asks to run again what did not succeed', async () => {
    const element = await fixture<Element>(
      html`<tool-progress actions="retry" .operation=${operation({ state: 'failed' })}></tool-progress>`,
    );
    setTimeout(() => part(element, 'retry')!.click());
    const event = (await oneEvent(element, 'progress-retry-request')) as unknown as { operation: Operation };
    expect(event.operation.id).to.equal('a');
    const done = await fixture<Element>(
      html`<tool-progress actions="retry" .operation=${operation({ state: 'completed' })}></tool-progress>`,
    );
    expect(part(done, 'retry')).to.equal(null);
  });
});

describe('tool-progress: slots and parts', () => {
  it('has its slot for buttons whatever the state, and the one for details once they are open', async () => {
    for (const state of ['running', 'failed'] as const) {
      const element = await draw({ state });
      expect(element.shadowRoot!.querySelector('slot[name=actions]')).not.to.equal(null);
      if (state === 'running') toggle(element).click();
      await drawn(element);
      expect(element.shadowRoot!.querySelectorAll('slot').length).to.equal(2);
    }
  });

  it('exposes its parts to the page', async () => {
    const element = await draw({ current: 1, total: 2, message: 'm' });
    toggle(element).click();
    await drawn(element);
    for (const name of [
      'base',
      'head',
      'toggle',
      'title',
      'message',
      'pill',
      'label',
      'bar',
      'fill',
      'meta',
      'percent',
      'amount',
      'elapsed',
      'body',
    ]) {
      expect(part(element, name), name).not.to.equal(null);
    }
  });
});

describe('tool-progress: rendering', () => {
  it('renders once per frame however often it is told', async () => {
    const element = await draw({ current: 0, total: 100 });
    const title = part(element, 'percent')!;
    const seen: string[] = [];
    const observer = new MutationObserver((records) => seen.push(...records.map((record) => record.target.textContent ?? '')));
    observer.observe(title, { subtree: true, characterData: true, childList: true });
    for (let current = 1; current <= 50; current++) {
      element['operation'] = operation({ current, total: 100 });
      await Promise.resolve();
    }
    await drawn(element);
    observer.disconnect();
    expect(words(title)).to.equal('50%');
    expect(seen.length).to.be.at.most(2);
  });

  it('is thirty nodes at most while it runs closed', async () => {
    const element = await draw({ message: 'Compiling', current: 3, total: 9, unit: 'files' });
    const count = (node: Node): number => [...node.childNodes].reduce((sum, child) => sum + count(child), 1);
    expect(count(element.shadowRoot!)).to.be.at.most(30);
  });

  it('writes values without a render, and a change of state with the next frame', async () => {
    const startedAt = Date.now() - 9_000;
    const element = await draw({ current: 0, total: 100, message: 'one', startedAt });
    let renders = 0;
    const render = element['render'] as () => unknown;
    element['render'] = () => (renders++, render.call(element));
    for (let current = 1; current <= 5; current++) await change(element, { current, total: 100, message: `file ${current}`, startedAt });
    expect(renders).to.equal(0);
    expect(words(part(element, 'amount'))).to.equal('5 of 100');
    expect(words(part(element, 'message'))).to.equal('file 5');
    expect(barOf(element)!.getAttribute('aria-valuenow')).to.equal('5');
    element['operation'] = operation({ current: 6, total: 100 });
    element['operation'] = operation({ current: 7, total: 100, state: 'failed', error: { message: 'No.' } });
    await drawn(element);
    expect(renders).to.equal(1);
    expect(words(part(element, 'amount'))).to.equal('7 of 100');
    expect(words(part(element, 'message'))).to.equal('');
  });

  it('shows a property that was set before the element was defined', async () => {
    const late = document.createElement('tool-progress-late');
    (late as unknown as Record<string, unknown>)['operation'] = operation({ activeTitle: 'Early' });
    document.body.append(late);
    const { ToolProgress } = await import('@sitrep/elements/tool-progress');
    customElements.define('tool-progress-late', class extends ToolProgress {});
    await drawn(late as Element);
    expect(words(part(late, 'title'))).to.equal('Early');
    late.remove();
  });
});

describe('tool-progress: a part that speaks', () => {
  const quiet = operation({ updatedAt: Date.now() - 40_000 });
  const under = (updatedAt: number) => [{ operation: operation({ id: 'part', updatedAt }), nested: [] }];
  const state = (element: Element): string | undefined => part(element, 'label')?.textContent.trim().toLowerCase();

  it('keeps the whole from being called quiet', async () => {
    const element = await fixture<Element>(html`<tool-progress .operation=${quiet}></tool-progress>`);
    await drawn(element);
    expect(state(element)).to.equal('quiet');
    element['nested'] = under(Date.now());
    await drawn(element);
    expect(state(element)).to.equal('running');
    expect(allWords(element)).not.to.contain('no news');
    element['nested'] = under(Date.now() - 35_000);
    await drawn(element);
    expect(state(element)).to.equal('quiet');
    expect(allWords(element)).to.match(/no news for 3[5-9] sec/);
  });
});
