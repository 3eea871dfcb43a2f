import { focused } from '../display/composed.ts';

/** Keeps the focus among the notices while one goes and another comes, and brings it back to where it was before. */
export class Focus {
  readonly #box: HTMLElement;
  readonly #moved: () => void;
  #back: HTMLElement | undefined;
  /** The notice with the focus, by its session and its place in the row. */
  #on: { readonly session: string; readonly at: number } | undefined;

  /** `box` holds the notices; `moved` is called after the focus came or went. */
  constructor(box: HTMLElement, moved: () => void) {
    this.#box = box;
    this.#moved = moved;
  }

  /** What in it has the focus. */
  get active(): Element | null {
    const { activeElement } = this.#box.getRootNode() as ShadowRoot;
    return this.#box.contains(activeElement) ? activeElement : null;
  }

  /** The notices that are shown. */
  get toasts(): readonly HTMLElement[] {
    return [...this.#box.querySelectorAll<HTMLElement>('.toast')];
  }

  /** Goes to the first notice; from there back. False where there is none. */
  visit(): boolean {
    const first = this.#box.querySelector<HTMLElement>('.open');
    if (!first) return false;
    if (this.active) {
      this.leave();
      return true;
    }
    const active = focused();
    this.#back = active instanceof HTMLElement && active !== document.body ? active : undefined;
    first.focus();
    return true;
  }

  /** Goes back to what had the focus before. */
  leave(): void {
    const back = this.#back;
    this.forget();
    if (back?.isConnected) back.focus();
  }

  /** It is elsewhere, and stays there. */
  forget(): void {
    this.#on = this.#back = undefined;
  }

  /** Notes where the focus is, so that it does not get lost with the notice it is on. */
  readonly note = (event: FocusEvent): void => {
    if (event.type === 'focusin') {
      const toasts = this.toasts;
      const at = toasts.findIndex((one) => one.contains(event.target as Element));
      this.#on = at < 0 ? undefined : { session: toasts[at]!.dataset['session']!, at };
      // Whoever came by the key goes back where they were; whoever tabbed or clicked, too.
      const from = event.relatedTarget;
      if (from instanceof HTMLElement && !this.#box.contains(from)) this.#back ??= from;
    }
    // On its way from one to another it is nowhere for a moment.
    const stays = event.relatedTarget instanceof Node && this.#box.contains(event.relatedTarget);
    const left = event.type === 'focusout' && !stays ? (event.target as Element) : undefined;
    queueMicrotask(() => {
      // It went by itself, and not with the notice it was on.
      if (left?.isConnected && !this.active) this.forget();
      this.#moved();
    });
  };

  /** The notice with the focus went: the next one has it, or whatever had it before. */
  keep(): void {
    const { session, at } = this.#on ?? {};
    if (session === undefined || this.active) return;
    const toasts = this.toasts;
    const next = toasts.find(({ dataset }) => dataset['session'] === session) ?? toasts[Math.min(at!, toasts.length - 1)];
    if (next) next.querySelector<HTMLElement>('.open')!.focus();
    else this.leave();
  }
}
