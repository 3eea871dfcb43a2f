import { css } from 'lit';

/**
 * Colour families, text, and what every element needs. Which half of a colour holds follows the used `color-scheme`, so a
 * dark page, a dark host and a dark system all work.
 */
export const tones = css`
  :host {
    --_accent: var(--sitrep-accent, light-dark(#2456d3, #8eb1ff));
    --_success: var(--sitrep-success, light-dark(#136c3d, #72d49e));
    --_danger: var(--sitrep-danger, light-dark(#b02318, #ff9f97));
    --_attention: var(--sitrep-attention, light-dark(#834800, #f4c266));
    --_tone: var(--sitrep-neutral, light-dark(#4e5766, #b0b9c7));
    --_surface: var(--sitrep-surface, light-dark(#fff, #17191e));
    font: var(--sitrep-font, 400 0.875rem/1.45 system-ui, sans-serif);
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  * {
    box-sizing: border-box;
  }
  .sr,
  .compact > :not(svg) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .accent {
    --_tone: var(--_accent);
  }
  .success {
    --_tone: var(--_success);
  }
  .danger {
    --_tone: var(--_danger);
  }
  .attention {
    --_tone: var(--_attention);
  }
`;
