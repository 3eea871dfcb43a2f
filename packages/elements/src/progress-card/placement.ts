import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { formatNumber } from '@sitrep/schema/select';
import type { Language } from '@sitrep/schema/select';
import { adoptLater } from '../display/adopt-later.ts';
import { look } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import type { CardModel } from './card-model.ts';
import type { ShownStep } from './plan.ts';
import { placementStyles } from './placement.styles.ts';

/** The title of a card that is one line: what needs the reader, else the step and which one it is, else what is going on. */
export function lineTitle(model: CardModel, name: string, language: Language): TemplateResult {
  const { current, steps } = model;
  return html`<bdi part="title" class="title" id="title">${lineText(model, name, language)}</bdi>${
      current ? position(steps, current, language) : nothing
    }`;
}

function lineText({ state, current, headline }: CardModel, name: string, language: Language): TemplateResult | string {
  if (state === 'needs-you' && headline) return headline;
  return current ? html`${current.text}<span class="sr">${further(current.word, language)}</span>` : (headline ?? name);
}

/** Which of the steps the current one is, "2/3"; what is heard is "2 of 3". */
function position(steps: readonly ShownStep[], current: ShownStep, language: Language): TemplateResult {
  const [at, total] = [steps.indexOf(current) + 1, steps.length].map((n) => formatNumber(n, language.locale)) as [string, string];
  return html`<bdi part="position" class="position"
    ><span aria-hidden="true">${at}/${total}</span
    ><span class="sr">${further(tr('{current} of {total}', language, { current: at, total }), language)}</span></bdi
  >`;
}

/** What is only heard, set off from what stands before it. */
const further = (more: string, language: Language): string => tr('{what}, {more}', language, { what: '', more });

/** A state that the drawing alone says well enough; the others are worth their word even in one line. */
export const isCalm = ({ state }: CardModel): boolean => !!state && !['attention', 'danger'].includes(look(state)[1]);

/** Gives a card that has been drawn the looks of its place; what is too high for that scrolls, and then by keyboard too. */
export function settle(root: ShadowRoot, placement: string): void {
  adoptLater(root, placementStyles);
  const body = root.querySelector<HTMLElement>(placement === 'peek' ? '.base' : '.body');
  body?.toggleAttribute('tabindex', false);
  if (body && body.scrollHeight > body.clientHeight) body.tabIndex = 0;
}
