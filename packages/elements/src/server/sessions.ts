import type { Snapshot } from '@sitrep/schema';
import { checkStreamEvent } from '@sitrep/schema/check';
import { escapeText, scriptJson } from './escape.ts';

/** A snapshot, or what will be one; anything else is refused. */
export type GivenSnapshot = Snapshot | Promise<Snapshot | undefined> | undefined;

/** The sessions of one rendering, and which of them were drawn. */
export class Sessions {
  readonly #given: Readonly<Record<string, GivenSnapshot>>;
  readonly #known = new Map<string, Snapshot | Promise<unknown> | undefined>();
  readonly #told = new Set<string>();

  constructor(given: Readonly<Record<string, GivenSnapshot>>) {
    this.#given = given;
    // One that fails before it is its turn, or that nothing shows, is no fault of the process.
    for (const one of Object.values(given)) if (one instanceof Promise) one.catch(() => undefined);
  }

  /** The session at an address. */
  get(address: string): Snapshot | Promise<unknown> | undefined {
    if (this.#known.has(address)) return this.#known.get(address);
    const given = Object.hasOwn(this.#given, address) ? this.#given[address] : undefined;
    // One that cannot be had is one the page has to ask for itself.
    const coming =
      given instanceof Promise &&
      given.then(
        (value) => this.#keep(address, value),
        () => this.#keep(address, undefined),
      );
    return coming ? (this.#known.set(address, coming), coming) : this.#keep(address, given as Snapshot | undefined);
  }

  /** The data of every session drawn since it was last asked: with it the page begins where the server stopped. */
  scripts(): string {
    let html = '';
    for (const [address, value] of this.#known) {
      if (!value || value instanceof Promise || this.#told.has(address)) continue;
      this.#told.add(address);
      html += `<script type="application/json" data-sitrep="${escapeText(address)}">${scriptJson(value)}</script>`;
    }
    return html;
  }

  #keep(address: string, value: Snapshot | undefined): Snapshot | undefined {
    if (value !== undefined) {
      const checked = checkStreamEvent(value);
      if (!checked.ok || checked.value.type !== 'snapshot') {
        const why = checked.ok ? undefined : checked.issues.map(({ path, message }) => `${path} ${message}`)[0];
        throw new TypeError(`What was given for ${address} is no snapshot of a session${why ? `: ${why}` : '.'}`);
      }
      value = checked.value;
    }
    this.#known.set(address, value);
    return value;
  }
}
