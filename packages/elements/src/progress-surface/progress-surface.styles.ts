import { css } from 'lit';

/** The shell around the page's own parts, if there is one, and the two places of the card. */
export const styles = css`
  :host {
    display: none;
    min-inline-size: 0;
  }
  :host(:state(here)) {
    display: block;
  }
  :host(:state(around)) {
    display: flex;
    gap: 1rem;
    min-block-size: 0;
  }
  :host([hidden]) {
    display: none !important;
  }
  .main {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 0.5rem;
    min-inline-size: 0;
    min-block-size: 0;
  }
  .side {
    flex: none;
    overflow: auto;
    inline-size: 20rem;
  }
  .side[hidden],
  .place:empty {
    display: none;
  }
  ::slotted(:not([slot])) {
    flex: 1;
    min-block-size: 0;
  }
`;
