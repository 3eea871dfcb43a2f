import { css } from 'lit';

/** Rows of a tree: their place, their name, their state, and what surrounds them. */
export const treeStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    max-block-size: var(--sitrep-list-size, 32rem);
    contain-intrinsic-size: auto 20rem auto 20rem;
    content-visibility: auto;
  }
  :host(:state(no-access)) {
    display: none !important;
  }
  .base {
    display: flex;
    flex: 1 1 auto;
    flex-direction: column;
    /* Also where the page makes the element a block: without a limit every row would be in sight. */
    block-size: 100%;
    max-block-size: inherit;
    /* A part of a height that is known was taken already, by the element. */
    min-block-size: 100%;
    overflow: clip;
  }
  .base > :not(.frame) {
    flex: none;
  }
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    min-block-size: 2.75rem;
    padding: 0.5rem 0.75rem 0.375rem;
  }
  .heading {
    flex: 1 1 5rem;
    min-inline-size: 0;
    font-weight: 650;
  }
  .counts {
    color: var(--_muted);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  .tools {
    display: flex;
  }
  .frame {
    position: relative;
    display: flex;
    flex: 1 1 auto;
    flex-direction: column;
    min-block-size: 0;
    border-block-start: var(--sitrep-line, 1px) solid var(--_border);
  }
  .scroller {
    flex: 1 1 auto;
    min-block-size: 0;
    overflow: hidden auto;
    overflow-anchor: none;
    overscroll-behavior: contain;
    scrollbar-width: thin;
  }
  .rows {
    position: relative;
  }
  .row {
    position: absolute;
    inset-block-start: 0;
    inset-inline: 0;
    min-block-size: calc(var(--_space) * 10);
    border-block-end: 1px solid color-mix(in srgb, var(--_border) 55%, transparent);
    cursor: default;
  }
  .row:hover {
    background: var(--_soft);
  }
  .row:focus-visible {
    outline-offset: -2px;
  }
  .run {
    background: color-mix(in srgb, var(--_soft) 60%, var(--_surface));
    font-weight: 600;
  }
  .name {
    display: flex;
    align-items: center;
    gap: 0.25rem 0.5rem;
    min-inline-size: 0;
    padding-inline-start: calc(var(--_depth) * min(1.125rem, 4cqi));
  }
  .mark {
    --_turn: -45deg;
    flex: none;
    inline-size: 0.375rem;
    block-size: 0.375rem;
    margin-inline: 0.125rem 0.25rem;
    border: solid var(--_muted);
    border-width: 0 1.5px 1.5px 0;
    rotate: var(--_turn);
  }
  .mark:dir(rtl) {
    --_turn: 135deg;
  }
  .row[aria-expanded='true'] .mark {
    --_turn: 45deg;
  }
  .title {
    font-weight: 500;
  }
  .run .title {
    font-weight: 650;
  }
  .operation.open > .name > * {
    white-space: normal;
  }
  .pill {
    margin: 0;
  }
  .body {
    padding-block-end: 0.375rem;
    padding-inline-start: calc(1.25rem + var(--_depth) * min(1.125rem, 4cqi));
  }
  .detail {
    margin: 0 0 0.25rem;
  }
  .detail:is(.attention, .danger) {
    color: var(--_tone);
    font-weight: 500;
  }
  .code,
  .facts {
    margin: 0.125rem 0 0;
    color: var(--_muted);
    font-size: var(--_small);
    font-weight: 400;
  }
  .code {
    color: inherit;
    font-family: ui-monospace, monospace;
  }
  .problem {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    padding: 0.375rem 0.75rem 0.625rem;
    color: var(--_muted);
  }
  .problem button {
    color: var(--_text);
  }
  .empty {
    margin: 0;
    padding: 0.25rem 0.75rem 0.75rem;
    color: var(--_muted);
  }
  .loading {
    display: grid;
    gap: 0.75rem;
    padding: 0.5rem 0.75rem 1rem;
  }
  .loading i {
    inline-size: 85%;
    block-size: 0.625rem;
    border-radius: var(--sitrep-bar-radius, 1rem);
    background: var(--_track);
  }
  .loading i:nth-of-type(2) {
    inline-size: 60%;
  }
  .loading i:nth-of-type(3) {
    inline-size: 72%;
  }
  .unprinted {
    display: none;
  }
  @media print {
    :host {
      display: block;
      max-block-size: none;
      content-visibility: visible;
    }
    .base,
    .frame,
    .scroller {
      display: block;
      block-size: auto;
      overflow: visible;
    }
    .rows {
      block-size: auto !important;
    }
    .row {
      position: static;
      translate: none !important;
      break-inside: avoid;
    }
    .title,
    .message {
      white-space: normal;
    }
    .toolbar,
    .top button,
    .newest,
    .earlier,
    .buttons {
      display: none !important;
    }
    .unprinted {
      display: block;
      margin: 0.5rem 0.75rem;
    }
  }
`;
