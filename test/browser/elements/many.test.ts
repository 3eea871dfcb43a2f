import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define/progress-card';
import { clockLoad } from '../../../packages/elements/dist/display/clock.js';
import { speakerLoad } from '../../../packages/elements/dist/display/language.js';
import { sessions } from '../../../packages/elements/dist/display/session-link.js';
import { create, drawn, operation, part, run, until, words, type Element } from './support.ts';

const rows = async (count: number, over: object = {}): Promise<readonly Element[]> => {
  const box = await fixture<HTMLElement>(html`<div></div>`);
  const all = Array.from({ length: count }, (_none, id) => {
    const element = create('tool-progress');
    element['operation'] = operation({ id, ...over });
    return element;
  });
  box.append(...all);
  for (const element of all) await drawn(element);
  return all;
};

describe('many elements', () => {
  it('ask for no frame while nothing arrives, however much goes on in them', async () => {
    const [first] = await rows(30);
    const card = create('progress-card');
    Object.assign(card, { operations: [operation()], runs: [run()], open: true });
    first!.parentElement!.append(card);
    await drawn(card);
    const clock = (): string => words(part(first!, 'elapsed'));
    const ticks = async (): Promise<void> => {
      const before = clock();
      await until(() => clock() !== before, 'the clock goes on');
    };
    await ticks();
    let asked = 0;
    const real = window.requestAnimationFrame;
    window.requestAnimationFrame = (callback) => (asked++, real.call(window, callback));
    try {
      await ticks();
      await ticks();
      expect(asked).to.equal(0);
    } finally {
      window.requestAnimationFrame = real;
    }
  });

  it('leave nothing behind when they go, a thousand times', async () => {
    const before = [clockLoad().elements, speakerLoad(), sessions.waiting.size];
    const box = await fixture<HTMLElement>(html`<div></div>`);
    const tool = create('tool-progress');
    const card = create('progress-card');
    const pill = create('status-pill');
    tool['operation'] = pill['operation'] = operation();
    card['operations'] = [operation()];
    for (let times = 0; times < 1000; times++) {
      box.append(tool, card, pill);
      if (times % 250 === 0) for (const element of [tool, card, pill]) await drawn(element);
      box.replaceChildren();
    }
    for (const element of [tool, card, pill]) await drawn(element);
    for (let times = 0; times < 100; times++) {
      const fresh = create('tool-progress');
      fresh['operation'] = operation();
      box.append(fresh);
      if (times % 25 === 0) await drawn(fresh);
      fresh.remove();
    }
    await new Promise((resolve) => setTimeout(resolve));
    expect([clockLoad().elements, speakerLoad(), sessions.waiting.size]).to.deep.equal(before);
    box.append(tool);
    await drawn(tool);
    expect(words(part(tool, 'title')), 'it goes on where it is put back').to.equal('Building project');
  });

  it('hold the right words where they are out of sight, for whoever looks for them there', async () => {
    const all = await rows(60, { current: 1, total: 9 });
    const last = all.at(-1)!;
    const above = document.createElement('div');
    above.style.blockSize = '9000px';
    last.before(above);
    expect(last.getBoundingClientRect().top).to.be.greaterThan(window.innerHeight);
    last['operation'] = operation({ id: 59, current: 7, total: 9, message: 'A word to be found' });
    await until(() => words(part(last, 'message')) === 'A word to be found', 'the message is there');
    expect(words(part(last, 'amount'))).to.equal('7 of 9');
    last['operation'] = operation({ id: 59, current: 9, total: 9, state: 'completed' });
    await until(() => words(part(last, 'pill')) === 'completed', 'the end is there');
    expect(last.shadowRoot!.querySelector('[role=progressbar]')!.getAttribute('aria-valuenow')).to.equal('100');
  });

  it('turn their drawings while they are few, and stand still where nobody could look at one', async () => {
    const box = await fixture<HTMLElement>(html`<div></div>`);
    const more = async (count: number): Promise<void> => {
      const all = Array.from({ length: count }, (_none, index) => {
        const element = create(index % 2 ? 'status-pill' : 'progress-card');
        element[index % 2 ? 'operation' : 'operations'] = index % 2 ? operation() : [operation()];
        return element;
      });
      box.append(...all);
      for (const element of all) await drawn(element);
    };
    const turning = (): boolean =>
      part(box.firstElementChild as HTMLElement, 'pill')!
        .querySelector('svg')!
        .getAnimations().length > 0;
    await more(2);
    await until(turning, 'two turn');
    await more(50);
    await until(() => !turning(), 'fifty do not');
    while (box.childElementCount > 2) box.lastElementChild!.remove();
    await until(turning, 'those that are left turn again');
  });

  it('leave a card that is out of sight alone, and have it right when it comes into view', async () => {
    const box = await fixture<HTMLElement>(html`<div></div>`);
    box.style.paddingTop = '9000px';
    const card = create('progress-card');
    card['operations'] = [operation({ current: 0, total: 100 })];
    box.append(card);
    await drawn(card);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    let drawings = 0;
    const observer = new MutationObserver(() => drawings++);
    observer.observe(card.shadowRoot!, { subtree: true, childList: true, characterData: true, attributes: true });
    const start = performance.now();
    for (let done = 1; done <= 40; done++) {
      card['operations'] = [operation({ current: done, total: 100 })];
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(drawings).to.be.at.most(Math.ceil((performance.now() - start) / 1000) + 1);
    observer.disconnect();
    card.scrollIntoView();
    await until(() => words(part(card, 'current')).includes('40%'), 'it says the newest');
    box.style.paddingTop = '';
  });

  it('glide where few jump, and not where many do so together', async () => {
    const jump = async (count: number): Promise<number> => {
      const all = await rows(count, { current: 10, total: 100, startedAt: Date.now() - 9_000 });
      const box = all[0]!.parentElement!;
      const gliding = new Set<EventTarget>();
      for (const element of all) part(element, 'fill')!.addEventListener('animationstart', ({ target }) => gliding.add(target!));
      await new Promise((resolve) => setTimeout(resolve, 450));
      for (const [id, element] of all.entries()) element['operation'] = operation({ id, state: 'completed', current: 100, total: 100 });
      for (const element of all) await drawn(element);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      for (const element of all) expect(part(element, 'fill')!.style.inlineSize).to.equal('100%');
      box.remove();
      return gliding.size;
    };
    expect(await jump(3)).to.equal(3);
    expect(await jump(12)).to.equal(0);
  });

  it('write values less often where more than a screenful moves, and what ends with the next frame', async () => {
    const all = await rows(40, { current: 0, total: 100 });
    const [first] = all;
    let writes = 0;
    const observer = new MutationObserver((records) => (writes += records.length));
    const at = performance.now();
    for (let current = 1; current <= 3; current++) {
      for (const [id, element] of all.entries()) element['operation'] = operation({ id, current, total: 100, startedAt: at });
      await drawn(first!);
    }
    observer.observe(part(first!, 'percent')!, { characterData: true, subtree: true });
    for (let current = 4; current <= 40; current++) {
      for (const [id, element] of all.entries()) element['operation'] = operation({ id, current, total: 100, startedAt: at });
      await Promise.resolve();
    }
    await drawn(first!);
    observer.disconnect();
    expect(writes).to.be.at.most(2);
    expect(words(part(first!, 'percent'))).to.equal('40%');
  });
});
