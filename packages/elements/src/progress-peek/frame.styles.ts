import { css } from 'lit';

/** The frame of the card: nothing but its place. The room around the card lets the pointer travel there. */
export const frame = css`
  :host {
    position: fixed;
    overflow: visible;
    box-sizing: border-box;
    inset: auto;
    inline-size: min(23rem, 100vw - 0.5rem);
    block-size: auto;
    max-inline-size: none;
    max-block-size: none;
    border: 0;
    margin: 0;
    padding: 0.375rem;
    background: none;
    color: inherit;
    text-align: start;
    white-space: normal;
  }
  :host(.anchored) {
    position-area: inline-end span-block-end;
    position-try-fallbacks:
      flip-inline,
      flip-block,
      flip-inline flip-block,
      block-end span-inline-end,
      block-start span-inline-end,
      block-end span-all,
      block-start span-all;
  }
  :host(.anchored.below) {
    position-area: block-end span-inline-end;
    position-try-fallbacks:
      flip-block,
      flip-inline,
      flip-block flip-inline,
      block-end span-all,
      block-start span-all;
  }
  @media print {
    :host {
      display: none;
    }
  }
`;
