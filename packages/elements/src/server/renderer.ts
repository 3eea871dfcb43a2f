import { LitElementRenderer } from '@lit-labs/ssr';
import { renderValue } from '@lit-labs/ssr/lib/render-value.js';
import type { RenderInfo } from '@lit-labs/ssr/lib/render-value.js';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { ThunkedRenderResult } from '@lit-labs/ssr/lib/render-result.js';
import type { LitElement } from 'lit';
import type { SessionHost, SessionLink } from '../display/session-link.ts';
import { loadLanguage } from '../locales/languages.ts';
import type { ProgressSurface } from '../progress-surface/progress-surface.ts';
import { StillLink } from '../session/still-link.ts';
import { stillSession } from '../session/still-session.ts';
import { escapeText } from './escape.ts';
import type { Drawing } from './drawing.ts';
import { drawAt } from './page.ts';
import { parse } from './parse.ts';
import { placeCard } from './placed-card.ts';
import { prepare, TEXT_ATTRIBUTE, withDigests } from './template.ts';
import { Element, forgetPlaces, Raw, standIn } from './tree.ts';
import { write } from './write.ts';
import type { Rules } from './write.ts';

/** What is called of an element; all of it is the element's own, and most of it protected. */
interface Drawn extends HTMLElement {
  link?: SessionLink | undefined;
  language?: unknown;
  src?: string;
  showDelay?: number;
  renderRoot: unknown;
  willUpdate(changed: Map<PropertyKey, unknown>): void;
  render(): unknown;
  updated(changed: Map<PropertyKey, unknown>): void;
}

const NOTHING = { session: undefined, error: undefined };

/** How deep in elements of the family we are: what is inside one is put into the markup of the one around it. */
let depth = 0;

/** A renderer of the elements of the family: what they draw on a page, they draw on the server. */
export function rendererFor(drawing: Drawing): typeof LitElementRenderer {
  /** The languages whose phrases are there, as far as there are any. */
  const spoken = new Set([drawing.lang]);
  const nonce = drawing.nonce ? ` nonce="${escapeText(drawing.nonce)}"` : '';

  class SitrepRenderer extends LitElementRenderer {
    static override matchesClass(_element: typeof HTMLElement, tag?: string): boolean {
      return drawing.draws(tag!);
    }

    /** Not before it is known what is around the element. */
    override connectedCallback(): void {
      const { element } = this;
      if (depth > 0) return;
      if (!element.hasAttribute('lang')) this.setAttribute('lang', drawing.lang);
      element.setAttribute('drawn-at', String(drawing.now));
    }

    override renderShadow(info: RenderInfo): ThunkedRenderResult {
      const lang = this.element.getAttribute('lang') || drawing.lang;
      if (depth === 0 && !spoken.has(lang)) return [() => loadLanguage(lang).then(() => (spoken.add(lang), this.renderShadow(info)))];
      const address = (this.element as unknown as Drawn).src || providerOf(info)?.src;
      const session = address === undefined ? undefined : drawing.session(address);
      if (session instanceof Promise) return [() => session.then(() => this.renderShadow(info))];
      if (address !== undefined) {
        const element = this.element as unknown as Drawn;
        element.link = new StillLink(element as unknown as SessionHost, session ? stillSession(session) : NOTHING);
      }
      // Inside another one only its place is kept: what it holds is put there when the other has been drawn.
      if (depth > 0) return [standIn(new Raw(this.shadow(info)))];
      const html = drawAt(drawing.now, () => this.shadow(info));
      forgetPlaces();
      return [html];
    }

    /** Everything in the shadow root. */
    shadow(info: RenderInfo): string {
      const element = this.element as unknown as Drawn;
      const lang = element.getAttribute('lang') || drawing.lang;
      for (const [name, value] of Object.entries(ALONE)) if (!(name in element)) Object.assign(element, { [name]: value });
      element.closest = (() => ({ lang })) as unknown as typeof element.closest;
      depth++;
      try {
        // What a server draws is there at once, and nothing flashes.
        if ('showDelay' in element) element.showDelay ??= 0;
        element.willUpdate(new Map());
        const value = renderValue(prepare(element.render()), info);
        const root = parse(withDigests(collectResultSync(value)));
        for (const one of root.querySelectorAll(`[${TEXT_ATTRIBUTE}]`)) {
          one.textContent = one.getAttribute(TEXT_ATTRIBUTE) ?? '';
          one.removeAttribute(TEXT_ATTRIBUTE);
        }
        element.renderRoot = root;
        const later = (root.later = new Set());
        try {
          element.updated(new Map());
        } catch {
          // What has to be measured is measured in the page.
        }
        if (element.localName === 'progress-surface') placeCard(element as unknown as ProgressSurface, element.link, root);
        const rules: Rules = { css: '', count: 0 };
        const inside = write(root, rules, (made, light) => draw(made, light, info));
        return `<style${nonce}>${cssOf(element)}${[...later].map(textOf).join('')}${rules.css}</style>${inside}`;
      } finally {
        depth--;
      }
    }
  }

  /** Markup of an element that another one made by code, with the properties it was given. `light` says what stands in it. */
  function draw(made: Element, light: () => string, info: RenderInfo): string {
    const { localName } = made;
    if (!drawing.draws(localName)) return '';
    const renderer = new SitrepRenderer(localName);
    for (const [name, value] of made.attributes) renderer.setAttribute(name, value);
    for (const [name, value] of Object.entries(made)) if (!OWN.has(name)) renderer.setProperty(name, value);
    info.customElementHostStack.push(renderer);
    info.customElementInstanceStack.push(renderer);
    const shadow = renderer.shadow(info);
    info.customElementInstanceStack.pop();
    info.customElementHostStack.pop();
    const attributes = collectResultSync(renderer.renderAttributes());
    return `<${localName}${attributes} defer-hydration><template shadowrootmode="open">${shadow}</template>${light()}</${localName}>`;
  }

  return SitrepRenderer;
}

/** What an element is asked of itself that no element of a server has: nothing is known to be in it or around it. */
const ALONE = {
  children: [],
  childNodes: [],
  querySelector: () => null,
  querySelectorAll: () => [],
  getRootNode: () => ({}),
  isConnected: false,
};

const styles = new WeakMap<object, string>();

/** The styles of an element, the same for all of its kind. */
function cssOf({ constructor }: HTMLElement): string {
  let css = styles.get(constructor);
  if (css === undefined) styles.set(constructor, (css = (constructor as typeof LitElement).elementStyles.map(textOf).join('')));
  return css;
}

const textOf = (style: unknown): string => (style as { readonly cssText: string }).cssText;

/** The nearest provider around what is drawn. */
function providerOf({ customElementInstanceStack }: RenderInfo): { readonly src?: string } | undefined {
  return customElementInstanceStack.findLast((one) => one?.tagName === 'progress-provider')?.element as
    { readonly src?: string } | undefined;
}

/** What an element of the server's own has beside the properties it was given. */
const OWN: ReadonlySet<string> = new Set(Object.keys(new Element('x-y')));
