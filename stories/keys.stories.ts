import { html } from 'lit';
import { expect, userEvent, waitFor } from 'storybook/test';
import './accessibility/key-walk.ts';
import type { Played } from './workshop/within.ts';

interface Walked extends Played {
  readonly step: (name: string, play: () => Promise<void>) => Promise<void>;
}
interface Args {
  readonly tag: string;
  readonly dir?: 'ltr' | 'rtl';
}

/**
 * Every key of every element, pressed: what the page about accessibility says of a key is looked at here. Where the tests walk through
 * them they press the keys of the browser.
 */
export default {
  title: 'Accessibility/Keys',
  tags: ['!autodocs', 'keys', 'played'],
  parameters: { controls: { disable: true }, actions: { disable: true } },
  render: ({ tag, dir = 'ltr' }: Args) => html`<key-walk tag=${tag} dir=${dir}></key-walk>`,
  async play({ canvasElement, step }: Walked) {
    const walk = canvasElement.querySelector('key-walk')!;
    if ('sweep' in globalThis) return;
    for (const [row, { says, tries, byHand }] of walk.outline.entries())
      await step(says, async () => {
        for (let index = 0; index < tries; index++) {
          if (byHand[index]) continue;
          const key = await walk.begin(row, index);
          if (key === 'Tab') await userEvent.tab();
          else await userEvent.keyboard(key === ' ' ? '[Space]' : key.length > 1 ? `{${key}}` : key);
          await waitFor(() => expect(walk.sees(row, index)).toBe(true));
        }
      });
  },
};

const of = (tag: string, dir?: 'rtl') => ({ args: { tag, ...(dir && { dir }) } });
export const ToolProgress = of('tool-progress');
export const ProgressCard = of('progress-card');
export const ProgressList = of('progress-list');
export const ProgressListRightToLeft = of('progress-list', 'rtl');
export const ProgressTimeline = of('progress-timeline');
export const ProgressProvider = of('progress-provider');
export const ProgressSurface = of('progress-surface');
export const ProgressPeek = of('progress-peek');
export const ProgressBoard = of('progress-board');
export const ProgressWidget = of('progress-widget');
export const ProgressToasts = of('progress-toasts');
