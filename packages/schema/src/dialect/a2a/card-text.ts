import type { CardEvent, Step } from '../../wire/card.ts';
import { bodyOf } from '../card-event.ts';

/** A card as Markdown, for a peer that shows what a task made. Empty for a clear. */
export function cardText({ card }: CardEvent): string {
  const body = card === null ? null : bodyOf(card.plan, card.markdown);
  const steps = (body?.plan ?? []).map(lineOf).join('\n');
  return [steps, body?.markdown ?? ''].filter((part) => part !== '').join('\n\n');
}

function lineOf({ step, status }: Step): string {
  if (status === 'pending' || status === 'completed') return `- [${status === 'completed' ? 'x' : ' '}] ${step}`;
  return `- [ ] ${step} (${status === 'in_progress' ? 'in progress' : status})`;
}
