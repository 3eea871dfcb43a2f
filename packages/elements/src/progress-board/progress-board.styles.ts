import { css } from 'lit';

/** The grid: one column where it is narrow, as many as fit where it is wide. */
export const styles = css`
  .head {
    flex-wrap: wrap;
    gap: 0.375rem 0.75rem;
    margin-block-end: 0.75rem;
  }
  h2 {
    margin: 0;
    font-size: 1.0625rem;
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  .sums {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.375rem;
  }
  .sums > li {
    display: flex;
    min-inline-size: 0;
  }
  .grid {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--sitrep-board-column, 17.5rem)), 1fr));
    gap: var(--sitrep-board-gap, 0.75rem);
    align-items: stretch;
  }
  .list {
    display: contents;
  }
  .list > li {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    min-inline-size: 0;
  }
  .problem,
  .empty {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    margin: 0;
    border: var(--_line);
    border-style: dashed;
    border-radius: var(--sitrep-radius, 0.625rem);
    padding: 1rem;
    color: var(--_muted);
  }
  .problem button {
    color: var(--_text);
  }
  ::slotted(*) {
    min-inline-size: 0;
  }
`;
