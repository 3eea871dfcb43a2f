import { css, html } from 'lit';
import type { TemplateResult } from 'lit';
import type { ShownState } from './shown-state.ts';

const RING = 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11z';
const DOT = 'M8 5.25a2.75 2.75 0 1 1 0 5.5a2.75 2.75 0 0 1 0-5.5z';
const ARC = 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5';
const CHECK = 'M3 8.5l3.5 3.5L13 4.75';
const PERSON = 'M8 2.5a2.5 2.5 0 1 1 0 5a2.5 2.5 0 0 1 0-5zM3 13.5c.4-3 2.3-4 5-4s4.6 1 5 4';
const TURN = 'M13 6.4A5.3 5.3 0 0 0 3.4 5M3 9.6a5.3 5.3 0 0 0 9.6 1.4M3 2.4V5h2.6M13 13.6V11h-2.6';

/** One drawing per state, so that no two states that mean different things differ by colour alone. */
const PATHS: Readonly<Record<ShownState | 'chevron', string>> = {
  pending: DOT,
  idle: DOT,
  running: ARC,
  working: ARC,
  waiting: 'M4.5 2.5h7M4.5 13.5h7M5.2 2.5c0 4 5.6 7 5.6 11M10.8 2.5c0 4-5.6 7-5.6 11',
  blocked: PERSON,
  'needs-you': PERSON,
  paused: 'M5.5 3.5v9M10.5 3.5v9',
  completed: CHECK,
  done: CHECK,
  failed: 'M4 4l8 8M12 4l-8 8',
  cancelled: `${RING}M4.2 11.8l7.6-7.6`,
  denied: `${RING}M5.2 8h5.6`,
  interrupted: 'M9 1.75L4 9h4l-1 5.25L12 7H8z',
  quiet: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  stale: `${RING}M8 5v3.2l2.2 1.3`,
  connecting: TURN,
  reconnecting: TURN,
  lost: 'M2.5 2.5l11 11M6 3.2a6 6 0 0 1 7.5 2.6M2.5 5.8A6 6 0 0 1 4 4.4M4.7 8.5a4 4 0 0 1 2.4-1.6M8 12.2h.01',
  chevron: 'M6 3.5L10.5 8 6 12.5',
};

/** The drawing of a state, hidden from assistive technology: the word beside it speaks. */
export function icon(name: ShownState | 'chevron'): TemplateResult {
  return html`<svg class="icon ${name}" viewBox="0 0 16 16" aria-hidden="true"><path d=${PATHS[name]}></path></svg>`;
}

/** Styles of `icon`. */
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
`;

/**
 * Turns the drawing of what goes on, unless the reader asked for less motion. Not for rows that come by the hundred:
 * every turning drawing is a layer of its own to the compositor, and there the bar moves already.
 */
export const turnStyles = css`
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
