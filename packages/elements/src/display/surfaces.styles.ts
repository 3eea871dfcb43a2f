import { css } from 'lit';

/**
 * What an element with a surface of its own needs: its frame, its head and its buttons. Distances are multiples of
 * `--_space`, lines are `--_line`.
 */
export const surfaces = css`
  :host {
    --_text: var(--sitrep-text, light-dark(#191c21, #e8eaef));
    --_muted: var(--sitrep-muted, light-dark(#565d6b, #a4adbb));
    --_border: var(--sitrep-border, light-dark(#dfe2e8, #333842));
    --_track: var(--sitrep-track, light-dark(#e3e6ec, #313640));
    --_soft: var(--sitrep-soft, light-dark(#f1f3f6, #23272e));
    --_space: var(--sitrep-space, 0.25rem);
    --_line: var(--sitrep-line, 1px) solid var(--_border);
    display: block;
    min-inline-size: 0;
    container-type: inline-size;
    color: var(--_text);
    text-align: start;
  }
  .base {
    border: var(--_line);
    border-radius: var(--sitrep-radius, 0.625rem);
    background: var(--_surface);
    box-shadow: var(--sitrep-shadow, none);
    overflow-wrap: anywhere;
  }
  .head,
  .meta {
    display: flex;
    align-items: center;
    gap: var(--_space) calc(var(--_space) * 2.5);
  }
  button {
    min-block-size: var(--sitrep-control-size, 1.75rem);
    min-inline-size: var(--sitrep-control-size, 1.75rem);
    margin: 0;
    border: var(--_line);
    border-radius: var(--sitrep-control-radius, 0.375rem);
    padding: 0 0.625rem;
    background: none;
    color: inherit;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  button:hover {
    background: var(--_soft);
  }
  :focus-visible {
    outline: var(--sitrep-focus-size, 2px) solid var(--sitrep-focus, var(--_accent));
    outline-offset: -2px;
  }
  button[disabled] {
    color: var(--_muted);
    cursor: default;
  }
  .toggle {
    --_turn: -45deg;
    display: flex;
    gap: calc(var(--_space) * 2);
    align-items: center;
    min-inline-size: 3rem;
    margin-inline-start: -0.375rem;
    border: 0;
    padding-inline: 0.5625rem 0.4375rem;
    text-align: start;
  }
  .toggle::before {
    flex: none;
    inline-size: 0.375rem;
    block-size: 0.375rem;
    border: solid var(--_muted);
    border-width: 0 1.5px 1.5px 0;
    content: '';
    rotate: var(--_turn);
  }
  .toggle:dir(rtl) {
    --_turn: 135deg;
  }
  .toggle[aria-expanded='true'] {
    --_turn: 45deg;
  }
  .title,
  .message {
    text-align: -webkit-match-parent;
    text-align: match-parent;
    overflow: hidden;
    min-inline-size: 0;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .open > .head * {
    white-space: normal;
  }
  /* Beside a text of many lines they stay at the first. */
  .open > .head,
  .open > .head > .toggle {
    align-items: start;
  }
  .open > .head > .pill {
    margin-block: calc((var(--sitrep-control-size, 1.75rem) - 1.5rem) / 2);
  }
  .open > .head > .toggle {
    padding-block: calc((var(--sitrep-control-size, 1.75rem) - 1lh) / 2);
  }
  .open > .head > .toggle::before {
    margin-block-start: calc(0.5lh - 0.25rem);
  }
  .meta {
    flex-wrap: wrap;
    color: var(--_muted);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  .head + .meta {
    margin-block-start: var(--_space);
  }
  .pill {
    flex: none;
    margin-inline-start: auto;
  }
  /* Its text has a direction of its own; the line's is what counts. */
  .last {
    margin-left: auto;
  }
  .meta:dir(rtl) > .last {
    margin: 0 auto 0 0;
  }
  @container (inline-size < 26rem) {
    .head {
      flex-wrap: wrap;
    }
    .toggle {
      flex: 1 1 5rem;
    }
  }
  @container (inline-size < 16rem) {
    .toggle {
      flex-basis: auto;
    }
    .head > .pill {
      margin-inline: 0.75rem auto;
    }
  }
  @media print, (prefers-contrast: more) {
    :host {
      --_muted: var(--_text);
      --_border: var(--_text);
    }
  }
  @media print {
    :host {
      --_text: #000;
      --_track: #fff;
      --_soft: #fff;
      content-visibility: visible !important;
    }
    .base {
      break-inside: avoid;
      box-shadow: none;
    }
    .head * {
      white-space: normal;
    }
    button:not(.toggle) {
      display: none;
    }
  }
`;
