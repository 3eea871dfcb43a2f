import { css } from 'lit';

/** The list of versions, and what a past one looks like. */
export const versionStyles = css`
  .past .marker svg {
    animation: none;
  }
  .facts {
    margin-inline-start: 0.5rem;
    color: var(--_muted);
    font-size: var(--_small);
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
  .history {
    margin-block-start: 0.375rem;
  }
  .history button {
    inline-size: 100%;
    text-align: start;
  }
  .history [aria-pressed='true'] {
    border-color: currentColor;
    font-weight: 650;
  }
`;
