import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '@sitrep/elements/define/tool-progress';
import type { Operation } from '@sitrep/schema';
import { allWords, barOf, create, drawn, expectNoOverflow, operation, part, until, words, type Element } from './support.ts';

const draw = async (over: Partial<Operation> = {}, properties: Record<string, unknown> = {}): Promise<Element> => {
  const element = create('tool-progress');
  Object.assign(element, properties, { operation: operation(over) });
  (await fixture<HTMLElement>(html`<div></div>`)).append(element);
  await drawn(element);
  return element;
};
const change = async (element: Element, over: Partial<Operation>): Promise<void> => {
  element['operation'] = operation(over);
  await drawn(element);
};
const amount = (element: HTMLElement): string => words(part(element, 'amount'));
const pill = (element: HTMLElement): string => words(part(element, 'pill')).toLowerCase();
const later = async (ms: number, element: Element): Promise<() => void> => {
  const real = Date.now;
  const at = real() + ms;
  Date.now = () => at;
  (element as unknown as { requestUpdate(): void }).requestUpdate();
  await drawn(element);
  return () => void (Date.now = real);
};
const has = (element: HTMLElement, state: string): boolean => {
  try {
    return element.matches(`:state(${state})`);
  } catch {
    return true; // an engine without custom states
  }
};

describe('tool-progress: what it is at, how fast, and since when', () => {
  it('says which attempt it is, and of how many where the page knows', async () => {
    expect(amount(await draw({ attempt: 1, current: 3, total: 9 }))).to.equal('3 of 9');
    const element = await draw({ attempt: 2, current: 3, total: 9 });
    expect(amount(element)).to.equal('3 of 9 · attempt 2');
    element['attempts'] = 3;
    await drawn(element);
    expect(amount(element)).to.equal('3 of 9 · attempt 2 of 3');
    await change(element, { attempt: 4, current: 3, total: 9 });
    expect(amount(element)).to.equal('3 of 9 · attempt 4');
  });

  it('says rate and time left once they can be relied on, and takes them back when it stands still', async () => {
    const element = await draw({ current: 0, total: 400, unit: 'files' });
    const begun = Date.now();
    let step = 0;
    await until(() => {
      step++;
      element['operation'] = operation({ current: step * 2, total: 400, unit: 'files', updatedAt: begun + step * 500, seq: step });
      return /files\/s · about .+ left/.test(amount(element));
    }, 'the estimate is shown');
    await drawn(element);
    expect(amount(element)).to.match(/^\d+ of 400 files · (3\.9|4) files\/s · about \d+ (sec|min) left$/);
    const back = await later(20_000, element);
    expect(amount(element)).to.match(/^\d+ of 400 files$/);
    back();
  });

  it('says how long nothing was heard, whatever is to blame, and no pace then', async () => {
    const updatedAt = Date.now() - 130_000;
    expect(amount(await draw({ current: 4, total: 9, updatedAt }))).to.equal('4 of 9 · no news for 2 min 10 sec');
    const since = Date.now() - 65_000;
    for (const state of ['reconnecting', 'lost'] as const)
      expect(amount(await draw({ current: 4, total: 9 }, { connection: { state, since } })), state).to.equal(
        '4 of 9 · no news for 1 min 5 sec',
      );
    expect(amount(await draw({ reason: 'stalled', updatedAt: Date.now() - 600_000 }))).to.equal('no news for 10 min 0 sec');
    expect(amount(await draw({ current: 4, total: 9 }, { connection: { state: 'reconnecting', since: Date.now() } }))).to.equal('4 of 9');
  });

  it('keeps each part of a line in its own order, where one is written from right to left', async () => {
    const element = await draw({ attempt: 2, current: 3, total: 9, unit: 'ملف' });
    expect(amount(element)).to.equal('\u20683 of 9 ملف\u2069 · \u2068attempt 2\u2069');
  });

  it('does not go on counting what stands still or was lost sight of', async () => {
    const at = Date.now();
    const took = { startedAt: at - 90_000, updatedAt: at - 30_000 };
    for (const [over, properties] of [
      [{ state: 'paused' }, {}],
      [{}, { run: { run: 'r', state: 'interrupted', updatedAt: at } }],
      [{}, { connection: { state: 'lost', since: at - 1000 } }],
      [{ reason: 'stalled' }, {}],
    ] as const) {
      const element = await draw({ ...took, ...over }, properties);
      expect(words(part(element, 'elapsed')), JSON.stringify([over, properties])).to.equal('1 min 0 sec');
    }
  });

  it('says what is known of an end without an outcome, and only else that nobody said how', async () => {
    const detail = async (over: Partial<Operation>): Promise<string> =>
      words(part(await draw({ state: 'interrupted', ...over }), 'detail'));
    expect(await detail({})).to.equal('It ended, and nobody said how.');
    expect(await detail({ reason: 'producer_lost' })).to.equal('Nothing more was heard from whoever ran it.');
    expect(await detail({ reason: 'run_ended' })).to.equal('Its run ended first.');
    expect(await detail({ reason: 'disconnected' })).to.equal('Reason: disconnected');
    expect(await detail({ reason: 'taken_over' }), 'a code reads as words').to.equal('Reason: taken over');
    expect(await detail({ reason: 'see job_run' }), 'and what is none stays').to.equal('Reason: see job_run');
  });

  it('says what went wrong in two lines while closed, and all of it, line by line, once opened', async () => {
    const message = `It broke:\n${'at step\n'.repeat(30)}`;
    const element = await draw({ state: 'failed', error: { message, code: 'E7' } }, { open: false });
    // What is measured is the layout, whether or not an engine without a window takes it to be in sight.
    element.style.contentVisibility = 'visible';
    const closed = part(element, 'detail')!.getBoundingClientRect().height;
    expect(words(part(element, 'detail'))).to.contain('It broke');
    part(element, 'toggle')!.click();
    await drawn(element);
    expect(part(element, 'detail')!.getBoundingClientRect().height).to.be.greaterThan(closed * 5);
    expect(words(part(element, 'detail'))).to.contain('E7');
    expectNoOverflow(element);
  });
});

describe('tool-progress: asking to stop, to run again, to put away', () => {
  const cancel = (element: HTMLElement): HTMLButtonElement => part(element, 'cancel') as HTMLButtonElement;

  it('says that it was asked to stop, asks once, and can be asked again when nobody answers', async () => {
    const element = await draw({ cancellable: true }, { actions: 'cancel' });
    let asked = 0;
    element.addEventListener('progress-cancel-request', () => asked++);
    cancel(element).focus();
    cancel(element).click();
    await drawn(element);
    expect(words(cancel(element))).to.contain('cancelling');
    expect(cancel(element).getAttribute('aria-disabled')).to.equal('true');
    expect(element.shadowRoot!.activeElement === cancel(element), 'the focus stays').to.equal(true);
    expect(pill(element), 'what is true is still said').to.equal('running');
    cancel(element).click();
    expect(asked).to.equal(1);
    const back = await later(11_000, element);
    expect(words(cancel(element))).to.contain('Cancel');
    expect(cancel(element).hasAttribute('aria-disabled')).to.equal(false);
    cancel(element).click();
    expect(asked).to.equal(2);
    back();
  });

  it('goes from cancelling to the outcome, and takes the focus along', async () => {
    const element = await draw({ cancellable: true }, { actions: 'cancel' });
    cancel(element).focus();
    cancel(element).click();
    await change(element, { cancellable: true, cancelRequested: true });
    expect(pill(element)).to.equal('cancelling');
    await change(element, { state: 'cancelled', cancelRequested: true });
    expect(pill(element)).to.equal('cancelled');
    expect(part(element, 'cancel')).to.equal(null);
    expect(element.shadowRoot!.activeElement === part(element, 'toggle')).to.equal(true);
  });

  it('lets a request that the record itself tells of be repeated, too', async () => {
    const element = await draw({ cancellable: true, cancelRequested: true }, { actions: 'cancel' });
    expect(cancel(element).getAttribute('aria-disabled')).to.equal('true');
    const back = await later(11_000, element);
    expect(cancel(element).hasAttribute('aria-disabled')).to.equal(false);
    expect(pill(element)).to.equal('cancelling');
    back();
  });

  it('shows nothing of a request that the page holds back', async () => {
    const element = await draw({ cancellable: true }, { actions: 'cancel' });
    element.addEventListener('progress-cancel-request', (event) => event.preventDefault());
    cancel(element).click();
    await drawn(element);
    expect(words(cancel(element))).to.contain('Cancel');
    expect(cancel(element).hasAttribute('aria-disabled')).to.equal(false);
  });

  it('asks to put away only what has ended, and goes on showing it', async () => {
    expect(part(await draw({}, { actions: 'dismiss' }), 'dismiss')).to.equal(null);
    for (const state of ['completed', 'failed', 'cancelled', 'denied', 'interrupted'] as const) {
      const element = await draw({ state }, { actions: 'retry dismiss' });
      expect(part(element, 'retry') === null).to.equal(state === 'completed');
      setTimeout(() => part(element, 'dismiss')!.click());
      const event = (await oneEvent(element, 'progress-dismiss-request')) as unknown as { operation: Operation; composed: boolean };
      expect(event.operation.state).to.equal(state);
      expect(event.composed).to.equal(true);
      await drawn(element);
      expect(words(part(element, 'title'))).to.equal('Build project');
    }
  });

  it('forgets the choice of the reader only when it shows another operation', async () => {
    const element = await draw({ id: 'one' });
    part(element, 'toggle')!.click();
    await change(element, { id: 'one', attempt: 2 });
    expect(part(element, 'toggle')!.getAttribute('aria-expanded')).to.equal('true');
    await change(element, { id: 'two' });
    expect(part(element, 'toggle')!.getAttribute('aria-expanded')).to.equal('false');
  });
});

describe('tool-progress: no flash', () => {
  const opacity = (element: HTMLElement): string => getComputedStyle(part(element, 'bar')!).opacity;

  it('shows no bar of work that is over before the delay, and says its end at once', async () => {
    const element = await draw({ startedAt: Date.now(), current: 1, total: 2 }, { showDelay: 60_000 });
    expect(opacity(element)).to.equal('0');
    expect(barOf(element)!.getAttribute('aria-valuenow'), 'it is there for who listens').to.equal('50');
    element['operation'] = operation({ state: 'completed', startedAt: Date.now(), current: 2, total: 2 });
    await drawn(element);
    expect(part(element, 'bar')!.hidden).to.equal(true);
    expect(pill(element)).to.equal('completed');
    expect(has(element, 'completed')).to.equal(true);
  });

  it('shows the bar after the delay, without anything else happening', async () => {
    const element = await draw({ startedAt: Date.now() }, { showDelay: 150 });
    await until(() => opacity(element) === '1', 'the bar is seen');
  });

  it('shows at once what has been going on for longer, and what had ended before', async () => {
    expect(opacity(await draw({ startedAt: Date.now() - 60_000 }, { showDelay: 1000 }))).to.equal('1');
    const over = await draw({ state: 'failed', startedAt: Date.now(), current: 1, total: 2 }, { showDelay: 60_000 });
    expect(part(over, 'bar')!.hidden).to.equal(false);
    expect(opacity(over)).to.equal('1');
  });

  it('keeps a bar that was shown for a moment, for the eye alone, and then takes it away', async () => {
    const element = await draw({}, { showDelay: 0, minVisible: 60_000 });
    await change(element, { state: 'failed' });
    expect(part(element, 'bar')!.hidden).to.equal(false);
    expect(barOf(element), 'the end is no progress any more').to.equal(null);
    expect(pill(element)).to.equal('failed');
    const brief = await draw({}, { minVisible: 300 });
    await change(brief, { state: 'failed' });
    await until(() => part(brief, 'bar')!.hidden === true, 'the bar is gone');
  });

  it('begins afresh with another attempt', async () => {
    const element = await draw({ startedAt: Date.now() - 60_000 }, { showDelay: 30_000 });
    await change(element, { attempt: 2, startedAt: Date.now() });
    expect(opacity(element)).to.equal('0');
  });

  it('takes both as attributes', async () => {
    const element = await fixture<Element>(html`<tool-progress show-delay="7" min-visible="9" attempts="3"></tool-progress>`);
    expect([element['showDelay'], element['minVisible'], element['attempts']]).to.deep.equal([7, 9, 3]);
    expect(allWords(await draw({}))).to.contain('Building project');
  });
});
