import { css } from 'lit';

/**
 * Colour families, text, and what every element needs. Which half of a colour holds follows the used `color-scheme`, so a
 * dark page, a dark host and a dark system all work; who asked for more contrast gets lines in place of tints; paper gets
 * black on white.
 */
export const tones = css`
  :host {
    --_accent: var(--sitrep-accent, light-dark(#1b4cc7, #8eb1ff));
    --_success: var(--sitrep-success, light-dark(#0f6437, #72d49e));
    --_danger: var(--sitrep-danger, light-dark(#a91d13, #ff9f97));
    --_attention: var(--sitrep-attention, light-dark(#7a4300, #f4c266));
    --_tone: var(--sitrep-neutral, light-dark(#4a5260, #b0b9c7));
    --_surface: var(--sitrep-surface, light-dark(#fff, #17191e));
    --_tint: var(--sitrep-tint, 12%);
    --_edge: var(--sitrep-edge, transparent);
    --_small: var(--sitrep-font-size-small, 0.857em);
    color-scheme: var(--sitrep-color-scheme);
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
  @media print, (prefers-contrast: more) {
    :host {
      --_tint: 0%;
      --_edge: currentColor;
    }
  }
  @media print {
    * {
      --_tone: #000 !important;
      --_accent: #000 !important;
      --_surface: #fff;
      animation: none !important;
    }
  }
`;
