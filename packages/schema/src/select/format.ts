/** Formatters are costly to make and cheap to use; a page needs a handful. */
const LIMIT = 64;
const formatters = new Map<string, Intl.NumberFormat>();

/** Language used where none is given, or where the given tag is no language tag. */
export const DEFAULT_LOCALE = 'en';

/** A number in the reader's form. An unusable language tag falls back to English; nothing is thrown. */
export function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions = {}): string {
  const key = `${locale}|${options.style ?? ''}|${options.maximumFractionDigits ?? ''}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    if (formatters.size >= LIMIT) formatters.clear();
    formatter = makeFormatter(locale, options);
    formatters.set(key, formatter);
  }
  return formatter.format(value);
}

/** A whole percent, 0 to 100, in the reader's form: "42%", "42 %", "%42". */
export function formatPercent(percent: number, locale: string = DEFAULT_LOCALE): string {
  return formatNumber(percent / 100, locale, { style: 'percent', maximumFractionDigits: 0 });
}

function makeFormatter(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    return new Intl.NumberFormat(DEFAULT_LOCALE, options);
  }
}
