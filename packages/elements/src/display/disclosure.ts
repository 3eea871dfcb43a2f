import type { Operation } from '@sitrep/schema';
import type { LitElement } from 'lit';
import { ProgressToggleEvent } from '../events/progress-toggle.ts';

/** `open` as an attribute: absent leaves it to the state, `open="false"` keeps it closed, anything else opens it. */
export const openAttribute = {
  converter: (value: string | null): boolean | undefined => (value === null ? undefined : value !== 'false'),
};

/** What the page says. A framework that sets properties hands over the text of an attribute as it stands. */
export const saysOpen = (open: boolean | string | undefined): boolean | undefined => (typeof open === 'string' ? open !== 'false' : open);

/**
 * Whether details are open: by the reader's own choice, for as long as the element shows the same; before that by the page's
 * `open`; before that by the state itself, for what has ended opens and what goes on stays closed.
 */
export class Disclosure {
  readonly #host: LitElement & { open: boolean | undefined };
  #reader: boolean | undefined;
  #of: unknown;
  #open = false;

  constructor(host: LitElement & { open: boolean | undefined }) {
    this.#host = host;
  }

  /** Whether it is open now. `of` names what is shown: the choice was made for that. */
  isOpen(ended: boolean, of: unknown): boolean {
    if (of !== this.#of && this.#of !== undefined) this.#reader = undefined;
    this.#of = of;
    return (this.#open = this.#reader ?? saysOpen(this.#host.open) ?? ended);
  }

  /** What the reader chose; without a choice it is left to the page and the state again. */
  choose(reader?: boolean): void {
    this.#reader = reader;
    this.#host.requestUpdate('toggled', null);
  }

  /** The reader opens or closes it, unless the page keeps that to itself. `operation` is the one whose details they are. */
  toggle(operation?: Operation): void {
    const open = !this.#open;
    if (this.#host.dispatchEvent(new ProgressToggleEvent(open, true, operation))) this.choose(open);
  }

  /** Escape closes what is open and goes back to its toggle, unless the key belongs to somebody else. */
  key(event: KeyboardEvent, operation?: Operation): void {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || !this.#open) return;
    event.preventDefault();
    this.toggle(operation);
    this.#host.renderRoot.querySelector<HTMLElement>('.toggle')?.focus();
  }
}
