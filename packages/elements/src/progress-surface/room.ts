/** Width from which a rail is one, CSS pixels: narrower, it shows nothing of a card worth reading. */
const RAIL = 200;
/** Pixels by which the room may shrink before the card leaves the rail again: wider than the scroll bar its leaving may bring. */
const SLACK = 24;

/** What is measured. */
export interface Measured {
  readonly shell: HTMLElement;
  readonly rail: HTMLElement | undefined;
  /** Width of the shell from which there is room, as the page wrote it; absent, the rail itself decides by being seen. */
  readonly from: string | undefined;
  /** The card is in the rail now. */
  readonly inRail: boolean;
}

const isDrawn = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/**
 * True if what is in the rail is in sight as far as the page's own styles and attributes say. What the page does to the whole shell, as
 * while a dialog is open over it, says nothing about the rail.
 */
export function isSeen(element: Element, shell: Element): boolean {
  if (!isDrawn(element) && isDrawn(shell)) return false;
  const shut = element.closest('[inert], [aria-hidden="true"]');
  return !shut || shut.contains(shell);
}

/** Whether there is room for the card in the rail. */
export function hasRoom({ shell, rail, from, inRail }: Measured): boolean {
  if (!rail?.isConnected) return false;
  const slack = inRail ? SLACK : 0;
  const least = from === undefined ? undefined : pixels(from);
  return least === undefined ? isSeen(rail, shell) && rail.offsetWidth >= RAIL - slack : shell.offsetWidth >= least - slack;
}

/** A length in CSS pixels: a bare number is one, `rem` is that of the page. Undefined for anything else. */
export function pixels(length: string): number | undefined {
  const [, number, unit] = /^\s*(\d*\.?\d+)(px|rem)?\s*$/.exec(length) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (unit === 'rem' ? Number.parseFloat(getComputedStyle(document.documentElement).fontSize) : 1);
}
