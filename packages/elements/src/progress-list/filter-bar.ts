import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { ACTIVITIES, activityWord, formatNumber } from '@sitrep/schema/select';
import type { Activity, Language } from '@sitrep/schema/select';
import { icon } from '../display/pill.ts';
import { look } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import type { TreeModel } from '../tree/tree-model.ts';

const LATER: ReadonlySet<Activity> = new Set(['waiting', 'idle']);

/** The filters of a list, each with how much fits it. */
export function filterBar(
  { counts, size, options }: TreeModel,
  language: Language,
  choose: (filter: Activity | undefined) => void,
): TemplateResult {
  const chosen = options.filter;
  const filters = ACTIVITIES.filter((one) => counts[one] > 0 || one === chosen || !LATER.has(one));
  // What may come later stands last: a filter does not move while somebody reaches for it.
  filters.sort((a, b) => Number(LATER.has(a)) - Number(LATER.has(b)));
  const button = (filter: Activity | undefined, word: string, count: number): TemplateResult => {
    const [path, tone] = filter ? look(filter) : [];
    const pressed = filter === chosen;
    return html`<button
      part="filter"
      class="filter ${tone ?? ''} ${count === 0 ? 'none' : ''}"
      type="button"
      tabindex=${pressed ? 0 : -1}
      aria-pressed=${pressed}
      @click=${() => choose(filter)}
    >
      ${path ? icon(path) : nothing}<span class="label">${word}</span
      ><span class="count">${` ${formatNumber(count, language.locale)}`}</span>
    </button>`;
  };
  return html`<div part="toolbar" class="toolbar" role="toolbar" aria-label=${tr('Filter', language)} @keydown=${onKey}>
    ${button(undefined, tr('All', language), size)} ${filters.map((one) => button(one, activityWord(one, language), counts[one]))}
  </div>`;
}

/** One stop for the Tab key; the arrows go from button to button. */
function onKey(event: KeyboardEvent): void {
  const bar = event.currentTarget as Element;
  const buttons = [...bar.querySelectorAll('button')];
  const at = buttons.indexOf((event.target as Element).closest('button')!);
  const turn = bar.matches(':dir(rtl)') ? -1 : 1;
  const to: Readonly<Record<string, number>> = { ArrowRight: at + turn, ArrowLeft: at - turn, Home: 0, End: buttons.length - 1 };
  const next = to[event.key];
  if (next === undefined) return;
  event.preventDefault();
  buttons[(next + buttons.length) % buttons.length]?.focus();
}
