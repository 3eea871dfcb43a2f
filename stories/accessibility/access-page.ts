import { html, LitElement, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { linkTo } from '../workshop/link.ts';
import { page } from '../workshop/page.styles.ts';
import { access } from './access.ts';
import type { Access } from './access.ts';
import { namesOf } from './keys/key.ts';
import stopsFound from './stops.json' with { type: 'json' };
import trees from './trees.json' with { type: 'json' };

const measured: Readonly<Record<string, readonly string[]>> = trees;
const stopped: Readonly<Record<string, readonly string[]>> = stopsFound;

/** A boundary, how it is put into words, and whether it waits for what is being read. */
const said: readonly (readonly [when: string, words: string, waits: string])[] = [
  ['An operation starts', 'Building project: started', 'when there is a pause'],
  ['It needs somebody', 'Deleting old branches: needs you: Delete 14 merged branches?', 'when there is a pause'],
  ['It fails, or is denied', 'Run tests: failed', 'at once'],
  ['It is finished', 'Build project: finished', 'when there is a pause'],
  ['A run ends that failed', 'Run failed', 'at once'],
  ['A run ends in another way', 'Run finished', 'when there is a pause'],
  ['The connection is lost', 'The connection was lost.', 'when there is a pause'],
  ['It is back', 'up to date again.', 'when there is a pause'],
];

const promises: readonly (readonly [about: string, what: string])[] = [
  [
    'One voice',
    'However many elements a page has, it speaks by one voice: “ariaNotify” where the browser has it, else one polite and one assertive live region at the end of the body. No element has a live region of its own.',
  ],
  [
    'Never a number',
    'Amounts, percentages and times are not said; bars can be asked for theirs. What is there when a page opens is no news. The same sentence is not said twice within a second, and of a flood three are said, and how many more there were.',
  ],
  [
    'Targets',
    'Whatever can be pressed is 24 by 24 pixels at least, or has that much room around it: the size that WCAG 2.2 asks for at AA.',
  ],
  ['Motion', 'With “prefers-reduced-motion” nothing moves without end; bars and marks are still and say the same.'],
  [
    'Contrast',
    'Text has a contrast of 4.5:1 at least on every surface, light and dark; the theme “high-contrast” 7:1. No state is told by its colour alone: each has a word, and a drawing of its own.',
  ],
  ['Forced colours', 'Bars, borders, marks and the focus are drawn in the colours of the reader.'],
  [
    'Languages',
    'Nineteen languages, by the nearest “lang”; numbers, units, times and plurals as each writes them. Lines, bars and arrow keys run the other way where the text does.',
  ],
  [
    'Arrow inwards, outwards',
    'The arrow that points with the text, right in English and left in Arabic, and the one that points against it.',
  ],
  ['Zoom and width', 'Everything fits 200 pixels, so that it fits a window of 800 at four times its size.'],
];

/** What the elements are for those who use them by keys, by ear, or otherwise than most. */
export class AccessPage extends LitElement {
  static override styles = page;

  protected override render(): TemplateResult {
    return html`<h1>Accessibility</h1>
      <section>
        <h2>For everyone</h2>
        ${table('What holds in every element', promises)}
      </section>
      <section>
        <h2>What is heard</h2>
        <p>Each of these once. “What it sounds like” plays recorded runs and lists what is said.</p>
        ${table(
          'Boundaries, and the words for them',
          said.map(([when, words, waits]) => [when, `${words} (${waits})`] as const),
        )}
      </section>
      ${access.map(element)}`;
  }
}

function element({ tag, stops, keyed, says, stories }: Access): TemplateResult {
  const found = Object.entries(measured).filter(([id]) => id.startsWith(stories));
  const story = `accessibility-keys--${tag}`;
  const reached = stopped[story];
  const keys = (keyed?.keys ?? []).map((key) => [namesOf(key), key.does] as const);
  return html`<section>
    <h2>&lt;${tag}&gt;</h2>
    ${table(`Keys in ${tag}`, [['Tab', stops], ...keys, ['Said aloud', says]])}
    ${
      keyed
        ? html`<p>Each of these keys is pressed by the tests, in Chromium: <a href=${linkTo(story)} target="_top">see them pressed</a>.</p>`
        : nothing
    }
    ${
      reached
        ? html`<details>
            <summary>Where Tab stops there, as measured in Chromium</summary>
            <pre>${reached.join('\n')}</pre>
          </details>`
        : nothing
    }
    ${found.map(
      ([id, lines]) =>
        html`<details>
          <summary>${id.slice(stories.length).replaceAll('-', ' ')}: names, roles and values, as measured in Chromium</summary>
          <pre>${lines.join('\n')}</pre>
        </details>`,
    )}
  </section>`;
}

const table = (caption: string, rows: readonly (readonly [string, string])[]): TemplateResult =>
  html`<table>
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${rows.map(
        ([head, text]) =>
          html`<tr>
            <th scope="row">${head}</th>
            <td>${text}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

if (!customElements.get('access-page')) customElements.define('access-page', AccessPage);
