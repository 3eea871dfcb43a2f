import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Language } from '@sitrep/schema/select';
import { tr } from '../display/tr.ts';

/** What stands where rows would be, or above them: why there is nothing new, that it is loading, that there is nothing. */
export function notice(
  { problem, loading }: { readonly problem: string | undefined; readonly loading: boolean },
  content: boolean,
  language: Language,
  retry: () => void,
): TemplateResult | typeof nothing {
  if (problem)
    return html`<div part="problem" class="problem">
      <bdi>${problem}${content ? ` ${tr('What was known is still shown.', language)}` : ''}</bdi>
      <button part="retry" type="button" @click=${retry}>${tr('Try again', language)}</button>
    </div>`;
  if (content) return nothing;
  return loading
    ? html`<div class="loading"><span class="sr">${tr('Loading…', language)}</span><i></i><i></i><i></i></div>`
    : html`<slot name="empty"><p class="empty">${tr('Nothing has been reported yet.', language)}</p></slot>`;
}
