import { focused, holds, within } from '../display/composed.ts';

const TABBABLE = 'a[href], button:not([disabled]), summary, input, select, textarea, [tabindex]:not([tabindex^="-"])';

/** What can be reached by Tab in an element, in this order. */
export function tabStops(root: Element): HTMLElement[] {
  return [...within(root)].filter((one): one is HTMLElement => one.matches(TABBABLE) && one.checkVisibility({ visibilityProperty: true }));
}

/**
 * Lets Tab go from the reference into its card and out behind it again, wherever in the page the card is. Answers that it went
 * out, and so the card can go: the browser then takes the key on from the reference.
 */
export function goByTab(event: KeyboardEvent, reference: HTMLElement, popover: HTMLElement): boolean {
  if (event.key !== 'Tab' || event.altKey || event.ctrlKey || event.metaKey) return false;
  const active = focused();
  const stops = tabStops(popover);
  const [first, last] = [stops[0], stops.at(-1)];
  if (!active || !first) return false;
  const out = !event.shiftKey && active === last;
  if (!event.shiftKey && holds(reference, active)) first.focus();
  else if (out || (event.shiftKey && active === first)) target(reference).focus();
  else return false;
  if (!out) event.preventDefault();
  return out;
}

/** What of a reference takes the focus. */
export function target(reference: HTMLElement): HTMLElement {
  return reference.matches(TABBABLE) ? reference : (reference.querySelector<HTMLElement>(TABBABLE) ?? reference);
}
