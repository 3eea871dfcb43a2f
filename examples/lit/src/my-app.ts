import { html, LitElement, nothing } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { ProgressCancelRequestEvent, ProgressCard } from '@sitrep/elements';
import '@sitrep/elements/define';
import { askToStop, letter, src } from './session.ts';

class MyApp extends LitElement {
  static override properties = { shown: { state: true }, pages: { state: true }, asked: { state: true } };

  declare shown: boolean;
  declare pages: number;
  declare asked: string;
  readonly #card = createRef<ProgressCard>();

  constructor() {
    super();
    this.shown = true;
    this.pages = 1;
    this.asked = '';
  }

  protected override render() {
    return html`<main>
      <h1>Sitrep in Lit</h1>
      <button @click=${() => (this.shown = !this.shown)}>${this.shown ? 'Hide' : 'Show'}</button>
      <button @click=${() => this.pages++}>Write a page</button>
      <button @click=${() => this.#card.value?.scrollIntoView()}>Go to the card</button>
      <output>${this.asked}</output>
      ${
        this.shown
          ? html`<status-pill src=${src}></status-pill>
              <progress-card
                ${ref(this.#card)}
                src=${src}
                open
                ?hidden=${false}
                actions="cancel"
                @progress-cancel-request=${this.#onCancel}
              ></progress-card>
              <tool-progress .operation=${letter(this.pages)} .open=${false} ?hidden=${false}></tool-progress>`
          : nothing
      }
    </main>`;
  }

  #onCancel({ operation }: ProgressCancelRequestEvent): void {
    this.asked = `Asked to stop: ${operation.title}`;
    void askToStop(operation);
  }
}

customElements.define('my-app', MyApp);
