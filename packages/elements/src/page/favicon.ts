import { look } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { Stage } from './stage.ts';

/** Colours of the families, for light and dark tabs alike. */
const TONES: Readonly<Record<string, string>> = {
  accent: '#3b6fe0',
  success: '#1f8f55',
  danger: '#d0392b',
  attention: '#c77700',
  '': '#7a8494',
};
const AROUND = 2 * Math.PI * 6.5;
/** What an icon of the page is called while it is set aside: it stays where it is, for it may be looked after by others. */
const ASIDE = 'sitrep-own-icon';

/** A ring that fills, with the drawing of the state in it where there is nothing to fill. */
export function ring(state: ShownState, part: number | undefined): string {
  const [path, tone] = look(state);
  const colour = TONES[tone] ?? TONES['']!;
  const done = part === undefined ? undefined : Math.round(part * 100) / 100;
  const arc =
    done === undefined
      ? `<path d="${path}" stroke="${colour}"/>`
      : `<circle cx="8" cy="8" r="6.5" stroke="${colour}" stroke-opacity=".25"/><circle cx="8" cy="8" r="6.5" stroke="${colour}" transform="rotate(-90 8 8)" stroke-dasharray="${(done * AROUND).toFixed(2)} 99"/>`;
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke-width="2.5" stroke-linecap="round">${arc}</svg>`,
  )}`;
}

const aside = new Map<HTMLLinkElement, string>();
let link: HTMLLinkElement | undefined;
let wanted: string | undefined;
/** Whether the policy of the page allows pictures that are written out; undefined until it was asked. */
let allowed: boolean | 'asked' | undefined;

/** Draws pictures into the icon of the tab. The page's own icons are set aside meanwhile and come back at the end. */
export const faviconStage = new Stage<string>((href) => {
  wanted = href;
  if (href !== undefined && allowed === undefined) ask(href);
  if (allowed === true) draw(href);
});

/** A policy that does not allow it would leave the tab without any icon: so it is tried with a picture first. */
function ask(href: string): void {
  allowed = 'asked';
  const picture = new Image();
  picture.onload = () => {
    allowed = true;
    draw(wanted);
  };
  picture.onerror = () => (allowed = false);
  picture.src = href;
}

function draw(href: string | undefined): void {
  if (href === undefined) return restore();
  if (!link) {
    link = document.createElement('link');
    link.rel = 'icon';
    link.type = 'image/svg+xml';
  }
  if (link.getAttribute('href') === href && link.isConnected) return;
  link.href = href;
  if (!link.isConnected) document.head.append(link);
  for (const icon of document.head.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')) {
    if (icon === link) continue;
    aside.set(icon, icon.rel);
    icon.rel = ASIDE;
  }
}

function restore(): void {
  link?.remove();
  link = undefined;
  // What the page has made of one meanwhile is its own affair.
  for (const [icon, rel] of aside) if (icon.rel === ASIDE) icon.rel = rel;
  aside.clear();
}
