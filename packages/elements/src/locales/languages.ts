import type { Language, Phrases } from '@sitrep/schema/select';
import { languages, sayAgain } from '../display/language.ts';
import type { LanguagePack } from './phrases.ts';

/** The shipped languages beside English; each is loaded when it is first read. */
const PACKS: Readonly<Record<string, () => Promise<{ readonly default: Phrases }>>> = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fa: () => import('./fa.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  hi: () => import('./hi.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  ru: () => import('./ru.ts'),
  tr: () => import('./tr.ts'),
  uk: () => import('./uk.ts'),
  'zh-Hans': () => import('./zh-hans.ts'),
  'zh-Hant': () => import('./zh-hant.ts'),
};

/** Tags of the shipped languages, English apart. */
export const SHIPPED: readonly string[] = Object.freeze(Object.keys(PACKS));

/** Phrases by language tag in lower case. */
const known = new Map<string, Phrases>();
const made = new Map<string, Language>();
/** Tags of one page that are remembered. */
const LIMIT = 64;

/**
 * Adds the phrases of a language for every element of the page, or other words for a shipped one. A tag goes for what is more
 * special, too: `sv` for `sv-FI`. What is missing is said in English.
 */
export function addLanguage(locale: string, phrases: Phrases & Partial<LanguagePack>): void {
  known.set(locale.toLowerCase(), phrases);
  languages.find = find;
  tellAll();
}

/** Lets the elements follow the languages of the page. Called with the first `lang` that is not English. */
export function installLanguages(): void {
  if (languages.find) return;
  languages.find = find;
  tellAll();
}

function tellAll(): void {
  made.clear();
  sayAgain();
}

function find(locale: string): Language {
  let language = made.get(locale);
  if (!language) {
    const phrases = phrasesOf(locale);
    if (made.size >= LIMIT) made.clear();
    made.set(locale, (language = { locale, phrases }));
    if (!phrases) void load(locale);
  }
  return language;
}

/** The phrases of a language, before anything is said in it: what is drawn at once is drawn in it. */
export async function loadLanguage(locale: string): Promise<void> {
  if (/^en\b/i.test(locale)) return;
  installLanguages();
  if (!phrasesOf(locale)) await load(locale);
}

async function load(locale: string): Promise<void> {
  const name = shippedName(locale);
  try {
    const pack = await PACKS[name]?.();
    if (pack && !known.has(name.toLowerCase())) addLanguage(name, pack.default);
  } catch {
    // The words stay English: what is shown is true, only not in the best language for it.
  }
}

function phrasesOf(locale: string): Phrases | undefined {
  let tag = locale.toLowerCase();
  while (tag && !known.has(tag)) tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')));
  return known.get(tag) ?? known.get(shippedName(locale).toLowerCase());
}

/** `pt-BR` is `pt`, and Chinese is told apart by its script: `zh-TW` is `zh-Hant`. What is no language tag is nothing. */
function shippedName(locale: string): string {
  try {
    const { language, script = '' } = new Intl.Locale(locale).maximize();
    return language === 'zh' ? `zh-${script}` : language;
  } catch {
    return '';
  }
}
