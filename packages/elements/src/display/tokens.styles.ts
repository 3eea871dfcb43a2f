import { css, unsafeCSS } from 'lit';

/**
 * Every colour, light and dark. Pages override any of them through the custom property of the same name; which half
 * holds follows the used `color-scheme`, so a dark page, a dark host and a dark system all work.
 */
const COLORS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  surface: ['#fff', '#17191e'],
  text: ['#1a1d23', '#e8eaef'],
  muted: ['#596170', '#a4adbb'],
  border: ['#dfe2e8', '#333842'],
  track: ['#e4e7ed', '#313640'],
  accent: ['#2456d3', '#8eb1ff'],
  'accent-soft': ['#e8eefd', '#1d2a49'],
  success: ['#136c3d', '#72d49e'],
  'success-soft': ['#e1f4e9', '#14301f'],
  danger: ['#b02318', '#ff9f97'],
  'danger-soft': ['#fdeae8', '#3d1e1c'],
  attention: ['#834800', '#f4c266'],
  'attention-soft': ['#fff0d4', '#392a10'],
  neutral: ['#4e5766', '#b0b9c7'],
  'neutral-soft': ['#edeff3', '#272b33'],
};

const all = (value: (light: string, dark: string) => string): string =>
  Object.entries(COLORS)
    .map(([name, [light, dark]]) => `--_${name}:var(--sitrep-${name},${value(light, dark)});`)
    .join('');

/** Colours and text of every element. Engines without `light-dark()` follow the system's scheme. */
export const tokens = css`
  :host {
    ${unsafeCSS(all((light, dark) => `light-dark(${light},${dark})`))}
    --_font: var(--sitrep-font, 400 0.875rem/1.45 system-ui, sans-serif);
    --_radius: var(--sitrep-radius, 0.625rem);
    color: var(--_text);
    font: var(--_font);
    text-align: start;
  }
  @supports not (color: light-dark(#000, #fff)) {
    :host {
      ${unsafeCSS(all((light) => light))}
    }
    @media (prefers-color-scheme: dark) {
      :host {
        ${unsafeCSS(all((_light, dark) => dark))}
      }
    }
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
`;

/** The drawing inside pills, steps and buttons. */
export const iconStyles = css`
  .icon {
    flex: none;
    inline-size: 1em;
    block-size: 1em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.9;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  @media (prefers-reduced-motion: no-preference) {
    .moving > .icon {
      animation: turn 1.4s linear infinite;
    }
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
`;

/** Buttons: plain, at least 24 px to hit. */
export const buttonStyles = css`
  button {
    min-block-size: 1.75rem;
    min-inline-size: 1.75rem;
    margin: 0;
    border: 1px solid var(--_border);
    border-radius: 0.375rem;
    padding: 0.125rem 0.625rem;
    background: none;
    color: inherit;
    font: inherit;
    font-weight: 500;
    cursor: pointer;
  }
  button:hover {
    background: var(--_neutral-soft);
  }
  button:focus-visible,
  a:focus-visible,
  [tabindex]:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  button[disabled] {
    color: var(--_muted);
    cursor: default;
  }
`;
