import { resetMouse, sendMouse } from '@web/test-runner-commands';
import type { ProgressPeek } from '@sitrep/elements';
import { run, until, words, type Element } from './support.ts';

type Opened = NonNullable<ReturnType<NonNullable<ProgressPeek['openSession']>>>;
type State = ReturnType<Opened['getSnapshot']>;

/** A session that a test holds itself. */
export class Held implements Opened {
  readonly #listeners = new Set<() => void>();
  #state: State;

  constructor(session: string, over: object = {}) {
    this.#state = {
      session: {
        session,
        loaded: true,
        card: {
          revision: 1,
          updatedAt: Date.now(),
          run: 'r',
          card: {
            plan: [
              { step: 'Inspect the failing route', status: 'completed' },
              { step: 'Repair the session owner', status: 'in_progress' },
              { step: 'Run focused verification', status: 'pending' },
            ],
          },
        },
        operations: [],
        runs: [run()],
        title: `Session ${session}`,
        usage: undefined,
        connection: { state: 'live', since: Date.now() },
        ...over,
      },
      error: undefined,
    };
  }

  /** Elements that watch it. */
  get watched(): number {
    return this.#listeners.size;
  }

  set(state: State): void {
    this.#state = state;
    for (const one of this.#listeners) one();
  }

  getSnapshot(): State {
    return this.#state;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  retry(): void {}
}

/** Every element there is, shadow roots included. */
export function everything(root: ParentNode = document): Element[] {
  return [...root.querySelectorAll<Element>('*')].flatMap((one) => [one, ...(one.shadowRoot ? everything(one.shadowRoot) : [])]);
}

/** The card over the page, wherever it hangs. */
export const popover = (): Element | undefined => everything().find((one) => one.matches('.sitrep-peek:popover-open'));
export const cardIn = (box: HTMLElement): Element => box.querySelector<Element>('progress-card')!;
/** What its card is called; undefined while there is none. */
export function shownTitle(): string | undefined {
  const box = popover();
  return box && words(cardIn(box).shadowRoot?.querySelector('[part=title]'));
}
export const showsNow = (title: string | undefined): Promise<void> => until(() => shownTitle() === title, `shown is ${title}`);

export const middle = (element: globalThis.Element): [number, number] => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
};
export const hover = (element: globalThis.Element): Promise<void> => sendMouse({ type: 'move', position: middle(element) });
export const away = (): Promise<void> => sendMouse({ type: 'move', position: [3, 3] });

/** Nothing of a test stays for the next one. */
export async function clear(): Promise<void> {
  for (const one of everything()) if (one.localName === 'progress-peek') one.remove();
  await resetMouse();
}
