import { html } from 'lit';
import type { LitElement, TemplateResult } from 'lit';
import type { CardRecord } from '@sitrep/schema';
import type { Language } from '@sitrep/schema/select';
import { tr } from '../display/tr.ts';
import { ProgressDismissRequestEvent } from '../events/progress-dismiss-request.ts';

/** The button by which the reader asks to put the card away, as it is now. */
export function dismissButton(host: LitElement & { readonly language: Language }, card: CardRecord, name: string): TemplateResult {
  const ask = (): void => {
    host.dispatchEvent(new ProgressDismissRequestEvent(card.card ? { card, revision: card.revision } : {}));
  };
  return html`<button part="dismiss" type="button" @click=${ask}>${tr('Dismiss', host.language)}<span class="sr"> ${name}</span></button>`;
}
