import { css } from 'lit';

/** Lists, and the operations in them. */
export const lists = css`
  ul,
  ol {
    display: grid;
    gap: var(--_space);
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
    padding: var(--_space) 0.375rem;
    background: none;
    box-shadow: none;
  }
  [part='nested'] {
    margin-block-start: calc(var(--_space) * 2);
    border-inline-start: 2px solid var(--_border);
    padding-inline-start: min(0.625rem, 2.5cqi);
  }
`;
