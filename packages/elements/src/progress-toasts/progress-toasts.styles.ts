import { css } from 'lit';

/** The stack stands in the corner where a line ends, over everything, and takes the pointer only where there is something. */
export const styles = css`
  :host,
  .box {
    display: contents;
  }
  .stack {
    --_edge: max(var(--sitrep-toasts-inset, 1rem), env(safe-area-inset-right));
    position: fixed;
    inset: auto;
    inset-block-end: max(var(--sitrep-toasts-inset, 1rem), env(safe-area-inset-bottom));
    inset-inline-end: var(--_edge);
    z-index: 2147483647;
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    box-sizing: border-box;
    inline-size: min(24rem, 100vw - 2 * var(--_edge));
    max-block-size: calc(100vh - 2rem);
    margin: 0;
    border: 0;
    padding: 0;
    background: none;
    color: var(--_text);
    overflow: visible;
    pointer-events: none;
    text-align: start;
  }
  .stack:dir(rtl) {
    --_edge: max(var(--sitrep-toasts-inset, 1rem), env(safe-area-inset-left));
  }
  .list {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .list.all {
    overflow-y: auto;
    pointer-events: auto;
  }
  .toast {
    display: flex;
    align-items: start;
    gap: 0.25rem;
    border: var(--_line);
    border-radius: var(--sitrep-radius, 0.625rem);
    padding: 0.375rem;
    background: var(--_surface);
    box-shadow: var(--sitrep-toast-shadow, 0 1px 2px rgb(0 0 0 / 10%), 0 8px 24px rgb(0 0 0 / 16%));
    pointer-events: auto;
  }
  .toast.attention,
  .toast.danger {
    border-color: color-mix(in srgb, var(--_tone) 55%, var(--_surface));
  }
  .open {
    flex: 1;
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0 0.625rem;
    min-inline-size: 0;
    border: 0;
    border-radius: var(--sitrep-control-radius, 0.375rem);
    padding: 0.375rem 0.5rem;
    color: inherit;
    font: inherit;
    text-align: start;
    text-decoration: none;
    cursor: pointer;
  }
  .open:hover {
    background: var(--_soft);
  }
  .open > svg {
    grid-row: span 2;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    margin-block-start: 0.0625rem;
    color: var(--_tone);
  }
  .title {
    overflow: hidden;
    font-weight: 650;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .body {
    display: -webkit-box;
    overflow: hidden;
    max-block-size: 4.4em;
    color: var(--_muted);
    text-align: -webkit-match-parent;
    text-align: match-parent;
    overflow-wrap: anywhere;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  .body::first-letter {
    text-transform: uppercase;
  }
  .open:focus-visible > .title,
  .open:focus-visible > .body {
    display: block;
    max-block-size: none;
    white-space: normal;
  }
  .dismiss {
    flex: none;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    border-color: transparent;
    padding: 0.25rem;
    color: var(--_muted);
  }
  .dismiss:hover {
    color: var(--_text);
  }
  .more {
    align-self: end;
    border-radius: var(--sitrep-pill-radius, 1rem);
    background: var(--_surface);
    box-shadow: 0 2px 8px rgb(0 0 0 / 14%);
    font-size: var(--_small);
    pointer-events: auto;
  }
  @media (prefers-reduced-motion: no-preference) {
    .toast {
      animation: arrive 0.22s cubic-bezier(0.2, 0.7, 0.3, 1);
    }
    @keyframes arrive {
      from {
        opacity: 0;
        transform: translateY(0.75rem);
      }
    }
  }
  @media print {
    .stack {
      display: none;
    }
  }
  @media (forced-colors: active) {
    .toast,
    .more {
      border: 1px solid CanvasText;
    }
  }
`;
