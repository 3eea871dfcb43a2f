import { html } from 'lit';
import './workshop/signal-desk.ts';
import { expect, userEvent, waitFor } from 'storybook/test';
import { wordsOf, within } from './workshop/within.ts';
import type { Played } from './workshop/within.ts';

/** Where the page is not seen: the title and the icon of its tab while a session goes on. */
export default {
  title: 'Page signals',
  parameters: {
    docs: {
      description: {
        component:
          "Where the page is not seen: the title, the icon of its tab, the badge of an installed application, and notifications of the system.\n\n```js\nimport { signalPage } from '@sitrep/elements/page-signals';\n\nconst stop = signalPage(store, { notifications: true });\n```",
      },
    },
  },
  argTypes: { shown: { control: 'select', options: ['working', 'counted', 'needs you', 'failed', 'done', 'lost'] } },
  render: ({ shown }: { readonly shown: string }) => html`<signal-desk shown=${shown}></signal-desk>`,
};

const one = (shown: string) => ({ args: { shown } });
export const Working = one('working');
export const Counted = one('counted');
export const NeedsYou = one('needs you');
export const Failed = one('failed');
export const Done = one('done');
export const ConnectionLost = one('lost');

/** Title and icon follow the session, and the page has its own again at the end. */
export const Followed = {
  ...one('counted'),
  async play({ canvasElement: canvas }: Played) {
    const said = () => wordsOf(within(canvas, 'signal-desk', 'output'));
    await waitFor(() => expect(said()).toMatch(/^\(42%\) /));
    const choose = (text: string) =>
      [...canvas.querySelector('signal-desk')!.shadowRoot!.querySelectorAll('button')].find(
        (button) => button.textContent.trim() === text,
      )!;
    await userEvent.click(choose('needs you'));
    await waitFor(() => expect(said()).toMatch(/Needs you/i));
    const desk = canvas.querySelector('signal-desk')!;
    desk.remove();
    await expect(document.title).not.toMatch(/Needs you|42%/i);
  },
};
