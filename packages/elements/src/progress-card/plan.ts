import { css, html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { CardRecord } from '@sitrep/schema';
import { cardLiveness, stepDisplay } from '@sitrep/schema/select';
import type { StepDisplay, View } from '@sitrep/schema/select';
import { icon } from '../display/icon.ts';
import { tone } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';

type Steps = NonNullable<NonNullable<CardRecord['card']>['plan']>;

/** How each display state of a step is drawn, and the word that says the same. */
const SHOWN: Readonly<Record<StepDisplay, readonly [ShownState, string]>> = {
  pending: ['pending', 'to do'],
  current: ['running', 'in progress'],
  paused: ['paused', 'paused'],
  completed: ['completed', 'completed'],
  failed: ['failed', 'failed'],
  cancelled: ['cancelled', 'cancelled'],
};

/** One step: drawing (turning if `moving`), text, and the word for where it stands. Steps have no identity, so they are told apart by place. */
export function step(text: string, display: StepDisplay, moving: boolean): TemplateResult {
  const [state, word] = SHOWN[display];
  const seen = display === 'paused' || display === 'failed' || display === 'cancelled';
  return html`<span class="marker ${tone(state)} ${moving && display === 'current' ? 'moving' : ''}">${icon(state)}</span
    ><span class="text"
      ><bdi>${text}</bdi><span class=${seen ? 'word' : 'sr'}><span class="sr">, </span>${word}</span></span
    >`;
}

/** The plan as an ordered list; exactly one step is the current one. */
export function plan(steps: Steps, card: CardRecord, view: View): TemplateResult {
  const moving = cardLiveness(card, view) === 'moving';
  let current = true;
  return html`<ol part="plan" class="plan" role="list">
    ${steps.map((one) => {
      const display = stepDisplay(one, card, view);
      const marked = current && (display === 'current' || display === 'paused');
      if (marked) current = false;
      return html`<li part="step ${display}" class="step ${display}" aria-current=${marked ? 'step' : nothing}>
        ${step(one.step, display, moving)}
      </li>`;
    })}
  </ol>`;
}

/** Styles of `plan` and `step`. */
export const planStyles = css`
  .step {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
    min-inline-size: 0;
  }
  .marker {
    display: inline-flex;
    flex: none;
    align-self: start;
    margin-block-start: 0.22em;
    color: var(--_tone);
  }
  .text {
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .step.completed .text,
  .step.cancelled .text {
    color: var(--_muted);
  }
  .step.cancelled bdi {
    text-decoration: line-through;
  }
  .step.current .text,
  .step.paused .text {
    font-weight: 550;
  }
  .word {
    margin-inline-start: 0.5em;
    color: var(--_muted);
    font-size: 0.75rem;
    font-weight: 400;
  }
`;
