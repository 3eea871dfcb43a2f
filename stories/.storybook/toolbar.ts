import { html } from 'lit';
import type { Decorator, Preview } from '@storybook/web-components-vite';
import { still } from './still.ts';
import { themes, wear } from './themes.ts';

interface Choice {
  readonly title: string;
  readonly icon: string;
  readonly items: readonly (string | { readonly value: string; readonly title: string })[];
}

const choices: Readonly<Record<string, Choice>> = {
  theme: {
    title: 'Theme',
    icon: 'paintbrush',
    items: [{ value: 'system', title: 'Theme of the system' }, 'light', 'dark', 'high-contrast', 'neutral'],
  },
  density: { title: 'Density', icon: 'component', items: ['normal', 'dense'] },
  direction: { title: 'Direction', icon: 'transfer', items: ['ltr', 'rtl'] },
  width: { title: 'Width', icon: 'grow', items: [{ value: 'full', title: 'All the width' }, '200', '240', '320', '480', '640', '1200'] },
  language: {
    title: 'Language',
    icon: 'globe',
    items: 'en ar de es fa fr he hi it ja ko nl pl pt ru tr uk zh-Hans zh-Hant'.split(' '),
  },
  motion: {
    title: 'Motion',
    icon: 'play',
    items: [
      { value: 'system', title: 'Motion of the system' },
      { value: 'still', title: 'Less motion' },
      { value: 'slow', title: 'Slow' },
    ],
  },
};

/** What the toolbar offers. */
export const globalTypes: NonNullable<Preview['globalTypes']> = Object.fromEntries(
  Object.entries(choices).map(([name, { title, icon, items }]) => [
    name,
    { description: title, toolbar: { title, icon: icon as 'globe', items: [...items], dynamicTitle: true } },
  ]),
);

export const initialGlobals = { theme: 'system', density: 'normal', direction: 'ltr', width: 'full', language: 'en', motion: 'system' };

/** Shows a story as the toolbar says. */
export const asChosen: Decorator = (story, { globals }) => {
  const { theme, density, direction, width, language, motion } = { ...initialGlobals, ...(globals as Partial<typeof initialGlobals>) };
  const root = document.documentElement;
  root.dir = direction;
  root.lang = language;
  root.style.colorScheme = ['light', 'dark'].includes(theme) ? theme : '';
  wear(
    themes[theme] ?? '',
    density === 'dense' ? themes['dense']! : '',
    motion === 'slow' ? ':root{--sitrep-cycle:8s;--sitrep-glide:2s}' : '',
  );
  queueMicrotask(() => still(motion === 'still'));
  const drawn = story();
  return width === 'full' ? drawn : html`<div style=${`inline-size:${width}px;max-inline-size:100%`}>${drawn}</div>`;
};
