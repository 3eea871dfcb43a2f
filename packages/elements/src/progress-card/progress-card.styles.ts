import { css } from 'lit';

/** The card, its plan and what stands in for what is not there. */
export const styles = css`
  :host {
    contain-intrinsic-inline-size: auto 24rem;
  }
  :host(:state(no-access)) {
    display: none !important;
  }
  .base {
    padding: 0.75rem 0.875rem;
  }
  .title {
    font-size: 1rem;
    font-weight: 650;
  }
  .meter {
    display: flex;
    gap: 2px;
    overflow: hidden;
    block-size: 0.25rem;
    border-radius: 1rem;
    margin-block-start: 0.375rem;
  }
  .meter > * {
    flex: 1;
    background: var(--_track);
  }
  .meter > :not(.pending, .cancelled) {
    background: var(--_tone);
  }
  .now,
  .problem,
  .loading {
    margin-block-start: 0.5rem;
  }
  .body {
    display: grid;
    gap: 0.75rem;
    margin-block-start: 0.75rem;
  }
  .body > * {
    min-inline-size: 0;
  }
  [part='operations']:not(:first-child) {
    border-block-start: 1px solid var(--_border);
    padding-block-start: 0.5rem;
  }
  .problem {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .problem,
  .empty,
  .word,
  .completed > .text,
  .cancelled > .text {
    color: var(--_muted);
  }
  .problem button {
    color: var(--_text);
  }
  .empty {
    margin: 0.25rem 0 0;
  }
  .loading::before {
    display: block;
    inline-size: 80%;
    block-size: 0.625rem;
    border-radius: 1rem;
    background: var(--_track);
    content: '';
  }
  .step {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
  }
  .marker {
    display: flex;
    align-self: start;
    margin-block-start: 0.22em;
    color: var(--_tone);
  }
  .text {
    min-inline-size: 0;
  }
  .cancelled bdi {
    text-decoration: line-through;
  }
  .current > .text,
  .paused > .text {
    font-weight: 550;
  }
  .word {
    margin-inline-start: 0.5em;
    font-size: 0.75rem;
    font-weight: 400;
  }
  @media (forced-colors: active) {
    .meter > * {
      border: 1px solid CanvasText;
    }
    .meter > .completed {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`;
