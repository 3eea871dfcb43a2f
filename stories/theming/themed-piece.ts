import { css, html, LitElement } from 'lit';
import type { PropertyDeclarations, TemplateResult } from 'lit';
import { themes } from '../.storybook/themes.ts';
import { card, operation, plan, run } from '../fixtures/records.ts';

/** A piece of a page that wears one theme of the package, apart from all others. */
export class ThemedPiece extends LitElement {
  static override styles = css`
    :host {
      display: block;
    }
    .pills {
      display: flex;
      flex-wrap: wrap;
      gap: 0.5rem;
      margin-block-start: 0.75rem;
    }
  `;
  static override properties: PropertyDeclarations = { theme: {} };

  /** Name of the theme; without one the elements look as they do by themselves. */
  declare theme: string;
  readonly #sheet = new CSSStyleSheet();

  constructor() {
    super();
    this.theme = '';
  }

  protected override firstUpdated(): void {
    (this.renderRoot as ShadowRoot).adoptedStyleSheets.push(this.#sheet);
  }

  protected override updated(): void {
    this.#sheet.replaceSync(themes[this.theme] ?? '');
  }

  protected override render(): TemplateResult {
    return html`<progress-card
        heading="Fix the login redirect"
        open
        .card=${card({ plan })}
        .operations=${[operation({ activeTitle: 'Compiling', current: 42, total: 100, unit: 'files' })]}
        .runs=${[run()]}
      ></progress-card>
      <div class="pills">
        ${['running', 'blocked', 'completed', 'failed'].map((state) => html`<status-pill state=${state}></status-pill>`)}
      </div>`;
  }
}

if (!customElements.get('themed-piece')) customElements.define('themed-piece', ThemedPiece);
