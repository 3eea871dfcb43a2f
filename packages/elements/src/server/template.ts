import { digestForTemplateResult } from '@lit-labs/ssr-client';
import type { TemplateResult } from 'lit';
import { isTemplateResult } from 'lit/directive-helpers.js';

/** The property that is the whole text of an element, and the attribute it takes on its way through the server. */
const TEXT = /(\s)\.textContent=(["']?)$/;
export const TEXT_ATTRIBUTE = 'data-text';

const prepared = new WeakMap<TemplateStringsArray, TemplateStringsArray>();
/** The digests by which a page will know the templates again, by those of what was drawn in their place. */
const digests = new Map<string, string>();

/**
 * The value with everything in it that says more than markup can say at once: a text given as a property is written as an
 * attribute, from which `finish` takes it.
 */
export function prepare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepare);
  if (!isTemplateResult(value)) return value;
  const { strings, values } = value as TemplateResult;
  return { ...value, strings: withTexts(strings), values: values.map(prepare) };
}

function withTexts(strings: TemplateStringsArray): TemplateStringsArray {
  let found = prepared.get(strings);
  if (!found) {
    found = strings;
    if (strings.some((text) => TEXT.test(text))) {
      const changed = strings.map((text) => text.replace(TEXT, `$1${TEXT_ATTRIBUTE}=$2`));
      found = Object.assign(changed, { raw: changed });
      digests.set(digestOf(found), digestOf(strings));
    }
    prepared.set(strings, found);
  }
  return found;
}

const digestOf = (strings: TemplateStringsArray): string => digestForTemplateResult({ _$litType$: 1, strings, values: [] });

/** The markup with the digests the page expects. */
export const withDigests = (html: string): string =>
  html.replace(/<!--lit-part (\S+)-->/g, (all, digest: string) => (digests.has(digest) ? `<!--lit-part ${digests.get(digest)}-->` : all));

/** A template for markup that an author wrote; the same for the same markup, as what is known of a template is kept with it. */
export function templateOf(markup: string): TemplateResult {
  let strings = authored.get(markup);
  if (!strings) {
    if (authored.size >= KEPT) authored.clear();
    authored.set(markup, (strings = Object.assign([markup], { raw: [markup] })));
  }
  return { _$litType$: 1, strings, values: [] };
}

const authored = new Map<string, TemplateStringsArray>();
const KEPT = 256;
