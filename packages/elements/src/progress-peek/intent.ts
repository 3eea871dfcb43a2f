import { Depths } from './depths.ts';

/** How the reader turned to a reference. */
export type Way = 'pointer' | 'focus' | 'touch';

/** What the reader does, told to the one who shows the cards. */
export interface IntentHost {
  /** The reference an event happened in, if there is one. */
  find(event: Event): HTMLElement | undefined;
  /** The reader has turned to a reference. */
  turned(reference: HTMLElement, way: Way): void;
  /** The reader has turned away from it. `to` is what has the pointer or the focus now. */
  left(reference: HTMLElement, way: Way, to: EventTarget | null): void;
  /** The reader follows the reference itself. */
  followed(reference: HTMLElement): void;
}

/** Milliseconds a finger rests on a reference until that means its card, and not the reference. */
const LONG = 500;
/** CSS pixels a finger may stray meanwhile. */
const STRAY = 10;

/** Events that one of them has answered: a reference may lie in the reach of several. */
const answered = new WeakSet<Event>();

/** Listens, once for all references in its reach, to what shows that the reader wants to know more. */
export class Intent {
  readonly #host: IntentHost;
  #scope: EventTarget | undefined;
  /** What the pointer and the focus are on, and are heard to leave. */
  readonly #on: Record<Way, HTMLElement | undefined> = { pointer: undefined, focus: undefined, touch: undefined };
  #touched: { reference: HTMLElement; x: number; y: number; timer: ReturnType<typeof setTimeout>; callout: string } | undefined;
  /** The finger asked for the card: what comes of lifting it is no click. */
  #swallow = false;
  readonly #listeners: Readonly<Record<string, (event: never) => void>>;
  readonly #overDepths = new Depths('pointerover', (event: PointerEvent) => this.#over(event));
  readonly #focusDepths = new Depths('focusin', (event: FocusEvent) => this.#focus(event));

  constructor(host: IntentHost) {
    this.#host = host;
    this.#listeners = {
      pointerover: (event: PointerEvent) => this.#over(event),
      pointerdown: (event: PointerEvent) => this.#down(event),
      pointermove: (event: PointerEvent) => this.#moved(event),
      pointerup: () => this.#lift(),
      pointercancel: () => this.#lift(),
      focusin: (event: FocusEvent) => this.#focus(event),
      contextmenu: (event: MouseEvent) => this.#menu(event),
      click: (event: MouseEvent) => this.#click(event),
    };
  }

  /** Listens in this part of the page, or nowhere. */
  listen(scope: EventTarget | undefined): void {
    if (scope === this.#scope) return;
    for (const [type, listener] of Object.entries(this.#listeners)) {
      this.#scope?.removeEventListener(type, listener as EventListener, type === 'click');
      scope?.addEventListener(type, listener as EventListener, type === 'click');
    }
    this.#scope = scope;
    this.#overDepths.stop();
    this.#focusDepths.stop();
    this.#turn('pointer', undefined);
    this.#turn('focus', undefined);
    this.#lift();
  }

  #find(event: Event): HTMLElement | undefined {
    if (answered.has(event)) return undefined;
    const reference = this.#host.find(event);
    if (reference) answered.add(event);
    return reference;
  }

  #over(event: PointerEvent): void {
    this.#overDepths.follow(event);
    // With a button held something is dragged or selected.
    if (event.pointerType === 'touch' || event.buttons) return;
    const reference = this.#find(event);
    if (reference) this.#turn('pointer', reference);
  }

  #focus(event: FocusEvent): void {
    this.#focusDepths.follow(event);
    const reference = this.#find(event);
    const on = event.composedPath()[0];
    if (reference && on instanceof Element && on.matches(':focus-visible')) this.#turn('focus', reference);
  }

  /** Where it ends is heard at the reference itself: from within a shadow root it is not told to anybody else. */
  #turn(way: 'pointer' | 'focus', reference: HTMLElement | undefined): void {
    const end = way === 'pointer' ? 'pointerleave' : 'focusout';
    this.#on[way]?.removeEventListener(end, this.#end);
    this.#on[way] = reference;
    reference?.addEventListener(end, this.#end);
    if (reference) this.#host.turned(reference, way);
  }

  readonly #end = (event: Event): void => {
    const reference = event.currentTarget as HTMLElement;
    const { relatedTarget: to, type } = event as PointerEvent | FocusEvent;
    if (reference.contains(to as Node | null)) return;
    const way = type === 'focusout' ? 'focus' : 'pointer';
    this.#turn(way, undefined);
    this.#host.left(reference, way, to);
  };

  #down(event: PointerEvent): void {
    this.#lift();
    this.#swallow = false;
    const reference = event.pointerType === 'touch' && event.isPrimary ? this.#find(event) : undefined;
    if (!reference) return;
    const { clientX: x, clientY: y } = event;
    const timer = setTimeout(() => {
      this.#swallow = true;
      this.#host.turned(reference, 'touch');
    }, LONG);
    // The browser's own sheet about a link would lie over the card.
    const callout = reference.style.getPropertyValue('-webkit-touch-callout');
    reference.style.setProperty('-webkit-touch-callout', 'none');
    this.#touched = { reference, x, y, timer, callout };
  }

  #moved({ clientX, clientY, pointerType }: PointerEvent): void {
    if (this.#touched && pointerType === 'touch' && Math.hypot(clientX - this.#touched.x, clientY - this.#touched.y) > STRAY) this.#lift();
  }

  #lift(): void {
    if (!this.#touched) return;
    const { reference, timer, callout } = this.#touched;
    clearTimeout(timer);
    if (callout) reference.style.setProperty('-webkit-touch-callout', callout);
    else reference.style.removeProperty('-webkit-touch-callout');
    if (!reference.getAttribute('style')) reference.removeAttribute('style');
    this.#touched = undefined;
  }

  /** A finger that rests also asks for the menu; it gets the card instead. The menu of a mouse or a key is left alone. */
  #menu(event: MouseEvent): void {
    const touched = this.#touched;
    if (!this.#swallow && !touched) return;
    event.preventDefault();
    if (!touched || this.#swallow) return;
    clearTimeout(touched.timer);
    this.#swallow = true;
    this.#host.turned(touched.reference, 'touch');
  }

  #click(event: MouseEvent): void {
    const reference = this.#find(event);
    if (!reference) return;
    if (!this.#swallow) return this.#host.followed(reference);
    this.#swallow = false;
    event.preventDefault();
    event.stopPropagation();
  }
}
