import { css } from 'lit';

/** What holds an operation, or became of it. */
export const detailStyles = css`
  .detail {
    display: -webkit-box;
    overflow: hidden;
    margin: var(--_space) 0 0;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .open .detail {
    display: block;
    white-space: pre-line;
  }
  .detail:is(.attention, .danger) {
    color: var(--_tone);
    font-weight: 500;
  }
  .code,
  .facts {
    margin: var(--_space) 0 0;
    color: var(--_muted);
    font-size: var(--_small);
    font-weight: 400;
  }
  .code {
    color: inherit;
    font-family: var(--sitrep-font-mono, ui-monospace, monospace);
  }
`;
