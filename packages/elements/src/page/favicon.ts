import { look } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';

/** Colours of the families, for light and dark tabs alike. */
const TONES: Readonly<Record<string, string>> = {
  accent: '#3b6fe0',
  success: '#1f8f55',
  danger: '#d0392b',
  attention: '#c77700',
  '': '#7a8494',
};
const AROUND = 2 * Math.PI * 6.5;

/** A ring that fills, with the drawing of the state in it where there is nothing to fill. */
export function ring(state: ShownState, part: number | undefined): string {
  const [path, tone] = look(state);
  const colour = TONES[tone] ?? TONES['']!;
  const arc =
    part === undefined
      ? `<path d="${path}" stroke="${colour}"/>`
      : `<circle cx="8" cy="8" r="6.5" stroke="${colour}" stroke-opacity=".25"/><circle cx="8" cy="8" r="6.5" stroke="${colour}" transform="rotate(-90 8 8)" stroke-dasharray="${(part * AROUND).toFixed(2)} 99"/>`;
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke-width="2.5" stroke-linecap="round">${arc}</svg>`,
  )}`;
}

/** Draws the state into the icon of the tab. The page's own icons are set aside meanwhile and come back at the end. */
export class FaviconSignal {
  #link: HTMLLinkElement | undefined;
  #own: HTMLLinkElement[] = [];
  #shown: string | undefined;

  /** Shows a state, or with undefined the page's own icon. */
  show(state: ShownState | undefined, part: number | undefined): void {
    const href = state && ring(state, part === undefined ? undefined : Math.round(part * 100) / 100);
    if (href === this.#shown) return;
    this.#shown = href;
    if (href === undefined) return this.#restore();
    if (!this.#link) {
      this.#own = [...document.head.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')];
      for (const icon of this.#own) icon.remove();
      this.#link = document.createElement('link');
      this.#link.rel = 'icon';
      this.#link.type = 'image/svg+xml';
    }
    this.#link.href = href;
    if (!this.#link.isConnected) document.head.append(this.#link);
  }

  #restore(): void {
    this.#link?.remove();
    this.#link = undefined;
    document.head.append(...this.#own.splice(0));
  }
}
