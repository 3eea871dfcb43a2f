import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { step } from './plan.ts';
import type { ShownStep } from './plan.ts';

/** The plan as an ordered list, of the card as it is or of a `past` version; exactly one step is the current one. Steps have no identity, so they are told apart by place. */
export function plan(steps: readonly ShownStep[], past: boolean): TemplateResult {
  const current = steps.findIndex(({ display }) => display === 'current' || display === 'paused');
  return html`<ol part="plan" class=${past ? 'past' : ''} role="list">
    ${steps.map(
      (one, index) =>
        html`<li part="step ${one.display}" class="step ${one.display}" aria-current=${index === current ? 'step' : nothing}>
          ${step(one)}
        </li>`,
    )}
  </ol>`;
}
