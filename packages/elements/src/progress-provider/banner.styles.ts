import { css } from 'lit';

/** The banner lies on the edge of what comes first in the provider and takes no place of its own. */
export const bannerStyles = css`
  .banner {
    position: absolute;
    z-index: 1;
    translate: 0 -1rem;
    display: flex;
    align-items: center;
    gap: 0.5rem;
    box-sizing: border-box;
    inline-size: max-content;
    max-inline-size: min(100% - 3.5rem, 28rem);
    min-block-size: 1.75rem;
    margin: 0 0.75rem;
    border: 1px solid color-mix(in srgb, var(--_tone) 45%, var(--_surface));
    border-radius: var(--sitrep-pill-radius, 1rem);
    padding: 0.0625rem 0.75rem 0.0625rem 0.5rem;
    background: color-mix(in srgb, var(--_tone) 10%, var(--_surface));
    box-shadow: 0 2px 8px rgb(0 0 0 / 14%);
    color: var(--_tone);
    font: var(--sitrep-font, 400 0.875rem/1.45 system-ui, sans-serif);
    font-size: var(--_small);
    font-weight: 550;
    text-align: start;
  }
  .inline {
    position: static;
    translate: none;
    inline-size: auto;
    max-inline-size: none;
    margin: 0 0 0.5rem;
    border-radius: var(--sitrep-radius, 0.625rem);
    box-shadow: none;
  }
  .banner:dir(rtl) {
    padding: 0.0625rem 0.5rem 0.0625rem 0.75rem;
  }
  .words {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .words::first-letter {
    text-transform: uppercase;
  }
  .since {
    font-weight: 400;
  }
  .banner button {
    flex: none;
    min-block-size: 1.5rem;
    margin: 0;
    margin-inline-end: -0.5rem;
    border: 1px solid currentColor;
    border-radius: var(--sitrep-pill-radius, 1rem);
    padding: 0 0.625rem;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;
  }
  .banner button:hover {
    background: color-mix(in srgb, var(--_tone) 14%, var(--_surface));
  }
  .banner :focus-visible {
    outline: var(--sitrep-focus-size, 2px) solid var(--sitrep-focus, var(--_accent));
    outline-offset: 1px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .banner {
      animation: arrive 0.2s ease-out;
    }
    @keyframes arrive {
      from {
        opacity: 0;
        translate: 0 -1.25rem;
      }
    }
  }
  @media (forced-colors: active) {
    .banner {
      border-color: CanvasText;
      background: Canvas;
      color: CanvasText;
    }
  }
`;
