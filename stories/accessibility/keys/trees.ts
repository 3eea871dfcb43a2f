import { html } from 'lit';
import { createHistory, createStore } from '@sitrep/client';
import { ago, operation } from '../../fixtures/records.ts';
import { drawn } from '../../workshop/element.ts';
import { hasFocus, inside, isOpen, once } from './key.ts';
import type { Key, Keyed } from './key.ts';

const operations = [
  operation({ id: 'release', activeTitle: 'Release' }),
  operation({ id: 'compile', parent: 'release', title: 'Compile', state: 'completed', endedAt: ago(9) }),
  operation({ id: 'deploy', activeTitle: 'Deploy' }),
  operation({ id: 'upload', parent: 'deploy', title: 'Upload', state: 'completed', endedAt: ago(9) }),
  operation({ id: 'test', title: 'Test', state: 'failed', endedAt: ago(4), error: { message: '1 of 131 failed.' } }),
];

type Find = (place: HTMLElement) => HTMLElement | null | undefined;

/** What the keys of a tree do, in the element that has one. */
function treeKeys(tag: string, button: string): readonly Key[] {
  const row =
    (title: string): Find =>
    (place) =>
      [...(place.querySelector(tag)?.shadowRoot?.querySelectorAll<HTMLElement>('[role="row"]') ?? [])].find((one) =>
        [...one.querySelectorAll('*')].some((part) => part.children.length === 0 && part.textContent.trim() === title),
      );
  const retry: Find = (place) => row('Test')(place)?.querySelector<HTMLElement>(button);
  const at = (title: string) => hasFocus(row(title));
  /** On a row, or on what is found in it, with these rows open and no others: by keys that this is not about. */
  const on = (title: string, open: readonly string[] = [], find: Find = row(title)) => {
    const others = ['Release', 'Deploy', 'Test'].map((one) => [row(one), open.includes(one)] as const);
    return {
      before(place: HTMLElement): void {
        for (const [one, opened] of others) {
          if (isOpen(opened, one)(place)) continue;
          one(place)?.focus();
          one(place)?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, cancelable: true }));
        }
      },
      from: once((place) => others.every(([one, opened]) => isOpen(opened, one)(place)), find),
    };
  };
  return [
    {
      does: 'Next row, previous row.',
      tries: [
        { ...on('Release'), press: 'ArrowDown', sees: at('Deploy') },
        { press: 'ArrowUp', sees: at('Release') },
      ],
    },
    {
      does: 'Opens the row; on an open one goes to the first row below it, where there is none to its buttons.',
      tries: [
        { ...on('Release'), press: 'inwards', sees: isOpen(true, row('Release')) },
        { press: 'inwards', sees: at('Compile') },
        { ...on('Test'), press: 'inwards', sees: isOpen(true, row('Test')) },
        { press: 'inwards', sees: hasFocus(retry) },
      ],
    },
    {
      does: 'From a button to its row; closes an open row; on a closed one goes to the row above it.',
      tries: [
        { ...on('Test', ['Test'], retry), press: 'outwards', sees: at('Test') },
        { ...on('Release', ['Release']), press: 'outwards', sees: isOpen(false, row('Release')) },
        { ...on('Compile', ['Release']), press: 'outwards', sees: at('Release') },
      ],
    },
    {
      does: 'First, last, one window up, one window down.',
      tries: [
        { ...on('Test'), press: 'Home', sees: at('Release') },
        { press: 'End', sees: at('Test') },
        { press: 'PageUp', sees: at('Release') },
        { press: 'PageDown', sees: at('Test') },
      ],
    },
    {
      does: 'Opens and closes the row.',
      tries: [
        { ...on('Release'), press: 'Enter', sees: isOpen(true, row('Release')) },
        { press: 'Enter', sees: isOpen(false, row('Release')) },
        { press: ' ', sees: isOpen(true, row('Release')) },
        { press: ' ', sees: isOpen(false, row('Release')) },
      ],
    },
    {
      does: 'Opens everything beside the row.',
      tries: [
        {
          ...on('Release'),
          press: '*',
          sees: (place) => isOpen(true, row('Release'))(place) && isOpen(true, row('Deploy'))(place),
        },
      ],
    },
    {
      does: 'A letter, or the first few of them: the next row whose name begins with them.',
      tries: [{ ...on('Release'), press: 't', sees: at('Test') }],
    },
    {
      does: 'From a button to its row; closes an open row.',
      tries: [
        { ...on('Test', ['Test'], retry), press: 'Escape', sees: at('Test') },
        { ...on('Release', ['Release']), press: 'Escape', sees: isOpen(false, row('Release')) },
      ],
    },
  ];
}

const hasRows = (tag: string) => (place: HTMLElement) =>
  (place.querySelector(tag)?.shadowRoot?.querySelectorAll('[role="row"]').length ?? 0) > 2;
const filter =
  (index: number): Find =>
  (place) =>
    [...(place.querySelector('progress-list')?.shadowRoot?.querySelectorAll<HTMLElement>('[part="filter"]') ?? [])].at(index);

export const progressList: Keyed = {
  tag: 'progress-list',
  draw: () => drawn('progress-list', { heading: 'Release', actions: 'retry', operations }),
  ready: hasRows('progress-list'),
  keys: [
    ...treeKeys('progress-list', '[part="retry"]'),
    {
      does: 'On a filter: the next, the previous, the last, the first filter.',
      tries: [
        { from: filter(0), press: 'inwards', sees: hasFocus(filter(1)) },
        { press: 'outwards', sees: hasFocus(filter(0)) },
        { press: 'End', sees: hasFocus(filter(-1)) },
        { press: 'Home', sees: hasFocus(filter(0)) },
      ],
    },
    {
      does: 'On a filter: shows what is in this state.',
      tries: [
        { from: filter(1), press: 'Enter', sees: (place) => filter(1)(place)?.getAttribute('aria-pressed') === 'true' },
        { from: filter(0), press: ' ', sees: (place) => filter(0)(place)?.getAttribute('aria-pressed') === 'true' },
      ],
    },
  ],
};

const slider = inside('progress-timeline', '[type="range"]') as (place: ParentNode) => HTMLInputElement | null;
const isPast =
  (past: boolean) =>
  (place: HTMLElement): boolean =>
    place.querySelector('progress-timeline')?.matches(':state(past)') === past;
const width = (place: HTMLElement): number => inside('progress-timeline', '[part="axis"]')(place)?.getBoundingClientRect().width ?? 0;
let before = 0;

/** The operations as they came, so that there is a past to go to. */
function lived(): unknown {
  const base = { type: 'operation', session: 'keys' };
  const begun = operations.map(({ id, parent, title, activeTitle }) => ({
    ...base,
    id,
    parent,
    title,
    activeTitle,
    state: 'running',
    at: ago(60),
  }));
  const ended = operations
    .filter(({ endedAt }) => endedAt !== undefined)
    .map(({ id, state, endedAt, error }) => ({ ...base, id, state, endedAt, error, at: endedAt }));
  return createStore({
    history: createHistory(),
    source: {
      open: async (sink, signal) => {
        sink.connection('live');
        [...begun, ...ended].forEach((event, index) => sink.frame(event, `e:${index + 1}`));
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  });
}

export const progressTimeline: Keyed = {
  tag: 'progress-timeline',
  draw: () => html`<progress-provider .store=${lived()}>${drawn('progress-timeline', { heading: 'Release' })}</progress-provider>`,
  ready: (place) => hasRows('progress-timeline')(place) && slider(place) !== null,
  keys: [
    ...treeKeys('progress-timeline', '[part="retry"]').filter(({ does }) => !/button/.test(does)),
    {
      does: 'Looks closer, less close.',
      tries: [
        {
          before: (place) => void (before = width(place)),
          from: inside('progress-timeline', '[role="row"][tabindex="0"]'),
          press: '+',
          sees: (place) => width(place) > before + 1,
        },
        { before: (place) => void (before = width(place)), press: '-', sees: (place) => width(place) < before - 1 },
      ],
    },
    {
      does: 'On the slider: to earlier and later changes, the first, and how it is now.',
      tries: [
        { from: slider, press: 'ArrowDown', byHand: true, sees: isPast(true) },
        { press: 'ArrowUp', byHand: true, sees: isPast(false) },
        { press: 'Home', byHand: true, sees: (place) => isPast(true)(place) && slider(place)?.value === slider(place)?.min },
        { press: 'End', byHand: true, sees: isPast(false) },
        { press: 'PageDown', byHand: true, sees: isPast(true) },
        { press: 'PageUp', byHand: true, sees: isPast(false) },
      ],
    },
  ],
};
