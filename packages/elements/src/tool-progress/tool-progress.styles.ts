import { css } from 'lit';

export const styles = css`
  :host {
    contain-intrinsic-size: auto 20rem auto 4.5rem;
    content-visibility: auto;
  }
  .base {
    padding: 0.5rem 0.75rem 0.625rem;
  }
  .toggle {
    font-weight: 600;
  }
  .message {
    flex: 1 1 4rem;
    color: var(--_muted);
  }
  .end button {
    font-size: 0.75rem;
  }
  .bar {
    margin-block: 0.375rem 0.25rem;
  }
  .percent {
    color: var(--_text);
    font-weight: 600;
  }
  .detail {
    display: -webkit-box;
    overflow: hidden;
    margin: 0.25rem 0 0;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .open .detail {
    display: block;
  }
  .detail:is(.attention, .danger) {
    color: var(--_tone);
    font-weight: 500;
  }
  .code {
    font-family: ui-monospace, monospace;
    font-size: 0.75rem;
    font-weight: 400;
  }
  .facts {
    margin: 0.375rem 0 0;
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .nested {
    margin-block-start: 0.5rem;
    border-inline-start: 2px solid var(--_border);
    padding-inline-start: 0.625rem;
  }
  @container (inline-size < 26rem) {
    .message {
      order: 3;
      flex: 1 0 100%;
    }
  }
  @container (inline-size < 15rem) {
    .nested {
      padding-inline-start: 0.375rem;
    }
  }
`;
