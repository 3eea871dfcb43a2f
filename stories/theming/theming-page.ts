import { css, html, LitElement, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { linkTo, pageOf } from '../workshop/link.ts';
import { page } from '../workshop/page.styles.ts';
import './themed-piece.ts';
import { pairOf, tokens } from './tokens.ts';

const themes: readonly (readonly [name: string, what: string])[] = [
  ['', 'No theme: light or dark as the used color-scheme says.'],
  ['light', 'Light, whatever page and system say.'],
  ['dark', 'Dark, whatever page and system say.'],
  ['high-contrast', '7:1 and more, lines in place of tints, thicker bars and rings.'],
  ['dense', 'Smaller text, less room, buttons of 24 px.'],
  ['neutral', 'The page’s own font and text colour, no background.'],
];

const groups: Readonly<Record<string, string>> = {
  colours: 'Colours by role',
  tones: 'Colours of states',
  text: 'Text',
  room: 'Room',
  shape: 'Corners, bars and lines',
  motion: 'Motion',
};

/** How a page makes the elements its own: by tokens, by themes, by parts and states. */
export class ThemingPage extends LitElement {
  static override styles = [
    page,
    css`
      .themes {
        display: grid;
        gap: 20px;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
      }
      .themes > section {
        align-content: start;
      }
      .swatch {
        display: inline-block;
        box-sizing: border-box;
        inline-size: 20px;
        block-size: 20px;
        margin-inline-end: 4px;
        border: 1px solid light-dark(#8a919e, #8a919e);
        border-radius: 4px;
        vertical-align: -5px;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 16px;
      }
      nav a {
        min-block-size: 24px;
      }
      td:last-child {
        inline-size: 40%;
      }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<section>
        <h1>Theming</h1>
        <p>
          The elements look the same on every page until a page says otherwise, and a page says it with custom properties. They are
          inherited: set them on the root, on one part of a page, or on one element.
        </p>
        <nav aria-label="Theming">
          <a href=${linkTo('theming-builder--builder')} target="_top">Theme builder: choose, measure, copy the CSS</a>
          <a href=${linkTo('theming-recipes--docs')} target="_top">Recipes for design systems</a>
        </nav>
        <pre>
:root {
  --sitrep-accent: light-dark(#7a1fa2, #e2b3ff);
  --sitrep-radius: 0;
}
progress-card::part(title) {
  letter-spacing: 0.02em;
}
tool-progress:state(running) {
  outline: 1px solid;
}</pre>
        <p>
          Light and dark follow the used <code>color-scheme</code>; a colour of your own should hold for both, by <code>light-dark()</code>.
          Parts and states of each element stand in the table on its page, for instance
          <a href=${pageOf('progress-card')} target="_top">that of &lt;progress-card&gt;</a>.
        </p>
      </section>
      <section>
        <h2>Themes</h2>
        <div class="themes">
          ${themes.map(
            ([name, what]) =>
              html`<section>
                <h3>${name || 'As it is'}</h3>
                <p>${what}</p>
                ${name ? html`<pre>import '@sitrep/elements/themes/${name}.css';</pre>` : nothing}
                <themed-piece theme=${name}></themed-piece>
              </section>`,
          )}
        </div>
      </section>
      <section>
        <h2>Tokens</h2>
        ${Object.entries(groups).map(([group, title]) => table(group, title))}
      </section>`;
  }
}

function table(group: string, title: string): TemplateResult {
  return html`<table>
    <caption>
      ${title}
    </caption>
    <thead>
      <tr>
        <th scope="col">token</th>
        <th scope="col">default</th>
        <th scope="col">what it is</th>
      </tr>
    </thead>
    <tbody>
      ${tokens
        .filter((token) => token.group === group)
        .map(
          ({ name, default: value, description }) =>
            html`<tr>
              <th scope="row"><code>${name}</code></th>
              <td>
                ${pairOf(value)?.map((colour) => html`<span class="swatch" style="background:${colour}"></span>`)}<code>${value}</code>
              </td>
              <td>${description}</td>
            </tr>`,
        )}
    </tbody>
  </table>`;
}

if (!customElements.get('theming-page')) customElements.define('theming-page', ThemingPage);
