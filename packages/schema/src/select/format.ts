/** Formatters are costly to make and cheap to use; a page needs a handful. */
const LIMIT = 64;
const formatters = new Map<string, Intl.NumberFormat>();

/** Language used where none is given, or where the given tag is no language tag. */
export const DEFAULT_LOCALE = 'en';

/** From here on a number is written with an exponent: past what counts go to, and before it fills a line. */
const HUGE = 1e16;

/** A number in the reader's form. An unusable language tag falls back to English; nothing is thrown. */
export function formatNumber(value: number, locale: string, options: Intl.NumberFormatOptions = {}): string {
  const isHuge = Math.abs(value) >= HUGE;
  const key = `${locale}|${options.style ?? ''}|${options.unit ?? ''}|${options.maximumFractionDigits ?? ''}|${isHuge ? 'huge' : ''}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    if (formatters.size >= LIMIT) formatters.clear();
    formatter = makeFormatter(locale, isHuge ? { ...options, notation: 'scientific' } : options);
    formatters.set(key, formatter);
  }
  // Nobody counts to minus zero.
  return formatter.format(value === 0 ? 0 : value);
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
