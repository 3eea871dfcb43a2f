import { css, html, LitElement } from 'lit';
import type { TemplateResult } from 'lit';
import { ago, card, operation, plan, run } from '../fixtures/records.ts';
import { states } from '../fixtures/states.ts';
import { linkTo, pageOf } from './link.ts';
import { declarationOf } from './manifest.ts';
import { page } from './page.styles.ts';

/** Everything there is, in the order in which somebody meets it. */
const elements = [
  'status-pill',
  'tool-progress',
  'progress-card',
  'progress-list',
  'progress-timeline',
  'progress-provider',
  'progress-surface',
  'progress-peek',
  'progress-board',
  'progress-widget',
  'progress-toasts',
] as const;

const ways: readonly (readonly [id: string, name: string, what: string])[] = [
  ['workshop-replay--release', 'Replay', 'Play what real agents sent, at any speed, and see each frame drawn.'],
  ['workshop-playground--ours', 'Playground', 'Paste events of any dialect: what they mean, what is wrong, how they look.'],
  ['workshop-what-it-sounds-like--release', 'What it sounds like', 'Play a run and read every sentence that is said aloud.'],
  ['theming-overview--overview', 'Theming', 'Themes, and every token with its default.'],
  ['theming-builder--builder', 'Theme builder', 'Choose colours and room, read the contrast, copy the CSS.'],
  ['theming-recipes--docs', 'Recipes', 'In shadcn/ui, Material, Carbon, Primer and VS Code pages.'],
  ['accessibility-overview--overview', 'Accessibility', 'Keys, tab stops, what is heard, and what was measured.'],
  ['page-signals--docs', 'Page signals', 'The title and the icon of the tab while a session goes on.'],
  ['workshop-interactions--docs', 'Interactions', 'What readers do with mouse and keyboard, played.'],
];

/** Where a newcomer begins: what the elements look like, and one link to everything there is. */
export class StartPage extends LitElement {
  static override styles = [
    page,
    css`
      .shown {
        display: grid;
        gap: 12px;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr));
        align-items: start;
      }
      .column {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 12px;
      }
      .pills {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
      }
      ul {
        display: grid;
        gap: 10px;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        align-content: start;
        gap: 2px;
        border: 1px solid light-dark(#dfe2e8, #333842);
        border-radius: 8px;
        padding: 10px 12px;
        background: light-dark(#fff, #17191e);
      }
      li a {
        min-block-size: 24px;
        font-weight: 600;
      }
    `,
  ];

  protected override render(): TemplateResult {
    return html`<section>
        <h1>Sitrep: elements for work that is under way</h1>
        <p>
          Coding agents work for minutes and look dead. These elements say whether something is alive, how far it is and whether it needs
          somebody, in any page that can take a tag.
        </p>
        <pre>
&lt;script type="module"&gt;
  import '@sitrep/elements/define';
&lt;/script&gt;
&lt;progress-card src="/v1/sessions/my-chat" open&gt;&lt;/progress-card&gt;</pre>
      </section>
      <div class="shown">
        <progress-card
          heading="Fix the login redirect"
          open
          .card=${card({ plan, markdown: 'The failure is isolated to `session/owner.ts`. No blocker.' })}
          .operations=${[operation({ activeTitle: 'Compiling', message: 'src/session/owner.ts', current: 42, total: 100, unit: 'files' })]}
          .runs=${[run({ updatedAt: ago(5) })]}
          .usage=${{ label: '12.4K tok · $0.03' }}
        ></progress-card>
        <div class="column">
          <div class="pills">
            ${['running', 'waiting', 'blocked', 'completed', 'failed', 'paused'].map((state) => html`<status-pill state=${state}></status-pill>`)}
          </div>
          <tool-progress .operation=${states.running}></tool-progress>
          <tool-progress .operation=${states.blocked}></tool-progress>
        </div>
      </div>
      <section>
        <h2>Elements</h2>
        <ul>
          ${elements.map(
            (tag) =>
              html`<li>
                <a href=${pageOf(tag)} target="_top"><code>&lt;${tag}&gt;</code></a>
                <span>${declarationOf(tag).summary}</span>
              </li>`,
          )}
        </ul>
      </section>
      <section>
        <h2>Try, theme, check</h2>
        <ul>
          ${ways.map(
            ([id, name, what]) =>
              html`<li>
                <a href=${linkTo(id)} target="_top">${name}</a>
                <span>${what}</span>
              </li>`,
          )}
        </ul>
      </section>`;
  }
}

if (!customElements.get('start-page')) customElements.define('start-page', StartPage);
