import { html, LitElement, nothing } from 'lit';
import type { PropertyDeclarations, TemplateResult } from 'lit';
import { together } from '../fixtures/page-piece.ts';
import { measure } from './measure.ts';
import type { Reading } from './measure.ts';
import { styles } from './theme-builder.styles.ts';
import { amountOf, choicesIn, cssOf, pairOf, tokens } from './tokens.ts';
import type { Choices, Token } from './tokens.ts';

const GROUPS: Readonly<Record<string, string>> = {
  tones: 'Colours of states',
  colours: 'Colours by role',
  text: 'Text',
  room: 'Density',
  shape: 'Corners, bars and lines',
  motion: 'Motion',
};
const HASH = '#theme=';

/** Tries out a theme: controls for every token, the elements in light and dark, their contrast, and the CSS to take away. */
class ThemeBuilder extends LitElement {
  static override styles = styles;
  static override properties: PropertyDeclarations = { choices: { state: true }, readings: { state: true }, said: { state: true } };
  declare choices: Choices;
  declare readings: readonly Reading[];
  declare said: string;
  readonly #sheet = new CSSStyleSheet();

  constructor() {
    super();
    this.readings = [];
    this.said = '';
    this.choices = location.hash.startsWith(HASH) ? choicesIn(decodeURIComponent(location.hash.slice(HASH.length))) : {};
  }

  protected override firstUpdated(): void {
    (this.renderRoot as ShadowRoot).adoptedStyleSheets.push(this.#sheet);
  }

  protected override async updated(changed: Map<PropertyKey, unknown>): Promise<void> {
    if (!changed.has('choices')) return;
    this.#sheet.replaceSync(cssOf(this.choices).replace(':root', '.side'));
    const hash = Object.keys(this.choices).length ? HASH + encodeURIComponent(cssOf(this.choices)) : '';
    history.replaceState(history.state, '', `${location.pathname}${location.search}${hash}`);
    const { choices } = this;
    const readings = await measure(this.renderRoot as ShadowRoot);
    // A measurement that took long is not that of what was chosen since.
    if (choices === this.choices) this.readings = readings;
  }

  protected override render(): TemplateResult {
    return html`<div class="controls">
        ${Object.entries(GROUPS).map(
          ([group, title]) =>
            html`<details ?open=${group === 'tones'}>
              <summary>${title}</summary>
              ${tokens.filter((token) => token.group === group && token.name !== '--sitrep-color-scheme').map((token) => this.#control(token))}
            </details>`,
        )}
        ${this.#table()} ${this.#css()}
      </div>
      <div class="shown">
        ${['light', 'dark'].map(
          (scheme) =>
            html`<section class="side ${scheme}" aria-label=${scheme}>
              <h2>${scheme}</h2>
              ${together()}
            </section>`,
        )}
      </div>`;
  }

  #control(token: Token): TemplateResult {
    const { name, description, default: first } = token;
    const value = this.choices[name] ?? first;
    const label = name.replace('--sitrep-', '').replaceAll('-', ' ');
    const pair = pairOf(value) ?? (first === 'transparent' || !pairOf(first) ? undefined : pairOf(first));
    const amount = amountOf(value);
    const reset =
      name in this.choices
        ? html`<button type="button" aria-label="Reset ${label}" @click=${() => this.#choose(name, undefined)}>Reset</button>`
        : nothing;
    if (pair && pairOf(first))
      return html`<div class="row" role="group" aria-label=${label} title=${description}>
        <span>${label}</span>
        ${pair.map(
          (colour, index) =>
            html`<label
              ><input
                type="color"
                aria-label="${label}, ${index ? 'dark' : 'light'}"
                .value=${colour}
                @input=${({ target }: Event) => {
                  const next = [...pair];
                  next[index] = (target as HTMLInputElement).value;
                  this.#choose(name, `light-dark(${next.join(', ')})`);
                }}
            /></label>`,
        )}${reset}
      </div>`;
    if (amount && amountOf(first)) {
      const [start, unit] = amountOf(first)!;
      const step = unit === 'rem' ? 0.0625 : unit === 's' ? 0.04 : unit === 'em' ? 0.01 : 1;
      return html`<div class="row" title=${description}>
        <label for=${name}>${label}</label>
        <input
          id=${name}
          type="range"
          min=${name === '--sitrep-control-size' ? 1.5 : 0}
          max=${unit === '%' ? 40 : start * 3}
          step=${step}
          .value=${String(amount[0])}
          aria-valuetext=${value}
          @input=${({ target }: Event) => this.#choose(name, `${(target as HTMLInputElement).value}${unit}`)}
        /><output for=${name}>${value}</output>${reset}
      </div>`;
    }
    return html`<div class="row" title=${description}>
      <label for=${name}>${label}</label>
      <input
        id=${name}
        type="text"
        placeholder=${first}
        .value=${this.choices[name] ?? ''}
        @change=${({ target }: Event) => this.#choose(name, (target as HTMLInputElement).value)}
      />${reset}
    </div>`;
  }

  #table(): TemplateResult {
    const weak = this.readings.filter(({ light, dark, least }) => Math.min(light, dark) < least).length;
    const cell = (value: number, least: number): TemplateResult =>
      html`<td class=${value < least ? 'weak' : ''}>${value.toFixed(1)}${value < least ? ` – too weak, ${least} at least` : ''}</td>`;
    return html`<details open>
      <summary>Contrast: <span class=${weak ? 'weak' : ''}>${weak ? `${weak} too weak` : 'enough everywhere'}</span></summary>
      <table>
        <caption>
          Measured on the elements beside this
        </caption>
        <thead>
          <tr>
            <th scope="col">what</th>
            <th scope="col">light</th>
            <th scope="col">dark</th>
          </tr>
        </thead>
        <tbody>
          ${this.readings.map(
            ({ what, light, dark, least }) =>
              html`<tr>
                <th scope="row">${what}</th>
                ${cell(light, least)}${cell(dark, least)}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
  }

  #css(): TemplateResult {
    const css = cssOf(this.choices);
    return html`<details open>
      <summary>CSS</summary>
      <label for="css">Copy it into your page, or paste here what you have</label>
      <textarea
        id="css"
        rows="6"
        spellcheck="false"
        placeholder="Nothing differs from the defaults."
        .value=${css}
        @change=${({ target }: Event) => {
          this.choices = choicesIn((target as HTMLTextAreaElement).value);
          this.said = `${Object.keys(this.choices).length} tokens taken.`;
        }}
      ></textarea>
      <button type="button" @click=${() => this.#copy(css)}>Copy</button>
      <button type="button" @click=${() => (this.choices = {})}>Start anew</button>
      <span role="status">${this.said}</span>
    </details>`;
  }

  #choose(name: string, value: string | undefined): void {
    const { [name]: _before, ...others } = this.choices;
    this.choices = value ? choicesIn(cssOf({ ...others, [name]: value })) : others;
  }

  async #copy(css: string): Promise<void> {
    this.said = await navigator.clipboard.writeText(css).then(
      () => 'Copied.',
      () => 'The browser does not let the page copy: select the text instead.',
    );
  }
}
if (!customElements.get('theme-builder')) customElements.define('theme-builder', ThemeBuilder);
