import { css } from 'lit';

/** Pages that are read rather than used: headings, sections, tables. */
export const page = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 28px;
    max-inline-size: 60rem;
    margin-inline: auto;
    font:
      14px/1.55 system-ui,
      sans-serif;
    color: light-dark(#1b1f24, #e6e8eb);
  }
  h1 {
    margin: 0;
    font-size: clamp(20px, 8vi, 26px);
    line-height: 1.25;
    overflow-wrap: anywhere;
  }
  h2 {
    margin: 0;
    font-size: 18px;
  }
  h3 {
    margin: 0;
    font-size: 14px;
  }
  p {
    margin: 0;
    max-inline-size: 44rem;
    text-wrap: pretty;
  }
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
  }
  a {
    color: light-dark(#2456d3, #8eb1ff);
    text-underline-offset: 0.2em;
  }
  code {
    font:
      0.93em/1.5 ui-monospace,
      monospace;
  }
  pre {
    overflow: auto;
    margin: 0;
    border: 1px solid light-dark(#d6dae0, #373c44);
    border-radius: 6px;
    padding: 10px 12px;
    background: light-dark(#fff, #16191d);
    font:
      12.5px/1.5 ui-monospace,
      monospace;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    overflow-wrap: anywhere;
  }
  caption {
    padding-block: 4px;
    font-weight: 600;
    text-align: start;
  }
  th,
  td {
    border-block-start: 1px solid light-dark(#d5d9e0, #363b45);
    padding: 6px 12px 6px 0;
    text-align: start;
    vertical-align: top;
  }
  :is(th, td):dir(rtl) {
    padding: 6px 0 6px 12px;
  }
  th {
    inline-size: 30%;
    font-weight: 500;
  }
  summary {
    min-block-size: 24px;
    overflow-wrap: anywhere;
  }
`;
