import { css, unsafeCSS } from 'lit';
import type { CSSResult } from 'lit';

/** A colour, light and dark. */
export type Colours = Readonly<Record<string, readonly [light: string, dark: string]>>;

/**
 * Declares colours as private properties that the public ones of the same name override. Which half holds follows the
 * used `color-scheme`, so a dark page, a dark host and a dark system all work; an engine without `light-dark()` follows
 * the system.
 */
export function palette(colours: Colours): CSSResult {
  const all = (value: (both: readonly [string, string]) => unknown): string =>
    `:host{${Object.entries(colours)
      .map(([name, both]) => `--_${name}:var(--sitrep-${name},${value(both)});`)
      .join('')}}`;
  const day = all(([light]) => light);
  const night = all(([, dark]) => dark);
  return unsafeCSS(
    `${day}@media(prefers-color-scheme:dark){${night}}@supports(color:light-dark(red,red)){${all((both) => `light-dark(${both})`)}}`,
  );
}

/** Colour families, text, and what every element needs. */
export const tones = css`
  ${palette({
    accent: ['#2456d3', '#8eb1ff'],
    success: ['#136c3d', '#72d49e'],
    danger: ['#b02318', '#ff9f97'],
    attention: ['#834800', '#f4c266'],
    neutral: ['#4e5766', '#b0b9c7'],
    surface: ['#fff', '#17191e'],
  })}
  :host {
    font: var(--sitrep-font, 400 0.875rem/1.45 system-ui, sans-serif);
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  * {
    box-sizing: border-box;
  }
  .sr {
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
  .neutral {
    --_tone: var(--_neutral);
  }
`;
