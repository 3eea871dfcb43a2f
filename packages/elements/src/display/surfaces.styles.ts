import { css } from 'lit';
import { palette } from './tones.styles.ts';

const surfacePalette = palette({
  text: ['#1a1d23', '#e8eaef'],
  muted: ['#596170', '#a4adbb'],
  border: ['#dfe2e8', '#333842'],
  track: ['#e4e7ed', '#313640'],
  soft: ['#f0f2f5', '#23272e'],
});

/** What an element with a surface of its own needs. */
export const surfaces = css`
  ${surfacePalette}
  :host {
    --_radius: var(--sitrep-radius, 0.625rem);
    display: block;
    container-type: inline-size;
    color: var(--_text);
    text-align: start;
  }
  .base {
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    overflow-wrap: anywhere;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 0.25rem 0.625rem;
  }
  .toggle {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    min-inline-size: 3rem;
    margin-inline-start: -0.375rem;
    border-color: transparent;
    padding: 0.125rem 0.375rem;
    text-align: start;
  }
  .toggle > .icon {
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .toggle:dir(rtl) > .icon {
    transform: scaleX(-1);
  }
  .open > .head > .toggle > .icon {
    transform: rotate(90deg);
  }
  .title,
  .message {
    overflow: hidden;
    min-inline-size: 0;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .open > .head > * > .title,
  .open > .head > .message {
    white-space: normal;
  }
  .end {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: 0.375rem;
    max-inline-size: 100%;
    margin-inline-start: auto;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.75rem;
    color: var(--_muted);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
  }
  .meta > .last:not(:only-child) {
    margin-inline-start: auto;
  }
  @container (inline-size < 26rem) {
    .head {
      flex-wrap: wrap;
    }
    .toggle {
      flex: 1 1 5rem;
    }
    .open > .head > .toggle {
      flex-basis: 100%;
    }
    .open > .head > .end {
      justify-content: start;
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

/** Buttons: plain, at least 24 px to hit. */
export const buttonStyles = css`
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
`;
