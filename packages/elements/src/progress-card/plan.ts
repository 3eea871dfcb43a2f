import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { CardRecord } from '@sitrep/schema';
import { cardLiveness, stepDisplay } from '@sitrep/schema/select';
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

/** The bar of steps, for the eye only: the counts say the same. */
export function meter(steps: readonly ShownStep[]): TemplateResult {
  return html`<div part="meter" class="meter" aria-hidden="true">
    ${steps.map(({ display, state }) => html`<i class="${display} ${look(state)[1]}"></i>`)}
  </div>`;
}
