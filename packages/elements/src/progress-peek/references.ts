import { addressOf } from '../session/address.ts';

/** What names the session of a reference. */
export const ATTRIBUTE = 'data-progress-session';

/** The element that looks after references. */
export interface Keeper extends HTMLElement {
  readonly src: string | undefined;
  readonly for: string | undefined;
  readonly base: string | undefined;
}

/** True if it stands around its reference. */
export function isAround(keeper: Keeper): boolean {
  return keeper.for === undefined && [...keeper.children].some((child) => !child.slot && !(child as HTMLElement).hidden);
}

/** The part of the page it looks after. */
export function reachOf(keeper: Keeper): EventTarget {
  if (isAround(keeper)) return keeper;
  if (!keeper.for) return document;
  const root = keeper.getRootNode() as Document | ShadowRoot;
  const id = keeper.for.replace(/^#/, '');
  const named = root.getElementById(id) ?? document.getElementById(id);
  if (named) return named;
  try {
    return root.querySelector(keeper.for) ?? document;
  } catch {
    return document;
  }
}

/** The reference an event happened in: the nearest element that names a session, else what the keeper stands around. */
export function referenceOf(event: Event, keeper: Keeper): HTMLElement | undefined {
  for (const one of event.composedPath()) {
    if (one === event.currentTarget && one !== keeper) break;
    if (!isReference(one)) continue;
    if (one.hasAttribute(ATTRIBUTE)) return one;
    if (one.parentElement === keeper && isAround(keeper)) return one;
    // Another one, which looks after its own.
    if (one !== keeper && one.localName === keeper.localName) return undefined;
  }
  return undefined;
}

/** A node of a drawing is one as well as a link: what is asked of it, both have. */
const isReference = (one: EventTarget): one is HTMLElement => one instanceof HTMLElement || one instanceof SVGElement;

/** What names the session of a reference. */
export function sessionOf(reference: HTMLElement, keeper: Keeper): string {
  return reference.getAttribute(ATTRIBUTE) ?? keeper.src ?? '';
}

/** The absolute address of that session; undefined where there is none. */
export function addressIn({ base }: Keeper, session: string): string | undefined {
  const key = base && !/^(?:[/.]|https?:|data:)/.test(session);
  return session ? addressOf(key ? base.replace(/\/?$/, '/') + encodeURIComponent(session) : session) : undefined;
}

/** What the reference itself is called, for a session that has no title; undefined where it has no words. */
export function nameOf(reference: HTMLElement): string | undefined {
  const said = reference.getAttribute('aria-label')?.trim() || reference.textContent.replace(/\s+/g, ' ').trim();
  return said ? [...said].slice(0, LONGEST).join('') : undefined;
}

/** Characters: a whole row of a table would be no name. */
const LONGEST = 120;
