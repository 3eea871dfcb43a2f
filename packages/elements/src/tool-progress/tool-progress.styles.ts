import { css } from 'lit';

/** The operation and its bar. */
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
  .message:empty {
    display: none;
  }
  .head > button:not(.toggle) {
    font-size: 0.75rem;
  }
  .percent {
    color: var(--_text);
    font-weight: 600;
  }
  .percent:empty {
    display: none;
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
  .code,
  .facts {
    margin: 0.375rem 0 0;
    color: var(--_muted);
    font-size: 0.75rem;
    font-weight: 400;
  }
  .code {
    color: inherit;
    font-family: ui-monospace, monospace;
  }
  [part='nested'] {
    margin-block-start: 0.5rem;
    border-inline-start: 2px solid var(--_border);
    padding-inline-start: min(0.625rem, 2.5cqi);
  }
  @container (inline-size < 26rem) {
    .message {
      order: 3;
      flex-basis: 100%;
    }
  }
  .bar {
    overflow: hidden;
    margin-block: 0.375rem 0.25rem;
    block-size: var(--sitrep-bar-size, 0.375rem);
    border-radius: 1rem;
    background: var(--_track);
  }
  .fill {
    block-size: 100%;
    background: var(--sitrep-bar, var(--_tone));
    transform: scaleX(0);
    transform-origin: left;
  }
  .bar:dir(rtl) > .fill {
    transform-origin: right;
  }
  .unknown > .fill {
    background: repeating-linear-gradient(135deg, var(--_tone) 0 0.25rem, transparent 0 0.5rem);
    transform: none;
    opacity: 0.6;
  }
  @media (prefers-reduced-motion: no-preference) {
    .glide {
      transition: transform 0.24s;
    }
    .running > .fill {
      inline-size: 40%;
      border-radius: inherit;
      background: var(--sitrep-bar, var(--_tone));
      opacity: 1;
      animation: pass 1.6s ease-in-out infinite;
    }
    .running {
      direction: ltr;
    }
    .running:dir(rtl) > .fill {
      animation-direction: reverse;
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
    .bar {
      border: 1px solid CanvasText;
    }
    .fill {
      --_tone: Highlight;
      forced-color-adjust: none;
    }
  }
`;
