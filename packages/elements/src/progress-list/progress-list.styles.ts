import { css } from 'lit';

/** The filters, and the columns of a row. */
export const styles = css`
  :host {
    --_bar: var(--sitrep-bar-size, 0.375rem);
  }
  .toolbar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
    padding: 0 0.625rem 0.5rem;
  }
  .toolbar button,
  .top button {
    position: relative;
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    border-color: transparent;
    padding-inline: 0.5rem;
    font-size: var(--_small);
    white-space: nowrap;
  }
  .filter {
    color: var(--_muted);
  }
  .filter svg {
    color: var(--_tone);
  }
  .count {
    min-inline-size: 1ch;
    color: var(--_text);
    font-variant-numeric: tabular-nums;
    font-weight: 650;
  }
  .none .count,
  .none svg {
    color: var(--_muted);
    opacity: 0.75;
  }
  :is(.toolbar, .top) .label::first-letter {
    text-transform: uppercase;
  }
  .toolbar .filter[aria-pressed='true'] {
    border-color: var(--_border);
    background: var(--_soft);
    color: var(--_text);
  }
  .top .next {
    border-color: color-mix(in srgb, var(--_tone) 40%, transparent);
    background: color-mix(in srgb, var(--_tone) 12%, var(--_surface));
    color: var(--_tone);
  }
  .tool {
    color: var(--_muted);
  }
  .row {
    display: grid;
    grid-template: 'name buttons measure time state' auto 'body body body body body' auto / minmax(0, 1fr) auto 8.5rem 4.75rem 7rem;
    align-items: center;
    gap: 0 0.75rem;
    padding: var(--_space) calc(var(--_space) * 3);
  }
  .name {
    grid-area: name;
  }
  .measure {
    grid-area: measure;
  }
  .time {
    grid-area: time;
  }
  .state {
    grid-area: state;
  }
  .buttons {
    grid-area: buttons;
  }
  .row > .body {
    grid-area: body;
  }
  .title {
    flex: 0 1 auto;
  }
  .message {
    flex: 1 1 0;
    color: var(--_muted);
    font-size: 0.93em;
    font-weight: 400;
  }
  .urgent {
    color: var(--_tone);
  }
  /* Open, all of it is shown: below the title, where it has room. */
  .operation.open > .name {
    flex-wrap: wrap;
    justify-content: end;
  }
  .operation.open > .name > .title {
    flex: 1 1 0;
  }
  .operation.open > .name > .message {
    flex: 0 0 calc(100% - 1.25rem);
  }
  .message:empty {
    display: none;
  }
  .run .time {
    font-weight: 400;
  }
  .state {
    min-inline-size: 0;
  }
  /* What went well needs no ground of its own: the eye goes to the others. */
  .settled:is(.success, :not(.danger)) .pill {
    background: none;
  }
  .measure {
    display: flex;
    align-items: center;
    justify-content: end;
    gap: 0.5rem;
    min-inline-size: 0;
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
  }
  .bar {
    flex: 1 1 2rem;
    overflow: hidden;
    min-inline-size: 2rem;
    outline: 1px solid var(--_edge);
    block-size: var(--_bar);
    border-radius: var(--sitrep-bar-radius, 1rem);
    background: var(--_track);
    print-color-adjust: exact;
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
    background: radial-gradient(circle, var(--sitrep-bar, var(--_tone)) calc(var(--_bar) * 0.36), transparent 0) 0 / calc(var(--_bar) * 2)
      100%;
    transform: none;
  }
  .percent {
    min-inline-size: 2.25rem;
    white-space: nowrap;
    font-weight: 600;
    text-align: end;
  }
  .percent:empty,
  .percent:not(:empty) + .amount {
    display: none;
  }
  .amount {
    overflow: hidden;
    color: var(--_muted);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .time {
    color: var(--_muted);
    font-size: var(--_small);
    font-variant-numeric: tabular-nums;
    text-align: end;
    white-space: nowrap;
  }
  .buttons {
    display: flex;
    gap: 0.25rem;
  }
  .buttons:empty {
    display: none;
  }
  .buttons button {
    font-size: var(--_small);
  }
  .earlier {
    margin: 0 0.75rem 0.5rem;
    font-size: var(--_small);
  }
  .newest {
    position: absolute;
    inset-block-end: 0.625rem;
    inset-inline-end: 1rem;
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    border-radius: var(--sitrep-pill-radius, 1rem);
    background: var(--_surface);
    box-shadow: 0 1px 6px rgb(0 0 0 / 20%);
    font-size: var(--_small);
  }
  @container (inline-size < 40rem) {
    .row {
      grid-template: 'name buttons measure state' auto 'body body body body' auto / minmax(0, 1fr) auto 6rem 7rem;
      column-gap: 0.5rem;
    }
    .operation > .time {
      display: none;
    }
    .run > .measure {
      display: none;
    }
    .run > .time {
      grid-area: measure;
    }
    .top .next .label {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  }
  /* What has a button or something to be known takes a second line for it, and leaves the first to its title. */
  @container (28rem <= inline-size < 40rem) {
    .row:has(.urgent, .buttons > *) {
      grid-template: 'name measure state' auto 'name buttons buttons' auto 'body body body' auto / minmax(0, 1fr) 6rem 7rem;
      padding-block: 0.375rem;
    }
    .row.operation:has(> .measure[hidden]) {
      grid-template: 'name buttons state' auto 'body body body' auto / minmax(0, 1fr) auto 7rem;
    }
    .row:has(.urgent, .buttons > *) > .name {
      flex-wrap: wrap;
      justify-content: end;
    }
    .row:has(.urgent, .buttons > *) .title {
      flex: 1 1 0;
    }
    .row:has(.urgent, .buttons > *) .message {
      flex: 0 0 calc(100% - 1.25rem);
    }
    .buttons {
      justify-content: end;
      margin-block-start: 0.25rem;
    }
    .operation:has(> .measure[hidden]) > .buttons {
      margin: 0;
    }
  }
  @container (inline-size < 28rem) {
    .row {
      grid-template: 'name name' auto 'state measure' auto 'buttons buttons' auto 'body body' auto / auto minmax(0, 1fr);
      padding-block: 0.375rem;
    }
    .operation:has(> .measure[hidden]) {
      grid-template: 'name name' auto 'state buttons' auto 'body body' auto / auto minmax(0, 1fr);
    }
    .operation:has(> .measure[hidden]) > .buttons {
      justify-content: end;
      padding: 0;
    }
    /* What it says has a direction of its own, and so no margin that would follow the row's. */
    .name {
      flex-wrap: wrap;
      justify-content: end;
    }
    .title {
      flex: 1 1 0;
    }
    .message {
      flex: 0 0 calc(100% - 1.25rem);
    }
    .row > :is(.state, .measure, .time, .buttons) {
      margin-block-start: 0.125rem;
    }
    .state {
      padding-inline-start: calc(0.75rem + var(--_depth) * min(1.125rem, 4cqi));
    }
    .buttons {
      padding-inline-start: calc(1.25rem + var(--_depth) * min(1.125rem, 4cqi));
    }
    .top {
      column-gap: 0.25rem;
    }
    .toolbar {
      gap: 0;
      padding-inline: 0.375rem;
    }
    .toolbar button {
      gap: 0.1875rem;
      padding-inline: clamp(0.125rem, 3.33cqi - 0.375rem, 0.375rem);
    }
    /* Not seen, but still its name. */
    .toolbar .filter:not(:first-child, [aria-pressed='true']) .label {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  }
  @media (forced-colors: active) {
    .filter svg {
      color: inherit;
    }
    .fill {
      --_tone: Highlight;
      --sitrep-bar: initial;
      forced-color-adjust: none;
    }
    .toolbar .filter[aria-pressed='true'] {
      border-color: Highlight;
      outline: 1px solid Highlight;
    }
  }
  @media print {
    .name {
      flex-wrap: wrap;
      justify-content: end;
    }
    .title {
      flex: 1 1 0;
    }
    .message {
      flex: 0 0 calc(100% - 1.25rem);
    }
  }
`;
