import type { TemplateResult } from 'lit';
import { focused } from '../../workshop/within.ts';

/** One key, pressed somewhere, and how it can be told that it did what it is said to do. */
export interface Try {
  /**
   * A name as keyboards have it (`Enter`, `ArrowDown`, ` `), or `inwards` and `outwards`: the arrows that point with the text and
   * against it.
   */
  readonly press: string;
  /** Done once before, without a key. */
  readonly before?: (place: HTMLElement) => void;
  /** What has the focus when it is pressed, once it is there. Without it: whatever the try before left it on. */
  readonly from?: (place: HTMLElement) => HTMLElement | null | undefined;
  readonly sees: (place: HTMLElement) => boolean;
  /** The browser itself does it: a key that a script presses has no effect. */
  readonly byHand?: boolean;
}

/** What some keys do in an element: what is written, and what is tried for it. */
export interface Key {
  readonly does: string;
  readonly tries: readonly Try[];
}

/** The keys of an element, and an element to try them on. It is drawn anew for each of them. */
export interface Keyed {
  readonly tag: string;
  readonly draw: () => TemplateResult;
  /** Whether what was drawn can be used. */
  readonly ready: (place: HTMLElement) => boolean;
  readonly keys: readonly Key[];
}

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: 'Arrow down',
  ArrowUp: 'Arrow up',
  ArrowLeft: 'Arrow left',
  ArrowRight: 'Arrow right',
  PageDown: 'Page down',
  PageUp: 'Page up',
  inwards: 'Arrow inwards',
  outwards: 'Arrow outwards',
};

/** The names of the keys that are tried, as readers are told them. */
export const namesOf = ({ tries }: Key): string => [...new Set(tries.map(({ press }) => NAMES[press] ?? press))].join(', ');

/** The key that is pressed for a name, where the text runs this way. */
export function pressedFor(press: string, rightToLeft: boolean): string {
  if (press === 'inwards') return rightToLeft ? 'ArrowLeft' : 'ArrowRight';
  return press === 'outwards' ? (rightToLeft ? 'ArrowRight' : 'ArrowLeft') : press;
}

/** What a selector finds in the shadow root of an element. */
export const inside =
  (tag: string, selector: string) =>
  (place: ParentNode): HTMLElement | null =>
    place.querySelector(tag)?.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;

type Find = (place: HTMLElement) => HTMLElement | null | undefined;

/** What is found, as soon as that holds. */
export const once =
  (holds: (place: HTMLElement) => boolean, find: Find): Find =>
  (place) =>
    holds(place) ? find(place) : null;

/** Whether the focus is on what is found. */
export const hasFocus =
  (find: Find) =>
  (place: HTMLElement): boolean =>
    focused() !== null && focused() === find(place);

/** Whether what is found is open. */
export const isOpen =
  (open: boolean, find: Find) =>
  (place: HTMLElement): boolean =>
    find(place)?.getAttribute('aria-expanded') === String(open);

/** What was asked for in the element that is drawn now. */
let asked: string[] = [];
export const forget = (): void => void (asked = []);
export const note = ({ type }: Event): void => void asked.push(type);
export const was = (type: string) => (): boolean => asked.includes(type);
