import { css } from 'lit';

/** The card, its plan and what stands in for what is not there. */
export const styles = css`
  :host {
    contain-intrinsic-size: auto 24rem auto 6rem;
    content-visibility: auto;
  }
  :host(:state(no-access)) {
    display: none !important;
  }
  .base {
    padding: calc(var(--_space) * 3) calc(var(--_space) * 3.5);
  }
  .title {
    font-size: var(--sitrep-font-size-title, 1.08em);
    font-weight: 650;
  }
  .meter {
    display: flex;
    gap: min(2px, 0.5%);
    overflow: hidden;
    block-size: 0.25rem;
    border-radius: var(--sitrep-bar-radius, 1rem);
    margin-block-start: calc(var(--_space) * 1.5);
  }
  .meter > * {
    flex: 1;
    outline: 1px solid var(--_edge);
    outline-offset: -1px;
    background: var(--_track);
    print-color-adjust: exact;
  }
  .meter > :not(.pending, .cancelled) {
    background: var(--_tone);
  }
  .now,
  .problem,
  .loading {
    margin-block-start: calc(var(--_space) * 2);
  }
  .now.attention {
    color: var(--_tone);
    font-weight: 550;
  }
  /* A question may be long; open, all of it is shown. */
  .now > bdi {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  .body {
    display: grid;
    gap: calc(var(--_space) * 3);
    margin-block-start: calc(var(--_space) * 3);
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
    border-radius: var(--sitrep-bar-radius, 1rem);
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
    font-size: var(--_small);
    font-weight: 400;
  }
  @container (inline-size < 18rem) {
    .head + .meta > .last {
      margin: 0;
    }
  }
  @media (forced-colors: active) {
    .meter > :not(.pending, .cancelled) {
      --_tone: Highlight;
      forced-color-adjust: none;
    }
  }
`;
