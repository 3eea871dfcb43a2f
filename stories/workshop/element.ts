import { nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { html, unsafeStatic } from 'lit/static-html.js';
import type { SessionView } from '@sitrep/client';
import type { ArgTypes, Parameters } from '@storybook/web-components-vite';
import '@sitrep/elements/define/all';
import dense from '@sitrep/elements/themes/dense.css?inline';
import { still } from '../fixtures/records.ts';
import { argTypesOf } from './arg-types.ts';
import { given } from './given.ts';
import { declarationOf } from './manifest.ts';
import { snippet } from './snippet.ts';

/** Arguments that every story of an element may have besides the element's own. */
export interface Around {
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  readonly scheme?: 'light' | 'dark';
  readonly density?: 'normal' | 'dense';
  /** Pixels. */
  readonly width?: number;
  /** The session of a provider around the element, as a store shows it. */
  readonly view?: SessionView;
}
/** Arguments of a story: attributes by their name, everything else by that of the property. */
export type Args = Around & Readonly<Record<string, unknown>>;

interface Page {
  /** How the element is written in a page. */
  readonly usage: string;
  /** Pixels each story has on the page of the element, for what lies over a page or fills it: there it is a page of its own. */
  readonly height?: number;
  /** Draws a story in another way than by the element alone. */
  readonly draw?: (args: Args) => unknown;
  /** What only stories of this element have as arguments: none of its attributes and properties, though they are edited as they are. */
  readonly records?: Readonly<Record<string, string | ArgTypes[string]>>;
  /** What stands within the element in the code that is shown with a story. */
  readonly inner?: string;
}

/** What the default export of an element's stories has besides its title. */
export interface Meta {
  readonly component: string;
  readonly argTypes: ArgTypes;
  readonly render: (args: Args) => unknown;
  readonly parameters: Parameters;
}

const page = new CSSStyleSheet();
page.replaceSync(`
  .dense { ${/\{([^}]*)\}/.exec(dense)![1]} }
  .light, .dark { padding: 1rem }
  .light { color-scheme: light; background: #f6f7f9; color: #191c21 }
  .dark { color-scheme: dark; background: #0f1114; color: #e8eaef }
`);
document.adoptedStyleSheets.push(page);

/** The element, with the arguments of its story. */
export function drawn(tag: string, { view, ...args }: Args, content: unknown = nothing): TemplateResult {
  const name = unsafeStatic(tag);
  const element = html`<${name} ${given(args)}>${content}</${name}>`;
  if (!view) return element;
  // A pill is smaller than the banner that would lie over it, and says the same.
  const banner = tag === 'status-pill' ? 'none' : nothing;
  return html`<progress-provider .store=${still(view)} banner=${banner}>${element}</progress-provider>`;
}

/** What a story draws, within the language, direction, scheme, density and width of its arguments. */
export function within({ lang, dir, scheme, density, width }: Around, content: unknown): unknown {
  const dressed = [scheme, density === 'dense' && density].filter(Boolean).join(' ');
  if (!(lang || dir || dressed || width)) return html`${content}`;
  const room = width ? `inline-size:min(${width}px,100%)` : nothing;
  return html`<div class=${dressed || nothing} lang=${lang || nothing} dir=${dir || nothing} style=${room}>${content}</div>`;
}

/**
 * What the page of an element and its stories have in common: what it is and how it is written, a table of everything the manifest says
 * of it with a control for whatever can be changed, its events among the actions, and the code of each story.
 */
export function elementPage(tag: string, { usage, height, draw, records = {}, inner }: Page): Meta {
  const { description = '', events = [] } = declarationOf(tag);
  const edited = Object.entries(records).map(([name, about]) => {
    const more = typeof about === 'string' ? { description: about, control: 'object' as const } : about;
    return [name, { name, table: { category: 'records of the story' }, ...more }] as const;
  });
  return {
    component: tag,
    argTypes: { ...Object.fromEntries(edited), ...argTypesOf(tag) },
    render: (args: Args): unknown => within(args, draw ? draw(args) : drawn(tag, args)),
    parameters: {
      actions: { handles: events.map(({ name }) => name) },
      docs: {
        description: { component: `${description}\n\n\`\`\`html\n${usage}\n\`\`\`` },
        source: {
          transform: (code: string, { args }: { readonly args: Args }) => (Object.keys(args).length > 0 ? snippet(tag, args, inner) : code),
        },
        ...(height !== undefined && { story: { inline: false, height: `${height}px` } }),
      },
    },
  };
}

/** The session around the element, for those whose stories have one. */
export const OF_A_SESSION = { view: 'The session of the provider around it, as a store shows it.' };
