import { fixture, html } from '@open-wc/testing';
import { ProgressPlaceChangeEvent } from '@sitrep/elements';
import { create, drawn, part, run, type Element } from './support.ts';

export const steps = [
  { step: 'Inspect the failing route', status: 'completed' },
  { step: 'Repair the session owner', status: 'in_progress' },
  { step: 'Run focused verification', status: 'pending' },
];
export const body = (over: object = {}): object => ({ revision: 1, updatedAt: Date.now(), run: 'r', card: { plan: steps, ...over } });

export interface Shell {
  readonly shell: HTMLElement;
  readonly rail: HTMLElement;
  readonly surface: Element;
  /** Where the card was told to be, one after the other. */
  readonly places: (string | undefined)[];
  card(): Element;
  /** Every card there is. */
  cards(): number;
  resize(width: number): Promise<void>;
}

/** Frames enough for a size to be seen, answered, and seen to be answered. */
export async function frames(count = 4): Promise<void> {
  for (let left = count; left; left--) await new Promise((resolve) => requestAnimationFrame(resolve));
}

export function cardsIn(root: ParentNode): Element[] {
  return [...root.querySelectorAll<Element>('*')].flatMap((one) => [
    ...(one.localName === 'progress-card' ? [one] : []),
    ...(one.shadowRoot ? cardsIn(one.shadowRoot) : []),
  ]);
}

/** An application with a conversation, a composer and a rail, which the page shows where the shell is 700 pixels wide. */
export async function shell(over: Record<string, unknown> = {}, width = 900): Promise<Shell> {
  const box = await fixture<HTMLElement>(html`
    <div>
      <style>
        .app {
          container: app / inline-size;
        }
        .columns {
          display: flex;
        }
        .chat {
          flex: 1;
          min-inline-size: 0;
        }
        .transcript {
          overflow: auto;
          block-size: 300px;
        }
        .transcript > div {
          block-size: 4000px;
        }
        #rail {
          inline-size: 280px;
        }
        @container app (inline-size < 700px) {
          #rail {
            display: none;
          }
        }
      </style>
      <div class="app">
        <div class="columns">
          <div class="chat">
            <div class="transcript" tabindex="0"><div></div></div>
            <textarea></textarea>
          </div>
          <aside id="rail"></aside>
        </div>
      </div>
    </div>
  `);
  const app = box.querySelector<HTMLElement>('.app')!;
  app.style.inlineSize = `${width}px`;
  const surface = Object.assign(create('progress-surface'), {
    rail: 'rail',
    heading: 'Fix it',
    card: body(),
    runs: [run()],
    operations: [],
    ...over,
  });
  const places: (string | undefined)[] = [];
  surface.addEventListener('progress-place-change', (event) => places.push((event as ProgressPlaceChangeEvent).place));
  box.querySelector('textarea')!.before(surface);
  const one: Shell = {
    shell: app,
    rail: box.querySelector<HTMLElement>('#rail')!,
    surface,
    places,
    card: () => cardsIn(box)[0]!,
    cards: () => cardsIn(box).length,
    async resize(to) {
      app.style.inlineSize = `${to}px`;
      await frames();
    },
  };
  await surface.updateComplete;
  await frames();
  if (one.cards()) await drawn(one.card());
  return one;
}
export const inRail = ({ card, rail }: Shell): boolean => card().parentElement === rail;
export const toggle = (one: Shell): HTMLElement => part(one.card(), 'toggle')!;
export const isOpen = (one: Shell): boolean => !part(one.card(), 'body')!.hidden;
