import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { formatNumber } from '@sitrep/schema/select';
import type { Language, SessionState } from '@sitrep/schema/select';
import { pill } from '../display/pill.ts';

/** States in the order in which a reader has to know of them. */
const ORDER: readonly SessionState[] = [
  'needs-you',
  'failed',
  'working',
  'waiting',
  'paused',
  'quiet',
  'stale',
  'reconnecting',
  'lost',
  'interrupted',
  'cancelled',
  'done',
  'idle',
];

/** True for a word that stands in the roll-up; a gateway may have others, or none. */
export const isSum = (word: string | undefined): word is SessionState => (ORDER as readonly unknown[]).includes(word);

/** How many sessions are in each state, as a list of words and numbers: "needs you 1", "running 3". */
export function sums(counts: ReadonlyMap<SessionState, number>, language: Language): TemplateResult | typeof nothing {
  if (counts.size === 0) return nothing;
  return html`<ul part="sums" class="sums" role="list">
    ${ORDER.map((state) => {
      const n = counts.get(state);
      if (!n) return nothing;
      return html`<li>${pill(state, language, state === 'working' ? 'running' : undefined, formatNumber(n, language.locale))}</li>`;
    })}
  </ul>`;
}
