import { css } from 'lit';

export const styles = css`
  :host,
  .base {
    display: inline-flex;
    min-inline-size: 0;
    max-inline-size: 100%;
    vertical-align: middle;
  }
  :host([compact='auto']) {
    display: flex;
    container-type: inline-size;
  }
  @container (inline-size < 7.5rem) {
    .auto {
      padding-inline: 0.3125rem;
    }
    .auto > :not(svg) {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  }
`;
