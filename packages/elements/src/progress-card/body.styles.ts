import { css } from 'lit';

/** What a card shows while it is open. */
export const bodyStyles = css`
  .body > * {
    min-inline-size: 0;
  }
  [part='operations']:not(:first-child) {
    border-block-start: var(--_line);
    padding-block-start: calc(var(--_space) * 2);
  }
  .note:not(:has(*)) {
    display: none;
  }
  /* A note before its reader is there takes the place it will have. */
  .plain {
    margin: 0;
    white-space: pre-wrap;
  }
`;
