import { expect, fixture, html } from '@open-wc/testing';
import { a11ySnapshot } from '@web/test-runner-commands';
import type { Operation } from '@sitrep/schema';
import '@sitrep/elements/define/progress-card';
import { create, drawn, operation, run } from './support.ts';

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
});
