import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Language } from '@sitrep/schema/select';
import type { FeedState } from '../display/feed.ts';
import { pill } from '../display/pill.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr, trProblem } from '../display/tr.ts';

/** Where a session stands that has not brought the operation; undefined where it has told all it knows, or none is asked for one. */
export const stateWithout = (feed: FeedState | undefined): ShownState | undefined =>
  feed && (feed.session?.loaded ? undefined : feed.error ? 'lost' : 'connecting');

/** Nothing to show is not the same as nothing known yet. */
export function withoutOperation(feed: FeedState | undefined, language: Language): TemplateResult {
  const error = feed?.error && trProblem(feed.error, language);
  const state = stateWithout(feed);
  return html`<div part="base" class="base" ?hidden=${!feed}>
    <div part="head" class="head">
      <span part="message" class="message">${feed && (error ?? tr(state ? 'Loading…' : 'There is no such operation.', language))}</span>
      ${state ? pill(state, language) : nothing}
    </div>
  </div>`;
}
