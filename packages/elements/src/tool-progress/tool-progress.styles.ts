import { css } from 'lit';

/** The operation and its bar. */
export const styles = css`
  :host {
    --_bar: var(--sitrep-bar-size, 0.375rem);
    contain-intrinsic-size: auto 20rem auto 4.5rem;
    content-visibility: auto;
  }
  .base {
    padding: calc(var(--_space) * 2) calc(var(--_space) * 3) calc(var(--_space) * 2.5);
  }
  .toggle {
    font-weight: 600;
  }
  .message {
    flex: 1 1 4rem;
    min-inline-size: 4rem;
    color: var(--_muted);
  }
  /* Open, all of it is shown: below the title, where it has room. */
  .open > .head {
    flex-wrap: wrap;
  }
  .open > .head > .message {
    order: 3;
    flex-basis: 100%;
  }
  bdi:empty,
  .meta > :empty {
    display: none;
  }
  .head > button:not(.toggle) {
    font-size: var(--_small);
  }
  .head > button::first-letter {
    text-transform: uppercase;
  }
  button[aria-disabled='true'] {
    color: var(--_muted);
    cursor: default;
  }
  .percent {
    color: var(--_text);
    font-weight: 600;
  }
  @container (inline-size < 26rem) {
    .message {
      order: 3;
      flex-basis: 100%;
    }
  }
  .bar {
    overflow: hidden;
    margin-block: calc(var(--_space) * 1.5) var(--_space);
    outline: 1px solid var(--_edge);
    block-size: var(--_bar);
    border-radius: var(--sitrep-bar-radius, 1rem);
    background: var(--_track);
    print-color-adjust: exact;
  }
  .fill {
    block-size: 100%;
    inline-size: 0;
    background: var(--sitrep-bar, var(--_tone));
    transform-origin: left;
  }
  .bar:dir(rtl) > .fill {
    transform-origin: right;
  }
  .bar[hidden] + .meta > .last {
    margin-inline: 0;
  }
  .unknown > .fill {
    background: radial-gradient(circle, var(--sitrep-bar, var(--_tone)) calc(var(--_bar) * 0.36), transparent 0) 0 / calc(var(--_bar) * 2)
      100%;
    inline-size: 100%;
  }
  @media (prefers-reduced-motion: no-preference) {
    .glide {
      animation: glide var(--sitrep-glide, 0.24s);
    }
    .again {
      animation-name: again;
    }
    .running > .fill {
      inline-size: 40%;
      border-radius: inherit;
      background: var(--sitrep-bar, var(--_tone));
      animation: pass var(--sitrep-cycle, 1.6s) ease-in-out infinite;
    }
    .running {
      direction: ltr;
    }
    .running:dir(rtl) > .fill {
      animation-direction: reverse;
    }
  }
  @keyframes glide {
    from {
      transform: scaleX(var(--_from));
    }
  }
  @keyframes again {
    from {
      transform: scaleX(var(--_from));
    }
  }
  @keyframes pass {
    from {
      translate: -100%;
    }
    to {
      translate: 250%;
    }
  }
  @media (forced-colors: active) {
    .fill {
      --_tone: Highlight;
      --sitrep-bar: initial;
      forced-color-adjust: none;
    }
  }
`;
