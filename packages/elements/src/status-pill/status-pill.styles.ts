import { css } from 'lit';

export const styles = css`
  :host {
    display: inline-flex;
    max-inline-size: 100%;
    vertical-align: middle;
  }
  .base {
    display: inline-flex;
    min-inline-size: 0;
    max-inline-size: 100%;
  }
`;
