import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Operation } from '@sitrep/schema';
import type { ShownOperation } from '../display/operation-element.ts';
import { hasEnded } from '../display/shown-state.ts';
import { durationText } from '../display/time.ts';

/** What is asked of a person, by kind, where the producer gave no words of its own. */
const ASKED: Readonly<Record<string, string>> = {
  permission: 'Waits for your permission.',
  question: 'Waits for your answer.',
  auth: 'Waits for you to sign in.',
  other: 'Waits for you.',
};

/** What holds the operation, or what became of it; the less urgent facts only while open. */
export function details({ operation, view }: ShownOperation, open: boolean): TemplateResult {
  return html`${held(operation, view.now)}${open ? outcome(operation) : nothing}${open ? facts(operation) : nothing}`;
}

function held(operation: Operation, now: number): TemplateResult | typeof nothing {
  const { blockedOn, waitingOn } = operation;
  if (hasEnded(operation)) return nothing;
  if (blockedOn) {
    return html`<p part="detail" class="detail attention"><bdi>${blockedOn.prompt || ASKED[blockedOn.kind] || ASKED['other']}</bdi></p>`;
  }
  if (!waitingOn) return nothing;
  const left = waitingOn.until === undefined ? 0 : waitingOn.until - now;
  return html`<p part="detail" class="detail">
    <bdi>Waits for ${waitingOn.text || 'a machine'}</bdi
    >${left > 0 ? html` <bdi class="facts">about ${durationText(left)} left</bdi>` : nothing}
  </p>`;
}

function outcome({ error, reason, state }: Operation): TemplateResult | typeof nothing {
  if (error) {
    return html`<p part="detail" class="detail danger">
      <bdi>${error.message}</bdi>${error.code ? html` <span class="code">${error.code}</span>` : nothing}
    </p>`;
  }
  if (state === 'interrupted') return html`<p part="detail" class="detail">It ended, and nobody said how.</p>`;
  return reason && state !== 'completed' ? html`<p part="detail" class="detail">Reason: <bdi>${reason}</bdi></p>` : nothing;
}

function facts({ tool, usage }: Operation): TemplateResult | typeof nothing {
  const parts = [tool && (tool.server ? `${tool.name} on ${tool.server}` : tool.name), usage?.label].filter((part) => part !== undefined);
  return parts.length === 0 ? nothing : html`<p class="facts"><bdi>${parts.join(' · ')}</bdi></p>`;
}
