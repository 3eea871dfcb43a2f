import { css } from 'lit';

/** How the tools of the workshop look: plainer than what they show. */
export const workshop = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    font:
      13px/1.5 system-ui,
      sans-serif;
    color: light-dark(#1b1f24, #e6e8eb);
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
  }
  .grow {
    flex: 1 1 160px;
    min-inline-size: 0;
  }
  .sides {
    display: grid;
    gap: 16px;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 280px), 1fr));
    align-items: start;
  }
  .shown {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    min-inline-size: 0;
  }
  button,
  select,
  input[type='search'] {
    font: inherit;
    min-block-size: 28px;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  label {
    display: inline-flex;
    gap: 6px;
    align-items: center;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
  input[type='range'] {
    inline-size: 100%;
    min-block-size: 24px;
    margin: 0;
  }
  textarea {
    box-sizing: border-box;
    inline-size: 100%;
    font:
      12px/1.5 ui-monospace,
      monospace;
    resize: vertical;
  }
  pre,
  ol {
    margin: 0;
    padding: 8px;
    overflow: auto;
    max-block-size: 260px;
    font:
      12px/1.5 ui-monospace,
      monospace;
    border: 1px solid light-dark(#d6dae0, #373c44);
    border-radius: 6px;
    background: light-dark(#fff, #16191d);
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  ol {
    padding-inline-start: 36px;
    white-space: normal;
  }
  h3 {
    margin: 0 0 4px;
    font-size: 13px;
  }
  p {
    margin: 0;
  }
  .faint {
    color: light-dark(#5a6270, #9aa3b0);
  }
`;
