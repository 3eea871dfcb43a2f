import { saysOpen } from '../display/disclosure.ts';
import type { SessionLink } from '../display/session-link.ts';
import { CARD_PARTS, HANDED_ON, hasContent } from '../progress-surface/handed-on.ts';
import type { ProgressSurface } from '../progress-surface/progress-surface.ts';
import type { Element } from './tree.ts';

/**
 * Puts the card of a surface in one place. A server has no room to measure, so it is the one beside the composer; the page goes on
 * with that card.
 */
export function placeCard(
  surface: Pick<ProgressSurface, (typeof HANDED_ON)[number] | 'open'>,
  link: SessionLink | undefined,
  root: Element,
): void {
  if (!hasContent(surface, link?.state)) return;
  const card = document.createElement('progress-card') as unknown as Element;
  card.setAttribute('exportparts', CARD_PARTS);
  for (const name of HANDED_ON) Object.assign(card, { [name]: surface[name] });
  Object.assign(card, { link });
  card.setAttribute('placement', 'composer');
  card.setAttribute('open', saysOpen(surface.open) ?? false);
  root.querySelector('.composer')?.append(card);
}
