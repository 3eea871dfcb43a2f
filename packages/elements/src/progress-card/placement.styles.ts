import { css } from 'lit';

/** The card beside the composer, closed one line, and the card over the page for a moment. */
export const placementStyles = css`
  /* One of them, always seen, and measured by who puts it there. */
  :host {
    content-visibility: visible;
  }
  .line {
    position: relative;
    overflow: hidden;
    padding: 0.25rem 0.375rem;
  }
  .line > .head {
    flex-wrap: nowrap;
  }
  .line .toggle {
    flex: 1;
    margin: 0;
    padding-inline: 0.375rem;
  }
  .line .title {
    flex: 1;
    font: inherit;
  }
  .line > .meter {
    position: absolute;
    inset: auto 0 0;
    border-radius: 0;
    margin: 0;
    block-size: 2px;
  }
  .line > .problem {
    margin: 0;
    padding: 0.125rem 0.375rem 0.375rem;
  }
  .position {
    flex: none;
    color: var(--_muted);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
  }
  /* In a low window it leaves room for its own head, the composer and what stands above. */
  .composer.open > .body {
    overflow: auto;
    max-block-size: min(20rem, 40dvh, max(6rem, 100dvh - 20rem));
    overscroll-behavior: contain;
  }
  [part='promoted'] > bdi {
    display: block;
    margin-block-end: 0.25rem;
    font-weight: 550;
  }
  .peek {
    overflow: auto;
    max-block-size: min(28rem, 100dvh - 1.5rem, var(--_room, 100dvh));
    overscroll-behavior: contain;
    box-shadow: 0 0.5rem 2rem -0.25rem light-dark(rgb(16 24 40 / 0.22), rgb(0 0 0 / 0.7));
  }
  .peek > .head > .pill {
    margin-inline: auto 0 !important;
  }
`;
