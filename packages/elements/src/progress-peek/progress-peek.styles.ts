import { css } from 'lit';

/** Nothing of its own: what is inside stands as if it were not there. */
export const styles = css`
  :host {
    display: contents;
  }
  :host([hidden]) {
    display: none !important;
  }
`;
