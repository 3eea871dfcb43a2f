import { css } from 'lit';

export const styles = css`
  :host {
    contain-intrinsic-inline-size: auto 24rem;
  }
  .base {
    padding: 0.75rem 0.875rem;
  }
  .title {
    font-size: 1rem;
    font-weight: 650;
    line-height: 1.4;
  }
  .meter {
    display: flex;
    gap: 2px;
    overflow: hidden;
    block-size: 0.25rem;
    border-radius: 1rem;
    margin-block: 0.375rem 0;
  }
  .meter > span {
    flex: 1 1 0;
    background: var(--_track);
  }
  .meter > .completed {
    background: var(--_success);
  }
  .meter > .current {
    background: var(--_accent);
  }
  .meter > .paused {
    background: var(--_neutral);
  }
  .meter > .failed {
    background: var(--_danger);
  }
  .now {
    margin-block-start: 0.5rem;
  }
  .body {
    display: grid;
    gap: 0.75rem;
    margin-block-start: 0.75rem;
  }
  .body > * {
    min-inline-size: 0;
  }
  .operations {
    border-block-start: 1px solid var(--_border);
    padding-block-start: 0.5rem;
  }
  .operations:first-child {
    border: 0;
    padding: 0;
  }
  .problem {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.375rem 0.75rem;
    margin-block-start: 0.5rem;
    color: var(--_muted);
  }
  .problem button {
    color: var(--_text);
  }
  .empty {
    margin: 0.25rem 0 0;
    color: var(--_muted);
  }
  .loading {
    display: grid;
    gap: 0.5rem;
    margin-block-start: 0.5rem;
  }
  .loading > i {
    inline-size: 80%;
    block-size: 0.625rem;
    border-radius: 1rem;
    background: var(--_track);
  }
  .loading > i:last-child {
    inline-size: 55%;
  }
  @media (forced-colors: active) {
    .meter > span {
      border: 1px solid CanvasText;
    }
    .meter > .completed {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`;
