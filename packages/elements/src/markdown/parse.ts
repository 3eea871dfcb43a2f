import { Marked } from 'marked';
import type { Tokens } from 'marked';
import { readBar } from './bar-tag.ts';
import type { BarTag } from './bar-tag.ts';
import { EMPHASIS_WORK, TABLE_CELLS } from './bounds.ts';
import { rawBlock, rawInline } from './raw-html.ts';

/** HTML of a note, and the bars in it in order. */
export interface ParsedNote {
  readonly html: string;
  readonly bars: readonly BarTag[];
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/** True for the addresses a note may link to. */
export function isLinkable(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(href);
}

/** Turns Markdown into HTML that holds no raw HTML of the author's, no image and no foreign address. May throw. */
export function parseNote(markdown: string): ParsedNote {
  const bars: BarTag[] = [];
  let work = EMPHASIS_WORK;
  const dropped = (raw: string, block: boolean): Tokens.HTML => ({ type: 'html', raw, text: '', block, pre: false });
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    tokenizer: {
      html(source) {
        if (!/^ {0,3}</.test(source)) return undefined;
        const start = source.indexOf('<');
        const rest = source.slice(start);
        if (readBar(rest)) return undefined;
        const raw = rawBlock(rest);
        return raw === undefined ? undefined : (dropped(source.slice(0, start) + raw, true) as Tokens.HTML);
      },
      tag(source) {
        if (source.charCodeAt(0) !== 60) return undefined;
        const bar = readBar(source);
        if (bar) {
          if (bar.max === undefined) return dropped(bar.raw, false) as unknown as Tokens.Tag;
          bars.push(bar);
          const value = bar.value === undefined ? '' : ` value="${bar.value}"`;
          return {
            type: 'html',
            raw: bar.raw,
            inLink: false,
            inRawBlock: false,
            block: false,
            text: `<progress${value} max="${bar.max}"></progress>`,
          };
        }
        const raw = rawInline(source);
        if (raw && /^<br\b/i.test(raw)) return { ...dropped(raw, false), text: '<br>' } as unknown as Tokens.Tag;
        return raw === undefined ? undefined : (dropped(raw, false) as unknown as Tokens.Tag);
      },
      emStrong(source) {
        work -= source.length;
        return work < 0 ? undefined : false;
      },
      del(source) {
        work -= source.length;
        return work < 0 ? undefined : false;
      },
      table(source) {
        const lines = source.split('\n');
        const end = lines.findIndex((line) => !line.trim());
        const rows = end < 0 ? lines.length : end;
        const columns = lines[0]?.split('|').filter((cell) => cell.trim()).length ?? 1;
        return rows * columns > TABLE_CELLS ? undefined : false;
      },
    },
    renderer: {
      html: ({ text }) => text,
      image: ({ text }) => escape(text),
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code: ({ text }) => `<pre><code>${escape(text)}</code></pre>`,
      link({ href, title, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (!isLinkable(href)) return words;
        return `<a href="${escape(href)}"${title ? ` title="${escape(title)}"` : ''}>${words}</a>`;
      },
    },
  });
  return { html: marked.parse(markdown, { async: false }), bars };
}
