import { css, html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { icon } from './icon.ts';
import { isMoving, shownWord, tone } from './shown-state.ts';
import type { ShownState } from './shown-state.ts';

/** How a pill is drawn. */
export interface PillOptions {
  /** Said beside the word: "Building project 42%". */
  readonly summary?: string | undefined;
  /** The word stays for assistive technology; only the drawing is seen. */
  readonly compact?: boolean | undefined;
  /** A longer word instead of the state's own: "cancelling". */
  readonly word?: string | undefined;
}

/** Drawing, word and colour of a state. */
export function pill(state: ShownState, { summary, compact, word }: PillOptions = {}): TemplateResult {
  return html`<span part="pill" class="pill ${tone(state)} ${isMoving(state) ? 'moving' : ''} ${compact ? 'compact' : ''}"
    >${icon(state)}<span part="label" class=${compact ? 'sr' : 'label'}>${word ?? shownWord(state)}</span>${
      summary ? html`<span part="summary" class=${compact ? 'sr' : 'summary'}><bdi>${summary}</bdi></span>` : nothing
    }</span
  >`;
}

/** Styles of `pill`. */
export const pillStyles = css`
  .pill {
    position: relative;
    display: inline-flex;
    align-items: center;
    gap: 0.375em;
    max-inline-size: 100%;
    min-block-size: 1.5rem;
    border: 1px solid transparent;
    border-radius: 1rem;
    padding-inline: 0.5rem 0.625rem;
    background: color-mix(in srgb, var(--_tone) 12%, var(--_surface));
    color: var(--_tone);
    font-size: 0.75rem;
    font-weight: 550;
    line-height: 1.25rem;
    white-space: nowrap;
  }
  .pill.compact {
    justify-content: center;
    inline-size: 1.5rem;
    padding: 0;
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
    min-inline-size: 0;
    border-inline-start: 1px solid;
    padding-inline-start: 0.5em;
    font-weight: 450;
    font-variant-numeric: tabular-nums;
  }
  @media (forced-colors: active) {
    .pill {
      border-color: currentColor;
    }
  }
`;
