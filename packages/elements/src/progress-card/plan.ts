import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { CardRecord } from '@sitrep/schema';
import { cardLiveness, formatNumber, stepDisplay } from '@sitrep/schema/select';
import type { Language, View } from '@sitrep/schema/select';
import { icon } from '../display/pill.ts';
import { look } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import type { Phrase } from '../locales/phrases.ts';

type Step = NonNullable<NonNullable<CardRecord['card']>['plan']>[number];

/** How a step is drawn. */
export interface ShownStep {
  readonly text: string;
  /** Its part, and class. */
  readonly display: string;
  readonly state: ShownState;
  readonly word: string;
}

/** How a step is drawn: a current one that nobody vouches for has the mark of what is paused, and says why. */
export function shownStep(one: Step, card: CardRecord, view: View, language: Language): ShownStep {
  const text = one.step;
  const word = (phrase: Phrase): string => tr(phrase, language);
  const display = stepDisplay(one, card, view);
  if (display !== 'current') return { text, display, state: display, word: word(display === 'pending' ? 'to do' : display) };
  const life = cardLiveness(card, view);
  if (life === 'moving' || life === 'settled') return { text, display, state: 'running', word: word('in progress') };
  return { text, display: 'paused', state: 'paused', word: word(look(life)[2]) };
}

/** One step: drawing, text, and the word for where it stands, which is seen where the drawing alone says too little. */
export function step({ text, display, state, word }: ShownStep): TemplateResult {
  const seen = ['paused', 'failed', 'cancelled'].includes(display);
  const [path, tone] = look(state);
  return html`<span class="marker ${tone}">${icon(path)}</span
    ><span class="text"
      ><bdi>${text}</bdi><span class=${seen ? 'word' : 'sr'}><span class="sr">, </span>${word}</span></span
    >`;
}

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

/** Which of the steps the current one is, "2/3"; what is heard is "2 of 3". */
export function position(steps: readonly ShownStep[], current: ShownStep, language: Language): TemplateResult {
  const [at, total] = [steps.indexOf(current) + 1, steps.length].map((n) => formatNumber(n, language.locale)) as [string, string];
  return html`<bdi part="position" class="position"
    ><span aria-hidden="true">${at}/${total}</span
    ><span class="sr">, ${tr('{current} of {total}', language, { current: at, total })}</span></bdi
  >`;
}

/** The bar of steps, for the eye only: the counts say the same. */
export function meter(steps: readonly ShownStep[]): TemplateResult {
  return html`<div part="meter" class="meter" aria-hidden="true">
    ${steps.map(({ display, state }) => html`<i class="${display} ${look(state)[1]}"></i>`)}
  </div>`;
}
