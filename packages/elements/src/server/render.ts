import { render } from '@lit-labs/ssr';
import type { LitElementRenderer } from '@lit-labs/ssr';
import type { TemplateResult } from 'lit';
import '../define/all.ts';
import { allParts } from '../display/part.ts';
import { ProgressElement } from '../display/progress-element.ts';
import { loadLanguage } from '../locales/languages.ts';
import type { Drawing } from './drawing.ts';
import { rendererFor } from './renderer.ts';
import { Sessions } from './sessions.ts';
import type { GivenSnapshot } from './sessions.ts';
import { templateOf } from './template.ts';

export type { GivenSnapshot } from './sessions.ts';

/** How the elements are drawn on a server. */
export interface RenderOptions {
  /**
   * The snapshots to draw, by the `src` under which the markup names them; also promises of one. An element whose session is
   * not among them is drawn as loading.
   */
  readonly sessions?: Readonly<Record<string, GivenSnapshot>>;
  /** Language of what has no `lang` itself. It is written on the element. English by default. */
  readonly lang?: string;
  /** The time to go by, epoch milliseconds. The page draws by it once more, and then goes on by its own. Now by default. */
  readonly now?: number;
  /** Nonce of the `style` elements in the output, for a page with a strict content security policy. */
  readonly nonce?: string;
}

/** True for the elements that are drawn. */
function isOurs(tag: string): boolean {
  const element = customElements.get(tag);
  return element !== undefined && (element.prototype instanceof ProgressElement || tag.startsWith('progress-'));
}

/**
 * HTML of the elements in `markup`, with everything they show in declarative shadow roots, and the data by which the page goes
 * on from there. `markup` is a template of Lit, or text that you wrote yourself: put no text of others into it but by a template.
 *
 * @throws TypeError for a session that is no snapshot.
 */
export async function renderToString(markup: TemplateResult | string, options: RenderOptions = {}): Promise<string> {
  let html = '';
  for await (const part of drawn(markup, options)) html += part;
  return html;
}

/**
 * The same, part by part, in UTF-8: what stands before a session that is still on its way is sent already. Fit for a `Response`.
 */
export function renderToStream(markup: TemplateResult | string, options: RenderOptions = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
  const parts = drawn(markup, options);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

/**
 * A renderer for `render` of `@lit-labs/ssr`, for pages that are drawn by Lit: put `renderer` into its `elementRenderers`, before others,
 * and `data()` at the end of the page, when the rest has been drawn.
 */
export async function createRenderer(
  options: RenderOptions = {},
): Promise<{ readonly renderer: typeof LitElementRenderer; data(): string }> {
  const { lang = 'en', now = Date.now(), nonce } = options;
  const sessions = new Sessions(options.sessions ?? {});
  const drawing: Drawing = { draws: isOurs, lang, now, nonce, session: (address) => sessions.get(address) };
  await Promise.all([loadLanguage(lang), allParts()]);
  return { renderer: rendererFor(drawing), data: () => sessions.scripts() };
}

async function* drawn(markup: TemplateResult | string, options: RenderOptions): AsyncGenerator<string> {
  const { renderer, data } = await createRenderer(options);
  const text = typeof markup === 'string';
  const results = [render(text ? templateOf(markup) : markup, { elementRenderers: [renderer] })[Symbol.iterator]()];
  for (let at = results.at(-1); at; at = results.at(-1)) {
    const { done, value } = at.next();
    const part = await value;
    if (done) results.pop();
    else if (typeof part !== 'string') results.push(part![Symbol.iterator]() as (typeof results)[number]);
    // Markup of one's own is no template that anybody would take over.
    else if (part) yield text ? part.replace(/^<!--\/?lit-(?:part|node)[^>]*-->/, '') : part;
  }
  yield data();
}
