import { css, html, LitElement, nothing } from 'lit';
import type { PropertyDeclarations, TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { page } from '../workshop/page.styles.ts';
import { access } from './access.ts';
import { forget, namesOf, pressedFor } from './keys/key.ts';
import type { Key, Keyed } from './keys/key.ts';

/** What is waited for at most, milliseconds. */
const PATIENCE = 20_000;

/** An element to try its keys on, and the table of them. Whoever walks through them presses each key and looks what came of it. */
export class KeyWalk extends LitElement {
  static override styles = [
    page,
    css`
      .place {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 8px;
        justify-items: start;
      }
      .drawn {
        inline-size: 100%;
      }
      textarea,
      input {
        box-sizing: border-box;
        max-inline-size: 100%;
      }
      button.edge {
        min-block-size: 28px;
      }
      [data-now] {
        background: light-dark(#e3ecff, #1d2a4a);
      }
    `,
  ];
  static override properties: PropertyDeclarations = { tag: {}, now: { state: true }, turn: { state: true } };

  /** Name of the element. */
  declare tag: string;
  /** The keys that are tried. */
  declare now: Key | undefined;
  /** How often it was drawn anew. */
  declare turn: number;

  constructor() {
    super();
    this.tag = 'tool-progress';
    this.turn = 0;
  }

  /** What is drawn in this turn: once, whatever else is drawn beside it. */
  #drawn: TemplateResult | undefined;

  get #keyed(): Keyed {
    const found = access.find(({ tag }) => tag === this.tag)?.keyed;
    if (!found) throw new Error(`<${this.tag}> has no keys.`);
    return found;
  }

  get #place(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>('.drawn')!;
  }

  /** How often each row is tried, and what it says. */
  get outline(): readonly { readonly says: string; readonly tries: number; readonly byHand: readonly boolean[] }[] {
    return this.#keyed.keys.map((key) => ({
      says: `${namesOf(key)}: ${key.does}`,
      tries: key.tries.length,
      byHand: key.tries.map(({ byHand = false }) => byHand),
    }));
  }

  /** Draws the element anew, and goes to what stands before it. */
  async fresh(): Promise<void> {
    forget();
    this.#drawn = undefined;
    this.turn += 1;
    await this.updateComplete;
    await this.#until(() => this.#keyed.ready(this.#place), 'it can be used');
    this.renderRoot.querySelector<HTMLElement>('.edge')!.focus();
  }

  /** Makes everything ready for a key; answers which one is to be pressed. */
  async begin(row: number, index: number): Promise<string> {
    const key = this.#keyed.keys[row]!;
    const { before, from, press } = key.tries[index]!;
    if (index === 0) {
      await this.fresh();
      this.now = key;
    }
    before?.(this.#place);
    if (from) {
      await this.#until(() => from(this.#place)?.checkVisibility() ?? false, 'there is something to press it on');
      from(this.#place)!.focus();
    }
    return pressedFor(press, this.matches(':dir(rtl)'));
  }

  /** Whether the key has done what is said of it. */
  sees(row: number, index: number): boolean {
    return this.#keyed.keys[row]!.tries[index]!.sees(this.#place);
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    const end = performance.now() + PATIENCE;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`<${this.tag}>: waited in vain until ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  protected override render(): TemplateResult {
    const { keys, draw } = this.#keyed;
    this.#drawn ??= html`<div>${draw()}</div>`;
    return html`<div class="place">
        <button type="button" class="edge">Before it</button>
        <div class="drawn">${keyed(this.turn, this.#drawn)}</div>
        <button type="button" class="edge">Behind it</button>
      </div>
      <table>
        <caption>
          Keys in ${this.tag}
        </caption>
        <tbody>
          ${keys.map(
            (key) =>
              html`<tr data-now=${key === this.now ? '' : nothing}>
                <th scope="row">${namesOf(key)}</th>
                <td>${key.does}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }
}

if (!customElements.get('key-walk')) customElements.define('key-walk', KeyWalk);

declare global {
  interface HTMLElementTagNameMap {
    'key-walk': KeyWalk;
  }
}
