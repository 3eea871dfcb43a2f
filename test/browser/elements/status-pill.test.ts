import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define/status-pill';
import { drawn, expectNoOverflow, operation, part, run, words, type Element } from './support.ts';

const draw = async (template: ReturnType<typeof html>): Promise<Element> => {
  const element = await fixture<Element>(template);
  await drawn(element);
  return element;
};
const word = (element: HTMLElement): string => words(part(element, 'label')).toLowerCase();

const WORDS: Readonly<Record<string, string>> = {
  pending: 'pending',
  running: 'running',
  waiting: 'waiting',
  blocked: 'needs you',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  denied: 'denied',
  interrupted: 'interrupted',
  connecting: 'connecting',
  quiet: 'quiet',
  stale: 'out of date',
  reconnecting: 'reconnecting',
  lost: 'connection lost',
  'needs-you': 'needs you',
};

describe('status-pill: accessibility', () => {
  it('says each state by word, drawing and colour together', async () => {
    for (const [state, expected] of Object.entries(WORDS)) {
      const element = await draw(html`<status-pill state=${state}></status-pill>`);
      expect(word(element), state).to.equal(expected);
      expect(element.shadowRoot!.querySelector('svg[aria-hidden=true] path[d]'), state).not.to.equal(null);
      await expect(element).to.be.accessible();
    }
  });

  it('keeps the word for assistive technology when compact', async () => {
    const element = await draw(html`<status-pill compact state="failed"></status-pill>`);
    expect(word(element)).to.equal('failed');
    expect(element.getBoundingClientRect().width).to.be.at.most(32);
  });
});

describe('status-pill: properties', () => {
  it('shows the state of its operation', async () => {
    const element = await draw(html`<status-pill .operation=${operation()}></status-pill>`);
    expect(word(element)).to.equal('running');
    element['operation'] = operation({ state: 'completed' });
    await drawn(element);
    expect(word(element)).to.equal('completed');
  });

  it('says that a running operation went quiet, and does not ask news of one that waits for a person', async () => {
    const updatedAt = Date.now() - 60_000;
    expect(word(await draw(html`<status-pill .operation=${operation({ updatedAt })}></status-pill>`))).to.equal('quiet');
    expect(word(await draw(html`<status-pill .operation=${operation({ updatedAt, state: 'blocked' })}></status-pill>`))).to.equal(
      'needs you',
    );
  });

  it('shows a live operation of an ended run as paused', async () => {
    const element = await draw(html`<status-pill .operation=${operation()} .run=${run({ state: 'completed' })}></status-pill>`);
    expect(word(element)).to.equal('paused');
    expect(element.shadowRoot!.querySelector('.moving') === null).to.equal(true);
  });

  it('adds a summary where asked', async () => {
    const record = operation({ current: 42, total: 100 });
    expect(words(part(await draw(html`<status-pill summary .operation=${record}></status-pill>`), 'summary'))).to.equal(
      'Building project 42%',
    );
    expect(part(await draw(html`<status-pill .operation=${record}></status-pill>`), 'summary')).to.equal(null);
  });

  it('cuts a long summary instead of overflowing', async () => {
    const box = await fixture<HTMLElement>(
      html`<div style="inline-size:200px">
        <status-pill summary .operation=${operation({ activeTitle: 'x'.repeat(300) })}></status-pill>
      </div>`,
    );
    const element = box.querySelector<Element>('status-pill')!;
    await drawn(element);
    expect(element.getBoundingClientRect().width).to.be.at.most(200);
    expectNoOverflow(element);
  });

  it('offers its state to the styles of the page', async function () {
    const element = await draw(html`<status-pill state="running"></status-pill>`);
    if (!CSS.supports('selector(:state(a))')) return;
    expect(element.matches(':state(running)')).to.equal(true);
    element['state'] = 'failed';
    await drawn(element);
    expect(element.matches(':state(running)')).to.equal(false);
    expect(element.matches(':state(failed)')).to.equal(true);
  });

  it('draws nothing when there is nothing to say', async () => {
    expect(words(part(await draw(html`<status-pill></status-pill>`), 'base'))).to.equal('');
  });
});
