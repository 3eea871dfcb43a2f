import { html } from 'lit';
import { ago, card, operation, plan, run } from '../../fixtures/records.ts';
import { drawn } from '../../workshop/element.ts';
import { hasFocus, inside, isOpen, note, once, was } from './key.ts';
import type { Key, Keyed } from './key.ts';

const title = inside('tool-progress', '[part="toggle"]');
const button = (part: string) => inside('tool-progress', `[part="${part}"]`);
const cardTitle = inside('progress-card', '[part="toggle"]');
const dismiss = inside('progress-card', '[part="dismiss"]');

const opens = (what: string, find: typeof title): Key => ({
  does: `On the title: opens and closes ${what}.`,
  tries: [
    { from: find, press: 'Enter', sees: isOpen(true, find) },
    { press: 'Enter', sees: isOpen(false, find) },
    { press: ' ', sees: isOpen(true, find) },
    { press: ' ', sees: isOpen(false, find) },
  ],
});

export const toolProgress: Keyed = {
  tag: 'tool-progress',
  draw: () =>
    html`<div @progress-retry-request=${note} @progress-dismiss-request=${note}>
      ${drawn('tool-progress', {
        actions: 'retry dismiss',
        open: false,
        operation: operation({ state: 'failed', title: 'Run tests', endedAt: ago(4), error: { message: 'Disk full.' } }),
      })}
    </div>`,
  ready: (place) => button('dismiss')(place) !== null,
  keys: [
    opens('the details', title),
    {
      does: 'On a button: asks for what it says.',
      tries: [
        { from: button('retry'), press: 'Enter', sees: was('progress-retry-request') },
        { from: button('dismiss'), press: ' ', sees: was('progress-dismiss-request') },
      ],
    },
    {
      does: 'Closes what is open around the focus, and goes back to its title.',
      tries: [
        {
          before: (place) => title(place)?.click(),
          from: once(isOpen(true, title), button('retry')),
          press: 'Escape',
          sees: (place) => isOpen(false, title)(place) && hasFocus(title)(place),
        },
      ],
    },
  ],
};

const inCard = (place: HTMLElement): HTMLElement | null => {
  const root = place.querySelector('progress-card')?.shadowRoot;
  return root ? title(root) : null;
};

export const progressCard: Keyed = {
  tag: 'progress-card',
  draw: () =>
    html`<div @progress-dismiss-request=${note}>
      ${drawn('progress-card', {
        heading: 'Release 2.4',
        open: false,
        actions: 'dismiss',
        card: card({ plan }, { run: 'turn-1' }),
        operations: [operation({ id: 'a', run: 'turn-1', state: 'failed', endedAt: ago(4), error: { message: 'Disk full.' } })],
        runs: [run({ state: 'failed', endedAt: ago(4) })],
      })}
    </div>`,
  ready: (place) => dismiss(place) !== null,
  keys: [
    opens('the card', cardTitle),
    { does: 'On a button: asks for what it says.', tries: [{ from: dismiss, press: 'Enter', sees: was('progress-dismiss-request') }] },
    {
      does: 'Closes what is open around the focus, the innermost first, and goes back to its title.',
      tries: [
        {
          before: (place) => {
            cardTitle(place)?.click();
            const opened = setInterval(() => {
              const row = inCard(place);
              if (!row?.checkVisibility()) return;
              clearInterval(opened);
              if (row.getAttribute('aria-expanded') === 'false') row.click();
            });
          },
          from: once((place) => isOpen(true, cardTitle)(place) && isOpen(true, inCard)(place), inCard),
          press: 'Escape',
          sees: (place) => isOpen(false, inCard)(place) && isOpen(true, cardTitle)(place) && hasFocus(inCard)(place),
        },
        { press: 'Escape', sees: (place) => isOpen(false, cardTitle)(place) && hasFocus(cardTitle)(place) },
      ],
    },
  ],
};
