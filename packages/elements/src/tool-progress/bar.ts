import { css, html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { amount, formatPercent, fraction, percent } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import type { ShownState } from '../display/shown-state.ts';
import { hasEnded, tone } from '../display/shown-state.ts';

/** A jump is drawn gliding only when the last one is this long ago, milliseconds; a stream of small ones needs no help. */
const GLIDE_AFTER = 400;

/**
 * The bar of an operation. The fill is moved by transform, set through CSSOM after each render, so that a strict content
 * security policy holds and no layout is needed. `labelledby` is the id of the element that names it.
 */
export function bar(operation: Operation, state: ShownState, labelledby: string): TemplateResult | typeof nothing {
  const now = percent(operation);
  if (now === undefined && hasEnded(operation)) return nothing;
  const known = now !== undefined;
  return html`<div
    part="bar"
    class="bar ${tone(state)} ${known ? 'known' : 'unknown'} ${!known && state === 'running' ? 'running' : ''}"
    role="progressbar"
    aria-labelledby=${labelledby}
    aria-valuenow=${now ?? nothing}
    aria-valuetext=${valueText(operation, now) ?? nothing}
  >
    <div part="fill" class="fill"></div>
  </div>`;
}

/** What a screen reader says instead of the bare number, where there is more to say than that. */
function valueText(operation: Operation, now: number | undefined): string | undefined {
  if (now === undefined) return undefined;
  if (isFinishing(operation)) return `${formatPercent(now)}, finishing`;
  const text = amount(operation);
  return text === undefined || operation.total === undefined ? undefined : `${text}, ${formatPercent(now)}`;
}

/** Everything is counted and the operation still goes on. */
export function isFinishing(operation: Operation): boolean {
  return operation.state === 'running' && percent(operation) === 100;
}

/** Moves the fill of one bar, remembering what it showed last. */
export class Fill {
  #shown: number | undefined;
  #at = 0;

  /** Shows where the operation stands. What fell is shown at once; what rose after a pause glides. */
  show(root: ParentNode, operation: Operation | undefined): void {
    const fill = root.querySelector<HTMLElement>('.known > .fill');
    const part = operation && fraction(operation);
    if (!fill || part === undefined) {
      this.#shown = undefined;
      root.querySelector<HTMLElement>('.fill')?.style.removeProperty('transform');
      return;
    }
    if (part === this.#shown && fill.style.transform) return;
    const now = performance.now();
    fill.classList.toggle('glide', this.#shown !== undefined && part > this.#shown && now - this.#at > GLIDE_AFTER);
    fill.style.transform = `scaleX(${part})`;
    this.#shown = part;
    this.#at = now;
  }
}

/** Styles of `bar`. */
export const barStyles = css`
  .bar {
    position: relative;
    overflow: hidden;
    block-size: var(--sitrep-bar-size, 0.375rem);
    border-radius: 1rem;
    background: var(--_track);
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
    background: repeating-linear-gradient(135deg, var(--_tone) 0 0.25rem, transparent 0 0.5rem);
    transform: none;
    opacity: 0.6;
  }
  @media (prefers-reduced-motion: no-preference) {
    .glide {
      transition: transform 240ms ease-out;
    }
    .running > .fill {
      inline-size: 40%;
      border-radius: inherit;
      background: var(--sitrep-bar, var(--_tone));
      opacity: 1;
      animation: pass 1.6s cubic-bezier(0.45, 0, 0.55, 1) infinite;
    }
    .running:dir(rtl) > .fill {
      animation-name: pass-rtl;
    }
  }
  @keyframes pass {
    from {
      transform: translateX(-100%);
    }
    to {
      transform: translateX(250%);
    }
  }
  @keyframes pass-rtl {
    from {
      transform: translateX(100%);
    }
    to {
      transform: translateX(-250%);
    }
  }
  @media (forced-colors: active) {
    .bar {
      border: 1px solid CanvasText;
    }
    .fill {
      forced-color-adjust: none;
      background: Highlight;
    }
  }
`;
