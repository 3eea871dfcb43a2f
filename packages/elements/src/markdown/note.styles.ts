import { css } from 'lit';

/** The note: bounded sizes, headings no larger than the text around them, wide tables scrolling on their own. */
export const noteStyles = css`
  .note {
    overflow-wrap: anywhere;
  }
  .doc > * {
    margin-block: 0 0.5rem;
  }
  .doc > :last-child {
    margin-block-end: 0;
  }
  .doc ~ .mark {
    margin-block: 0.5rem 0;
  }
  .note p:empty {
    display: none;
  }
  .note :is(p, h1, h2, h3, h4, h5, h6, li, th, td) {
    unicode-bidi: plaintext;
    text-align: start;
  }
  .note :is(h1, h2, h3, h4, h5, h6) {
    margin-block: 0.5rem 0.25rem;
    font-size: 1em;
    font-weight: 650;
  }
  .note :is(h3, h4, h5, h6) {
    color: var(--_muted);
  }
  .note :is(ul, ol) {
    display: block;
    padding-inline-start: 1.5rem;
    list-style: disc;
  }
  .note ol {
    list-style: decimal;
  }
  .note .task {
    list-style: none;
    margin-inline-start: -1.25rem;
  }
  .note a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  .note a[data-host]::after {
    content: ' (' attr(data-host) ')';
    color: var(--_muted);
    unicode-bidi: isolate;
    font-size: 0.85em;
  }
  .note img {
    display: block;
    max-inline-size: 100%;
    max-block-size: 20rem;
    block-size: auto;
    border-radius: 0.25rem;
    object-fit: contain;
  }
  .note :is(pre, .scroll):focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
  }
  .note :is(code, pre) {
    border-radius: 0.25rem;
    background: var(--_soft);
    font-family: var(--sitrep-font-mono, ui-monospace, monospace);
    font-size: 0.92em;
  }
  .note code {
    padding-inline: 0.25em;
  }
  .note pre {
    direction: ltr;
    overflow-x: auto;
    overflow-wrap: normal;
    padding: 0.5rem 0.625rem;
    text-align: left;
  }
  .note pre code {
    padding: 0;
    background: none;
    font-size: inherit;
  }
  .note blockquote {
    border-inline-start: 3px solid var(--_border);
    margin-inline: 0;
    padding-inline-start: 0.75rem;
    color: var(--_muted);
  }
  /* Deeper ones need the room for their words. */
  .note blockquote blockquote blockquote blockquote {
    border: 0;
    padding: 0;
  }
  .note hr {
    border: 0;
    border-block-start: var(--_line);
  }
  .note .scroll {
    overflow-x: auto;
  }
  .note table {
    border-collapse: collapse;
    font-size: 0.92em;
    font-variant-numeric: tabular-nums;
  }
  .note :is(th, td) {
    border-block-end: var(--_line);
    padding: 0.25rem 0.75rem 0.25rem 0;
    padding-inline: 0 0.75rem;
    overflow-wrap: normal;
    text-align: start;
    vertical-align: top;
  }
  .note :is(th, td)[align='right'] {
    text-align: end;
  }
  .note :is(th, td)[align='center'] {
    text-align: center;
  }
  .note th {
    color: var(--_muted);
    font-weight: 600;
  }
  .note progress {
    overflow: hidden;
    inline-size: 100%;
    max-inline-size: 16rem;
    block-size: var(--sitrep-bar-size, 0.375rem);
    border: 0;
    outline: 1px solid var(--_edge);
    border-radius: var(--sitrep-bar-radius, 1rem);
    appearance: none;
    background: var(--_track);
    vertical-align: middle;
  }
  .note progress::-webkit-progress-bar {
    background: var(--_track);
  }
  .note progress::-webkit-progress-value {
    background: var(--sitrep-bar, var(--_accent));
  }
  .note progress::-moz-progress-bar {
    background: var(--sitrep-bar, var(--_accent));
  }
  .note progress:not([value]) {
    background: repeating-linear-gradient(135deg, var(--_accent) 0 0.25rem, var(--_track) 0.25rem 0.5rem);
  }
  .note progress:not([value])::-webkit-progress-bar {
    background: none;
  }
  .note progress:not([value])::-moz-progress-bar {
    background: none;
  }
  .plain {
    white-space: pre-wrap;
  }
  .mark {
    color: var(--_muted);
    font-size: var(--_small);
  }
  /* Paper does not scroll, and leaves out backgrounds unless they are the matter. */
  @media print {
    .note pre {
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
    .note :is(pre, .scroll) {
      overflow: visible;
    }
    .note :is(th, td) {
      overflow-wrap: anywhere;
    }
    .note progress {
      print-color-adjust: exact;
    }
  }
  @media (forced-colors: active) {
    .note pre {
      border: 1px solid CanvasText;
    }
    .note progress {
      --sitrep-bar: Highlight;
      --_accent: Highlight;
      --_track: Canvas;
      border: 1px solid CanvasText;
      forced-color-adjust: none;
    }
  }
`;
