import { html, LitElement, nothing } from 'lit';
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { dialects } from '@sitrep/schema/dialect';
import { recording } from '../fixtures/recording.ts';
import { exampleOf, exemplified } from './examples.ts';
import { FOUND, OWN, read } from './reading.ts';
import type { Reading } from './reading.ts';
import { workshop } from './workshop.styles.ts';

/** What is longer is read when nothing was typed for a moment, characters. */
const LONG = 20_000;
/** That moment, milliseconds. */
const PAUSE = 300;
/** How many problems and events are shown: of the others it is said how many there are. */
const SHOWN = 100;

/** Paste events of any dialect and see what becomes of them: what they mean, what is wrong with them, and how they are drawn. */
export class PlayGround extends LitElement {
  static override styles = workshop;

  static override properties: PropertyDeclarations = { dialect: {}, text: {}, dated: { type: Boolean } };

  /** Name of the dialect, `sitrep` for our own events, or `found` for whichever it turns out to be. */
  declare dialect: string;
  /** What was pasted. */
  declare text: string;
  /** Leaves every time as it is. Otherwise the newest event happened now, and the others before it. */
  declare dated: boolean;

  #read: Reading | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.dialect = FOUND;
    this.text = '';
    this.dated = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#waiting);
    this.#read?.store.close();
    this.#read = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.#read && !changed.has('text') && !changed.has('dialect') && !changed.has('dated')) return;
    this.#read?.store.close();
    this.#read = read(this.dialect, this.text, this.dated);
  }

  protected override render(): TemplateResult {
    const { store, events, problems, dialect } = this.#read!;
    const as = this.dialect === FOUND && events.length > 0 ? `, read as ${dialect}` : '';
    return html`<div class="bar">
        <label
          >Dialect
          <select .value=${live(this.dialect)} @change=${(event: Event) => (this.dialect = (event.target as HTMLSelectElement).value)}>
            <option value=${FOUND} ?selected=${this.dialect === FOUND}>found by itself</option>
            ${[OWN, ...Object.keys(dialects)].map((name) => html`<option value=${name} ?selected=${name === this.dialect}>${name}</option>`)}
          </select></label
        >
        <button type="button" data-do="example" @click=${this.#example}>An example</button>
        <button type="button" data-do="clear" ?disabled=${this.text === ''} @click=${() => (this.text = '')}>Clear</button>
        <label
          ><input
            type="checkbox"
            .checked=${live(!this.dated)}
            @change=${(event: Event) => (this.dated = !(event.target as HTMLInputElement).checked)}
          />
          As if it happened now</label
        >
        <output>${count(events.length, 'event')}, ${count(problems.length, 'problem')}${as}</output>
      </div>
      <textarea
        rows="12"
        spellcheck="false"
        aria-label="Frames: a JSON list, one on each line, or a stream of server-sent events"
        placeholder="Paste what your agent sends: one JSON value on each line, a JSON list, or a stream of server-sent events."
        .value=${live(this.text)}
        @input=${this.#typed}
      ></textarea>
      ${
        problems.length
          ? html`<section>
              <h3>What is wrong</h3>
              <ol tabindex="0" aria-label="What is wrong">
                ${problems.slice(0, SHOWN).map((problem) => html`<li>${problem}</li>`)}
              </ol>
              ${more(problems.length, 'problem')}
            </section>`
          : nothing
      }
      <div class="sides">
        <progress-provider class="shown" .store=${store}>
          <div><status-pill summary></status-pill></div>
          <progress-card open></progress-card>
        </progress-provider>
        <section>
          <h3>What it means</h3>
          <pre tabindex="0" aria-label="What it means">
${events.length ? JSON.stringify(events.slice(0, SHOWN), null, 2) : 'Nothing yet.'}</pre>
          ${more(events.length, 'event')}
        </section>
      </div>`;
  }

  readonly #typed = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    clearTimeout(this.#waiting);
    if (value.length < LONG) this.text = value;
    else this.#waiting = setTimeout(() => (this.text = value), PAUSE);
  };

  /** An example of the dialect that is chosen; where none is, of one after the other. */
  readonly #example = async (): Promise<void> => {
    const next = exemplified[(exemplified.indexOf(this.#read?.dialect as (typeof exemplified)[number]) + 1) % exemplified.length]!;
    const of = this.dialect === FOUND ? next : this.dialect;
    this.text = of === OWN ? recording : ((await exampleOf(of)) ?? '');
  };
}

const count = (number: number, what: string): string => `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
const more = (number: number, what: string): TemplateResult | typeof nothing =>
  number > SHOWN ? html`<p class="faint">And ${count(number - SHOWN, what)} more.</p>` : nothing;

if (!customElements.get('play-ground')) customElements.define('play-ground', PlayGround);

declare global {
  interface HTMLElementTagNameMap {
    'play-ground': PlayGround;
  }
}
