import type { Language } from '@sitrep/schema/select';

/** An element that says something, and says it anew when a language comes or changes. */
interface Speaker extends Element {
  requestUpdate(name: string): void;
}

/** Every element on the page that says something. */
const speakers = new Set<Speaker>();
let observer: MutationObserver | undefined;

/**
 * What the elements speak is English. Everything else comes apart: the define modules say by `load` how to get it when a page
 * first asks for another language, and it puts itself here as `find`.
 */
export const languages: {
  load: () => Promise<unknown>;
  /** The language of a tag, as far as it is there. */
  find?: (locale: string) => Language;
} = { load: () => Promise.resolve() };

/** Languages of which only the numbers are known, by tag: hundreds of elements are read in the same one. */
const plain = Object.create(null) as Record<string, Language>;

/** Number of elements that are told when a language comes: what a leak test looks at. */
export const speakerLoad = (): number => speakers.size;

/** Lets every element say what it says once more. */
export function sayAgain(): void {
  for (const speaker of speakers) speaker.requestUpdate('lang');
}

/** Tells the element, while it is connected, that a language has come or that the page has changed its own. */
export function follow(speaker: Speaker): void {
  if (!speaker.isConnected) return void speakers.delete(speaker);
  speakers.add(speaker);
  if (observer) return;
  observer = new MutationObserver(sayAgain);
  observer.observe(document.documentElement, { attributeFilter: ['lang'] });
}

/**
 * The language an element is read in: by the nearest `lang` around it, else by the browser's own language. Until its phrases
 * are there, and where there are none, numbers are written in it and words in English.
 */
export function languageOf(element: Element): Language {
  let locale = '';
  for (let at: Element | undefined = element; at && !locale; at = (at.getRootNode() as ShadowRoot).host)
    locale = at.closest<HTMLElement>('[lang]')?.lang ?? '';
  locale ||= navigator.language;
  if (!languages.find && !/^en\b/i.test(locale)) languages.load().catch(() => undefined);
  return languages.find?.(locale) ?? (plain[locale] ??= { locale });
}
