import { css } from 'lit';

/** The axis, the columns, the bars and the slider. */
export const styles = css`
  :host {
    --_side: 25rem;
    --_bar: 0.75rem;
  }
  .tool {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    border-color: transparent;
    padding: 0;
    color: var(--_muted);
  }
  .scroller {
    overflow: auto;
  }
  .canvas {
    --_track: calc((100% - var(--_side)) * var(--_zoom, 1));
    position: relative;
    inline-size: calc(var(--_side) + (100cqi - 2px - var(--_side)) * var(--_zoom, 1));
    min-inline-size: 100%;
  }
  .axis,
  .row {
    display: grid;
    grid-template: 'side track' minmax(0, 1fr) 'body body' auto / var(--_side) minmax(0, 1fr);
    align-items: stretch;
  }
  .axis {
    position: sticky;
    inset-block-start: 0;
    z-index: 2;
    block-size: 28px;
    border-block-end: var(--_line);
    background: var(--_surface);
    color: var(--_muted);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  .row {
    min-block-size: calc(var(--_space) * 9);
  }
  .side {
    position: sticky;
    inset-inline-start: 0;
    z-index: 1;
    grid-area: side;
    display: grid;
    grid-template-columns: minmax(0, 1fr) 6.5rem 4.75rem;
    align-items: center;
    gap: 0 calc(var(--_space) * 2);
    border-inline-end: var(--_line);
    padding-inline: calc(var(--_space) * 3) calc(var(--_space) * 2);
    background: var(--_surface);
  }
  .row:hover > .side {
    background: var(--_soft);
  }
  .run > .side {
    background: color-mix(in srgb, var(--_soft) 60%, var(--_surface));
  }
  .side.titles {
    font-weight: 500;
  }
  .titles > .time {
    font-size: inherit;
  }
  .titles > .name {
    display: block;
    padding: 0;
  }
  .titles > .name::first-letter {
    text-transform: uppercase;
  }
  /* The axis shows it; it is for those who hear. */
  .when {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .time {
    color: var(--_muted);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
    text-align: end;
    white-space: nowrap;
  }
  .state {
    min-inline-size: 0;
  }
  .row .pill {
    border: 0;
    background: none;
    padding-inline: 0;
  }
  .track {
    position: relative;
    grid-area: track;
    min-inline-size: 0;
    margin-inline: calc(var(--_space) * 2) calc(var(--_space) * 4);
  }
  .row > .body {
    grid-area: body;
    position: sticky;
    inset-inline-start: 0;
    max-inline-size: 100cqi;
    padding-inline-end: 0.75rem;
  }
  .bar {
    position: absolute;
    inset-block: 0;
    min-inline-size: 3px;
    margin-block: auto;
    overflow: hidden;
    block-size: var(--_bar);
    border-radius: 0.1875rem;
    background: color-mix(in srgb, var(--_tone) 78%, var(--_surface));
    print-color-adjust: exact;
  }
  /* Nobody knows where it will end. */
  .live > .track > .bar {
    background:
      radial-gradient(circle, var(--_tone) calc(var(--_bar) * 0.36), transparent 0) 0 / calc(var(--_bar) * 2) 100%,
      color-mix(in srgb, var(--_tone) 22%, var(--_surface));
    border-start-end-radius: 0;
    border-end-end-radius: 0;
  }
  .bar.point {
    inline-size: 0.625rem !important;
    block-size: 0.625rem;
    border: 2px solid var(--_tone);
    border-radius: 50% !important;
    background: none !important;
    translate: -50%;
  }
  .point:dir(rtl) {
    translate: 50%;
  }
  .whole {
    block-size: 0.25rem;
    border-radius: 0.125rem;
    background: var(--_tone) !important;
    opacity: 0.55;
  }
  /* A thin line: nothing was done then. */
  .held {
    --_held: var(--_muted);
    position: absolute;
    inset-block: 0;
    background:
      linear-gradient(var(--_held) 0 0) center / 100% 3px no-repeat,
      var(--_surface);
  }
  .held.blocked {
    --_held: var(--_attention);
  }
  .tick {
    position: absolute;
    inset-block: 0;
    display: flex;
    align-items: center;
    padding-inline-start: 0.3125rem;
    border-inline-start: 1px solid var(--_border);
    white-space: nowrap;
  }
  .ticks {
    overflow: clip;
    overflow-clip-margin: 0;
  }
  .lines {
    position: absolute;
    inset: 28px 0 0;
    display: grid;
    grid-template: 'side track' 1fr / var(--_side) minmax(0, 1fr);
    pointer-events: none;
  }
  .line {
    position: absolute;
    inset-block: 0;
    border-inline-start: 1px solid color-mix(in srgb, var(--_border) 60%, transparent);
  }
  .line.at {
    border-inline-start: 2px solid var(--_attention);
  }
  .history {
    display: grid;
    gap: 0.125rem;
    border-block-start: var(--_line);
    padding: 0.375rem 0.75rem 0.5rem;
    font-size: var(--_small);
  }
  .past > .history {
    background: color-mix(in srgb, var(--_attention) 9%, var(--_surface));
  }
  [type='range'] {
    inline-size: 100%;
    min-block-size: 1.5rem;
    margin: 0;
    accent-color: var(--_accent);
  }
  .place {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.625rem;
    min-block-size: 1.75rem;
  }
  .then {
    color: var(--_attention);
    font-weight: 650;
  }
  .now,
  .since {
    color: var(--_muted);
  }
  .now::first-letter {
    text-transform: uppercase;
  }
  .since {
    margin-inline-start: auto;
  }
  @container (inline-size < 48rem) {
    .canvas {
      --_side: 17rem;
    }
    .side {
      grid-template-columns: minmax(0, 1fr) 6.5rem;
    }
    .time {
      display: none;
    }
  }
  @container (inline-size < 34rem) {
    .counts {
      display: none;
    }
    .canvas {
      --_bar: 0.4375rem;
      --_side: 0rem;
    }
    .axis,
    .row {
      grid-template: 'side' auto 'track' 1.125rem 'body' auto / minmax(0, 1fr);
    }
    .axis {
      grid-template: 'track' 28px / minmax(0, 1fr);
    }
    .lines {
      grid-template: 'track' 1fr / minmax(0, 1fr);
    }
    .row {
      padding-block-end: 0.25rem;
    }
    .side {
      inline-size: calc(100cqi - 2px);
      border: 0;
      padding-block-start: 0.25rem;
      grid-template-columns: minmax(0, 1fr) auto minmax(3.25rem, auto);
    }
    .side.titles {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .time {
      display: block;
    }
    .track {
      margin-inline: calc(var(--_space) * 3);
    }
    .whole {
      block-size: 0.1875rem;
    }
  }
  @container (inline-size < 18rem) {
    .top {
      column-gap: 0.25rem;
    }
    .side {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .row .time {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .bar {
      --_tone: Highlight;
      --_surface: Canvas;
      border: 1px solid CanvasText;
      forced-color-adjust: none;
    }
    .held {
      --_held: CanvasText !important;
    }
    .line.at {
      border-color: Highlight;
    }
  }
  @media print {
    .canvas {
      inline-size: auto;
    }
    .held {
      --_held: #000 !important;
    }
    .history,
    .tools {
      display: none;
    }
  }
`;
