import { css } from 'lit';

export const styles = css`
  :host {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr));
    align-items: start;
    gap: 1.25rem;
    font:
      400 0.875rem/1.45 system-ui,
      sans-serif;
  }
  .controls,
  .shown {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
  }
  details,
  .side {
    border: 1px solid light-dark(#cfd4dc, #3b414c);
    border-radius: 0.5rem;
    padding: 0.5rem 0.75rem;
  }
  summary,
  h2 {
    margin: 0;
    min-block-size: 1.5rem;
    font-size: 0.875rem;
    font-weight: 600;
  }
  summary {
    cursor: pointer;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    margin-block-start: 0.5rem;
  }
  .row > :first-child {
    flex: 1 1 6rem;
  }
  .row label {
    display: flex;
    align-items: center;
    gap: 0.25rem;
  }
  input,
  button {
    box-sizing: border-box;
    min-block-size: 1.75rem;
    min-inline-size: 0;
    margin: 0;
    font: inherit;
  }
  input[type='color'] {
    inline-size: 2.5rem;
    padding: 0.125rem;
  }
  input[type='range'] {
    flex: 1 1 7rem;
  }
  input[type='text'] {
    flex: 2 1 8rem;
  }
  output {
    min-inline-size: 3.5rem;
    font-variant-numeric: tabular-nums;
  }
  textarea {
    box-sizing: border-box;
    inline-size: 100%;
    margin-block: 0.25rem 0.5rem;
    font:
      0.8125rem/1.5 ui-monospace,
      monospace;
    resize: vertical;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  caption {
    text-align: start;
    font-weight: 600;
  }
  th,
  td {
    overflow-wrap: anywhere;
    padding: 0.125rem 0.5rem 0.125rem 0;
    text-align: start;
    font-weight: 400;
  }
  .weak {
    color: light-dark(#a91d13, #ff9f97);
    font-weight: 600;
  }
  .side {
    background: light-dark(#f6f7f9, #0f1114);
    color: light-dark(#191c21, #e8eaef);
  }
  .light {
    color-scheme: light;
  }
  .dark {
    color-scheme: dark;
  }
  .pills {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0.75rem 0 0;
  }
  progress-card {
    margin-block-start: 0.5rem;
  }
`;
