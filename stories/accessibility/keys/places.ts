import { html } from 'lit';
import type { SessionView } from '@sitrep/client';
import { changing } from '../../fixtures/changing.ts';
import { BASE, serve } from '../../fixtures/gateway.ts';
import { ago, card, now, operation, plan, run, session } from '../../fixtures/records.ts';
import { drawn } from '../../workshop/element.ts';
import { hasFocus, inside, isOpen, once } from './key.ts';
import type { Keyed } from './key.ts';

const view = session({
  title: 'Release 2.4',
  card: card({ plan, markdown: 'See [the run](https://example.org/run).' }, { run: 'turn-1' }),
  runs: [run()],
  operations: [operation({ id: 'a', run: 'turn-1', message: 'Compiling', fraction: 0.4 })],
});

const retry = inside('progress-provider', '[part="banner-retry"]');
/** A store whose connection is lost until somebody comes to it once more. */
let back = false;
function lost(): unknown {
  back = false;
  const store = changing(session({ ...view, connection: { state: 'lost', since: ago(60) } }));
  return {
    ...store,
    subscribe(listener: (shown: SessionView) => void) {
      if (back) store.set({ connection: { state: 'live', since: now } });
      return store.subscribe(listener);
    },
  };
}
export const progressProvider: Keyed = {
  tag: 'progress-provider',
  draw: () => html`<br />${drawn('progress-provider', { store: lost() }, html`<status-pill summary></status-pill>`)}`,
  ready: (place) => retry(place) !== null,
  keys: [
    {
      does: 'On “Try again”: has the connection made again.',
      tries: [{ before: () => void (back = true), from: retry, press: 'Enter', sees: (place) => retry(place) === null }],
    },
  ],
};

const folded = inside('progress-card', '[part="toggle"]');
/** The card of the surface: wherever it is, it is the only one in the place. */
const title = (place: ParentNode): HTMLElement | null => {
  const root = place.querySelector('progress-surface')?.shadowRoot;
  return folded(place) ?? (root ? folded(root) : null);
};
export const progressSurface: Keyed = {
  tag: 'progress-surface',
  draw: () =>
    html`<main>
      <p>The redirect is decided before the session has an owner.</p>
      ${drawn('progress-surface', { heading: 'Release 2.4', open: false, card: view.card, runs: [run({ updatedAt: ago(4) })] })}
      <textarea aria-label="Write a message"></textarea>
    </main>`,
  ready: (place) => title(place) !== null,
  keys: [
    {
      does: 'On the title: unfolds and folds the card.',
      tries: [
        { from: title, press: 'Enter', sees: isOpen(true, title) },
        { press: 'Enter', sees: isOpen(false, title) },
      ],
    },
    {
      does: 'Folds the card beside the composer, and goes back to its title.',
      tries: [
        {
          before: (place) => title(place)?.click(),
          from: once(isOpen(true, title), title),
          press: 'Escape',
          sees: (place) => isOpen(false, title)(place) && hasFocus(title)(place),
        },
      ],
    },
  ],
};

const link = (place: ParentNode): HTMLElement | null => place.querySelector('a');
const shown =
  (open: boolean) =>
  (place: HTMLElement): boolean =>
    place.querySelector('progress-peek')?.matches(':state(open)') === open;
export const progressPeek: Keyed = {
  tag: 'progress-peek',
  draw: () => {
    serve({ 'keys-peeked': view });
    return html`<button>Before</button> This waits for
      ${drawn('progress-peek', { src: `${BASE}/keys-peeked` }, html`<a href="#there">the release</a>`)}. <button>Behind</button>`;
  },
  ready: (place) => link(place) !== null,
  keys: [
    {
      does: 'To a reference: shows its card. On a reference whose card can be used: goes into the card.',
      tries: [
        {
          from: (place) => place.querySelector('button'),
          press: 'Tab',
          byHand: true,
          sees: (place) => hasFocus(link)(place) && shown(true)(place),
        },
        { press: 'Tab', byHand: true, sees: (place) => shown(true)(place) && !hasFocus(link)(place) },
      ],
    },
    {
      does: 'Takes the card away; the focus is on the reference.',
      tries: [
        {
          before: (place) => link(place)?.focus(),
          from: once(shown(true), link),
          press: 'Escape',
          sees: (place) => shown(false)(place) && hasFocus(link)(place),
        },
      ],
    },
  ],
};
