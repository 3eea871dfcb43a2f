import { html } from 'lit';
import carbon from '@sitrep/elements/themes/carbon.css?inline';
import material from '@sitrep/elements/themes/material.css?inline';
import neutral from '@sitrep/elements/themes/neutral.css?inline';
import primer from '@sitrep/elements/themes/primer.css?inline';
import shadcn from '@sitrep/elements/themes/shadcn.css?inline';
import shadcnV3 from '@sitrep/elements/themes/shadcn-v3.css?inline';
import vscode from '@sitrep/elements/themes/vscode.css?inline';
import './fixtures/page-piece.ts';
import { systems } from './fixtures/systems.ts';
import type { System } from './fixtures/systems.ts';

/** The elements in pages that have a design system of their own: one style sheet takes its variables. */
export default { title: 'Theming/Recipes', tags: ['page'] };

const side = 'display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem';

/** The page's own variables and looks, at the part of the page that has the theme. */
const sheetOf = ({ classes: [light, dark], light: values, dark: others, page, button }: System, recipe: string): string =>
  `.${light}{color-scheme:light;${values}}.${dark}{color-scheme:dark;${others}}.page{${page}}.top button{${button}}
  ${recipe.replace(':where(:root,', `:where(.page, :root,`)}`;

const both = (system: System, recipe: string) => ({
  render: () =>
    html`<div style=${side}>
      ${system.classes.map(
        (theme) => html`<page-piece heading=${system.name} theme=${theme} .sheet=${sheetOf(system, recipe)}></page-piece>`,
      )}
    </div>`,
});

export const Shadcn = { tags: ['picture', 'once', 'wide'], ...both(systems['shadcn']!, shadcn) };
export const ShadcnOnTailwind3 = both(systems['shadcnV3']!, shadcnV3);
export const Material = { tags: ['picture', 'once', 'wide'], ...both(systems['material']!, material) };
export const Carbon = { tags: ['picture', 'once', 'wide'], ...both(systems['carbon']!, carbon) };
export const Primer = { tags: ['picture', 'once', 'wide'], ...both(systems['primer']!, primer) };
export const VisualStudioCode = { tags: ['picture', 'once', 'wide'], ...both(systems['vscode']!, vscode) };

const bare = (colours: string): System => ({
  recipe: 'neutral',
  name: 'A page with nothing but its own font and colours',
  light: '',
  dark: '',
  classes: ['light', 'dark'],
  page: `${colours};font:400 1rem/1.5 Georgia,serif`,
  button: 'background:none;color:inherit;border:1px solid',
});
export const Neutral = {
  tags: ['picture', 'once', 'wide'],
  render: () =>
    html`<div style=${side}>
      ${['background:#fffdf7;color:#2a2118', 'background:#1c2433;color:#e9eef7'].map((colours) => {
        const system = bare(colours);
        return html`<page-piece heading=${system.name} theme="light" .sheet=${sheetOf(system, neutral)}></page-piece>`;
      })}
    </div>`,
};
