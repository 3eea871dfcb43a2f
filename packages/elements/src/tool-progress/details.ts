import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { duration } from '@sitrep/schema/select';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownOperation } from '../display/session-link.ts';
import type { Phrase } from '../locales/phrases.ts';
import { tr } from '../display/tr.ts';

/** What is asked of a person, by kind, where the producer gave no words of its own. */
const ASKED: Readonly<Record<string, Phrase>> = {
  permission: 'Waits for your permission.',
  question: 'Waits for your answer.',
  auth: 'Waits for you to sign in.',
};

/** Why an end has no outcome, where that is known. */
const UNTOLD: Readonly<Record<string, Phrase>> = {
  run_ended: 'Its run ended first.',
  producer_lost: 'Nothing more was heard from whoever ran it.',
};

function line(text: string, more: unknown = nothing, tone = ''): TemplateResult {
  return html`<p part="detail" class="detail ${tone}"><bdi>${text}</bdi> ${more}</p>`;
}

/** What holds the operation or what went wrong; while open also what else became of it, and the less urgent facts. */
export function details(shown: ShownOperation, open: boolean): unknown {
  const { tool, usage, error } = shown.operation;
  const first = hasEnded(shown.operation) ? (open || error) && outcome(shown) : held(shown);
  const facts = [
    tool && (tool.server ? tr('{tool} on {server}', shown.language, { tool: tool.name, server: tool.server }) : tool.name),
    usage?.label,
  ]
    .filter(Boolean)
    .join(' · ');
  return open && facts
    ? html`${first || nothing}
        <p class="facts"><bdi>${facts}</bdi></p>`
    : first || nothing;
}

function held({ operation: { blockedOn, waitingOn }, view, language }: ShownOperation): TemplateResult | undefined {
  if (blockedOn) return line(blockedOn.prompt || tr(ASKED[blockedOn.kind] ?? 'Waits for you.', language), nothing, 'attention');
  const left = (waitingOn?.until ?? 0) - view.now;
  const more =
    left > 0 && left < 1e15
      ? html`<bdi class="facts">${tr('about {time} left', language, { time: duration(left, language) })}</bdi>`
      : nothing;
  return waitingOn && line(tr('Waits for {what}', language, { what: waitingOn.text || tr('a machine', language) }), more);
}

/** The code of an error is for those who look it up; a message that holds it needs no second one. */
function outcome({ operation: { error, reason, state }, language }: ShownOperation): TemplateResult | undefined {
  if (error) {
    const { message = '', code } = error;
    return line(message, code && !message.includes(code) ? html`<span class="code">${code}</span>` : nothing, 'danger');
  }
  if (state === 'interrupted' && (!reason || UNTOLD[reason]))
    return line(tr(UNTOLD[reason!] ?? 'It ended, and nobody said how.', language));
  return reason && state !== 'completed' ? line(tr('Reason: {reason}', language, { reason })) : undefined;
}
