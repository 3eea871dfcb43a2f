import { css, html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { LanguageLike } from '@sitrep/schema/select';
import type { Phrase } from '../locales/phrases.ts';
import { look } from './shown-state.ts';
import type { ShownState } from './shown-state.ts';
import { word as wordFor } from './tr.ts';

/** A drawing, hidden from assistive technology: the word beside it speaks. */
export const icon = (path: string): TemplateResult => html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path}></path></svg>`;

/**
 * Drawing, word and colour of a state. `word` stands instead of the state's own, as in "cancelling"; `summary` beside
 * it, as in "Building project 42%". Of a `compact` one, or an `auto` one in a narrow place, only the drawing is seen; the words stay for
 * assistive technology.
 */
export function pill(
  state: ShownState,
  language: LanguageLike,
  word?: Phrase,
  summary?: string,
  size: 'compact' | 'auto' | '' = '',
): TemplateResult {
  const [path, tone, own] = look(state);
  return html`<span part="pill" class="pill ${tone} ${size}"
    ><svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path}></path></svg
    ><span part="label" class="label" .textContent=${wordFor(word ?? own, language)}></span>${
      summary ? html`<span part="summary" class="summary"><bdi>${summary}</bdi></span>` : nothing
    }</span
  >`;
}

/** Styles of `pill` and `icon`. */
export const pillStyles = css`
  svg {
    flex: none;
    inline-size: 1em;
    block-size: 1em;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
  }
  .pill {
    position: relative;
    display: inline-flex;
    align-items: center;
    gap: 0.375em;
    max-inline-size: 100%;
    min-block-size: 1.5rem;
    border: 1px solid var(--_edge);
    border-radius: var(--sitrep-pill-radius, 1rem);
    padding-inline: 0.5rem 0.625rem;
    background: color-mix(in srgb, var(--_tone) var(--_tint), var(--_surface));
    color: var(--_tone);
    font-size: var(--_small);
    font-weight: 550;
    white-space: nowrap;
  }
  .compact {
    padding-inline: 0.3125rem;
  }
  .label,
  .summary {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .label {
    flex: none;
    max-inline-size: 100%;
  }
  .label::first-letter {
    text-transform: uppercase;
  }
  .summary {
    border-inline-start: 1px solid;
    padding-inline-start: 0.5em;
    font-weight: 450;
    font-variant-numeric: tabular-nums;
  }
`;

/** As many turning drawings at most: each is a layer of its own to the compositor, and all of them are put together anew in every frame. */
const TURNING = 24;

/**
 * Turns the drawing of what goes on, unless the reader asked for less motion, or there are so many that nobody looks at one. Not for rows:
 * there the bar moves already.
 */
export const turnStyles = css`
  @media (prefers-reduced-motion: no-preference) {
    .accent > svg {
      animation: turn var(--sitrep-cycle, 1.6s) linear infinite;
    }
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
`;

const turning = new Set<Element>();

/** Looks whether a drawing turns in what this element has drawn; `seen` is false while nobody can see it. */
export function turns(element: Element, seen: boolean): void {
  if (seen && element.isConnected && element.shadowRoot!.querySelector('.accent > svg')) turning.add(element);
  else turning.delete(element);
  const sheet = turnStyles.styleSheet;
  const still = turning.size > TURNING;
  if (sheet && sheet.disabled !== still) sheet.disabled = still;
}
