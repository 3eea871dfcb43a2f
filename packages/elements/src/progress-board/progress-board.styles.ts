import { css } from 'lit';

/** The grid: one column where it is narrow, as many as fit where it is wide. */
export const styles = css`
  :host {
    container-type: inline-size;
    display: block;
    color: var(--sitrep-text, light-dark(#191c21, #e8eaef));
    text-align: start;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
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
    margin: 0;
    padding: 0;
    list-style: none;
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
    list-style: none;
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
    border: 1px dashed var(--sitrep-border, light-dark(#dfe2e8, #333842));
    border-radius: var(--sitrep-radius, 0.625rem);
    padding: 1rem;
    color: var(--sitrep-muted, light-dark(#565d6b, #a4adbb));
  }
  .problem button {
    min-block-size: 1.75rem;
    margin: 0;
    border: 1px solid currentColor;
    border-radius: var(--sitrep-control-radius, 0.375rem);
    padding: 0 0.625rem;
    background: none;
    color: var(--sitrep-text, light-dark(#191c21, #e8eaef));
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  :focus-visible {
    outline: var(--sitrep-focus-size, 2px) solid var(--sitrep-focus, var(--_accent));
    outline-offset: 1px;
  }
  ::slotted(*) {
    min-inline-size: 0;
  }
`;
