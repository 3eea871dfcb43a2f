/** Formatters are costly to make and cheap to use; a page needs a handful. */
const LIMIT = 64;
const made = new Map<string, unknown>();

/** Language used where none is given, or where the given tag is no language tag. */
export const DEFAULT_LOCALE = 'en';

type Maker<T, O> = { new (locale: string, options?: O): T; readonly name: string };

/**
 * A formatter, made once for each language and use. `use` tells the options of one maker apart. An unusable language tag
 * falls back to English; nothing is thrown.
 */
export function intl<T, O extends object>(maker: Maker<T, O>, locale: string, options?: O, use: string = ''): T {
  const key = `${maker.name}|${locale}|${use}`;
  let formatter = made.get(key) as T | undefined;
  if (formatter === undefined) {
    if (made.size >= LIMIT) made.clear();
    try {
      formatter = new maker(locale, options);
    } catch {
      formatter = new maker(DEFAULT_LOCALE, options);
    }
    made.set(key, formatter);
  }
  return formatter;
}
