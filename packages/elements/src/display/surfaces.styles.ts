import { css } from 'lit';

/** What an element with a surface of its own needs: its frame, its head, its buttons and its lists. */
export const surfaces = css`
  :host {
    --_text: var(--sitrep-text, light-dark(#1a1d23, #e8eaef));
    --_muted: var(--sitrep-muted, light-dark(#596170, #a4adbb));
    --_border: var(--sitrep-border, light-dark(#dfe2e8, #333842));
    --_track: var(--sitrep-track, light-dark(#e4e7ed, #313640));
    --_soft: var(--sitrep-soft, light-dark(#f0f2f5, #23272e));
    display: block;
    container-type: inline-size;
    color: var(--_text);
    text-align: start;
  }
  .base {
    border: 1px solid var(--_border);
    border-radius: var(--sitrep-radius, 0.625rem);
    background: var(--_surface);
    overflow-wrap: anywhere;
  }
  .head,
  .meta {
    display: flex;
    align-items: center;
    gap: 0.25rem 0.625rem;
  }
  button {
    min-block-size: 1.75rem;
    min-inline-size: 1.75rem;
    margin: 0;
    border: 1px solid var(--_border);
    border-radius: 0.375rem;
    padding: 0.125rem 0.625rem;
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
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  button[disabled] {
    color: var(--_muted);
    cursor: default;
  }
  .toggle {
    --_turn: -45deg;
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-inline-size: 3rem;
    margin-inline-start: -0.375rem;
    border-color: transparent;
    padding-inline: 0.5rem 0.375rem;
    text-align: start;
  }
  .toggle::before {
    flex: none;
    inline-size: 0.375rem;
    block-size: 0.375rem;
    border: solid var(--_muted);
    border-width: 0 2px 2px 0;
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
  .meta {
    flex-wrap: wrap;
    color: var(--_muted);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
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
    .open > .head > .toggle {
      flex-basis: auto;
    }
    .open > .head > .pill {
      margin-inline: 0.75rem auto;
    }
  }
  ul,
  ol {
    display: grid;
    gap: 0.25rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    min-inline-size: 0;
  }
  li > tool-progress {
    margin-inline: -0.375rem;
  }
  li > tool-progress::part(base) {
    border: 0;
    padding: 0.25rem 0.375rem;
    background: none;
  }
`;
