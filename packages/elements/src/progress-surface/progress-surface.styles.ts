import { css } from 'lit';

/** The shell around the page's own parts, if there is one, and the two places of the card. */
export const styles = css`
  :host {
    display: none;
    min-inline-size: 0;
  }
  /* As a server drew it, all of it is seen until the page knows better. */
  :host(:is(:state(here), [drawn-at])) {
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
  :host([drawn-at]) .side {
    display: block;
    inline-size: auto;
  }
  :host(:not([drawn-at])) .side[hidden],
  .place:empty {
    display: none;
  }
  :host(:state(around)) .place.composer {
    overflow: auto;
    min-block-size: 0;
    max-block-size: 60%;
  }
  ::slotted(:not([slot])) {
    flex: 1;
    min-block-size: 0;
  }
  ::slotted([slot='composer']) {
    flex: none;
  }
`;
