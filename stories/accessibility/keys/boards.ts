import { html } from 'lit';
import type { ProgressBoard, ProgressMoveRequestEvent, ProgressToasts } from '@sitrep/elements';
import { team } from '../../fixtures/board.ts';
import { changing } from '../../fixtures/changing.ts';
import { BASE, serve } from '../../fixtures/gateway.ts';
import { now, run, session } from '../../fixtures/records.ts';
import { drawn } from '../../workshop/element.ts';
import { hasFocus, inside, note, was } from './key.ts';
import type { Keyed } from './key.ts';

const [first = '', second = ''] = Object.keys(team);
const widget = (place: ParentNode, key: string): HTMLElement | null =>
  [...(place.querySelector('progress-board')?.shadowRoot?.querySelectorAll<HTMLElement>('progress-widget') ?? [])].find(
    (one) => one.getAttribute('session') === key || (one as { session?: string }).session === key,
  ) ?? null;
const later = (place: ParentNode): HTMLElement | null =>
  widget(place, first)?.shadowRoot?.querySelector<HTMLElement>('[part="later"]') ?? null;
/** With the title of its session: so it is once that has come. */
const isNamed = (button: HTMLElement | null): boolean => button?.ariaLabel?.includes(':') ?? false;
/** With its card drawn. */
const hasCard = (one: HTMLElement | null): boolean => {
  const root = one?.shadowRoot;
  return root ? inside('progress-card', '[part="toggle"]')(root) !== null : false;
};
const moved = ({ target, order }: ProgressMoveRequestEvent): void => void ((target as ProgressBoard).sessions = order);

export const progressBoard: Keyed = {
  tag: 'progress-board',
  draw: () => {
    serve(team);
    return html`<div @progress-move-request=${moved}>
      ${drawn('progress-board', { src: BASE, editable: true, sessions: [first, second] })}
    </div>`;
  },
  ready: (place) => isNamed(later(place)) && [first, second].every((key) => hasCard(widget(place, key))),
  keys: [
    {
      does: 'On “Move later” of a widget: asks to move it. It keeps the focus where the page moves it.',
      tries: [
        {
          from: later,
          press: 'Enter',
          sees: (place) => {
            const board = place.querySelector<ProgressBoard>('progress-board');
            return board?.sessions?.[1] === first && widget(place, first)?.shadowRoot?.activeElement !== null;
          },
        },
      ],
    },
  ],
};

const part = (name: string) => inside('progress-widget', `[part="${name}"]`);
export const progressWidget: Keyed = {
  tag: 'progress-widget',
  draw: () => {
    serve(team);
    return html`<div @progress-unpin-request=${note} @progress-move-request=${note}>
      ${drawn('progress-widget', { base: BASE, session: first, editable: true })}
    </div>`;
  },
  ready: (place) => isNamed(part('later')(place)) && hasCard(place.querySelector('progress-widget')),
  keys: [
    {
      does: 'On a button: asks to move or to unpin.',
      tries: [
        { from: part('later'), press: 'Enter', sees: was('progress-move-request') },
        { from: part('unpin'), press: ' ', sees: was('progress-unpin-request') },
      ],
    },
  ],
};

const notices = (place: ParentNode): readonly HTMLElement[] => [
  ...(place.querySelector('progress-toasts')?.shadowRoot?.querySelectorAll<HTMLElement>('[part="open"]') ?? []),
];
const input = (place: ParentNode): HTMLElement | null => place.querySelector('input');
const isInside = (place: HTMLElement): boolean => (place.querySelector('progress-toasts')?.shadowRoot?.activeElement ?? null) !== null;

const told = new WeakSet<ProgressToasts>();
/** Two sessions fail as soon as the notices are there. */
function tell(toasts: ProgressToasts): void {
  told.add(toasts);
  for (const key of ['migrate', 'login']) {
    const store = changing(session({ session: key, title: `Task ${key}`, usage: undefined, runs: [run()] }));
    toasts.watch(store);
    store.set({ runs: [run({ state: 'failed', endedAt: now, reason: 'Disk full' })] });
  }
}
export const progressToasts: Keyed = {
  tag: 'progress-toasts',
  draw: () => html`<label>A message <input /></label>${drawn('progress-toasts', { stay: 0 })}`,
  ready: (place) => {
    const toasts = place.querySelector<ProgressToasts>('progress-toasts');
    if (!toasts?.hasUpdated) return false;
    if (!told.has(toasts)) tell(toasts);
    return notices(place).length === 2;
  },
  keys: [
    {
      does: 'Goes to the notices; from there back to where the reader was. “hotkey” names another key, or none.',
      tries: [
        { from: input, press: 'F8', sees: isInside },
        { press: 'F8', sees: hasFocus(input) },
      ],
    },
    {
      does: 'Dismisses the notice that has the focus; with the last one the focus goes back to where the reader was.',
      tries: [
        {
          before: (place) => input(place)?.focus(),
          from: (place) => notices(place)[0],
          press: 'Escape',
          sees: (place) => notices(place).length === 1 && isInside(place),
        },
        { press: 'Escape', sees: (place) => notices(place).length === 0 && hasFocus(input)(place) },
      ],
    },
  ],
};
