import { focused, holds } from '../display/composed.ts';
import { ATTRIBUTE } from './references.ts';
import { goByTab, target } from './tabbing.ts';

/** A card that is shown, and what is done about what happens to it. */
export interface Leaving {
  readonly reference: HTMLElement;
  readonly popover: HTMLElement;
  /** The reader is in the card. */
  entered(way: 'card' | 'focus'): void;
  /** The reader is not in the card any more; `on` its reference, perhaps. */
  exited(way: 'card' | 'focus', on: boolean): void;
  /** The reader has sent it away. */
  dismissed(): void;
  /** It has lost what it belongs to. */
  gone(): void;
  /** Its reference stands for another session now. */
  renamed(): void;
}

/** What leads away from what the card belongs to. */
const AWAY = ['popstate', 'hashchange', 'pagehide'];

/** Looks out for everything that takes the card away again, until the returned function is called. */
export function watchLeaving({ reference, popover, entered, exited, dismissed, gone, renamed }: Leaving): () => void {
  const wayOf = (event: Event): 'card' | 'focus' => (event.type.startsWith('focus') ? 'focus' : 'card');
  const over = (event: Event): void => entered(wayOf(event));
  const out = (event: Event): void => {
    const to = (event as PointerEvent | FocusEvent).relatedTarget as Node | null;
    if (!holds(popover, to)) exited(wayOf(event), holds(reference, to));
  };
  const pressed = (event: Event): void => {
    const path = event.composedPath();
    if (!path.includes(popover) && !path.includes(reference)) gone();
  };
  const key = (event: KeyboardEvent): void => {
    if (goByTab(event, reference, popover)) return dismissed();
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (holds(popover, focused())) target(reference).focus();
    dismissed();
  };
  const inside: readonly (readonly [string, (event: Event) => void])[] = [
    ['pointerenter', over],
    ['pointerleave', out],
    ['focusin', over],
    ['focusout', out],
  ];
  for (const [type, listener] of inside) popover.addEventListener(type, listener);
  document.addEventListener('keydown', key, true);
  document.addEventListener('pointerdown', pressed, true);
  for (const type of AWAY) window.addEventListener(type, gone);
  // Scrolled out of sight, or taken out of the page. Of what was seen meanwhile the newest counts: a busy browser tells several looks at once.
  const sight = new IntersectionObserver((looks) => {
    const newest = looks.findLast((look) => look.target === reference);
    if (newest?.isIntersecting === false || !popover.matches(':popover-open')) gone();
  });
  sight.observe(reference);
  sight.observe(popover);
  // A list that uses its rows again.
  const names = new MutationObserver(renamed);
  names.observe(reference, { attributeFilter: [ATTRIBUTE] });
  return () => {
    for (const [type, listener] of inside) popover.removeEventListener(type, listener);
    document.removeEventListener('keydown', key, true);
    document.removeEventListener('pointerdown', pressed, true);
    for (const type of AWAY) window.removeEventListener(type, gone);
    sight.disconnect();
    names.disconnect();
  };
}
