import { holds } from '../display/composed.ts';
import { topModal } from '../display/top-modal.ts';

/** The element whose notices have a place. */
interface PlaceHost extends HTMLElement {
  /** An element like this one, without a life of its own, that holds the notices in a dialog. */
  double(): HTMLElement;
}

/**
 * Where the notices stand: in the element, above everything; and while a modal dialog is open, in that dialog, since everything outside
 * of it is inert. It is one box that moves, so that there is one landmark and nothing is drawn twice.
 */
export class Place {
  readonly #host: PlaceHost;
  readonly #box: HTMLElement;
  #dialog: HTMLDialogElement | undefined;
  #double: HTMLElement | undefined;

  /** `box`: what is moved; it lies in the shadow root of `host`. */
  constructor(host: PlaceHost, box: HTMLElement) {
    this.#host = host;
    this.#box = box;
  }

  /** Goes where it can be reached, with what is to be shown; home, where there is nothing. */
  settle(): void {
    const modal = this.#host.isConnected && this.#stack ? topModal(this.#dialog) : undefined;
    const dialog = modal && !holds(modal, this.#host) ? modal : undefined;
    if (dialog !== this.#dialog || this.#double?.parentNode !== dialog) this.#move(dialog);
    const stack = this.#stack;
    if (stack && !stack.matches(':popover-open')) raise(stack);
  }

  /** Goes above what came to lie on it. */
  raise(): void {
    if (this.#stack) raise(this.#stack);
  }

  /** Goes back into the element. */
  leave(): void {
    this.#move(undefined);
  }

  #move(dialog: HTMLDialogElement | undefined): void {
    const before = this.#double;
    this.#dialog?.removeEventListener('close', this.#closed);
    this.#dialog = dialog;
    this.#double = dialog && this.#host.double();
    (this.#double ?? this.#host).shadowRoot!.append(this.#box);
    dialog?.addEventListener('close', this.#closed);
    if (this.#double) dialog!.append(this.#double);
    before?.remove();
  }

  readonly #closed = (): void => this.settle();

  get #stack(): HTMLElement | null {
    return this.#box.querySelector<HTMLElement>('.stack');
  }
}

/** Puts a popover on top of everything that lies in the top layer. */
function raise(stack: HTMLElement): void {
  try {
    if (stack.matches(':popover-open')) stack.hidePopover();
    stack.showPopover();
  } catch {
    // Without popovers it is fixed in its corner, above everything but dialogs.
  }
}
