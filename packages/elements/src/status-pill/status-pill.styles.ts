import { css } from 'lit';

export const styles = css`
  :host,
  .base {
    display: inline-flex;
    min-inline-size: 0;
    max-inline-size: 100%;
    vertical-align: middle;
  }
`;
