import { formatNumber } from './format.ts';

/** Units that mean bytes. */
const BYTE_UNITS: ReadonlySet<string> = new Set(['bytes', 'byte', 'B']);
const SCALE = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** True when a unit is shown scaled. */
export function isBytes(unit: string | undefined): boolean {
  return unit !== undefined && BYTE_UNITS.has(unit);
}

/**
 * Bytes in the reader's form: powers of 1,024 with their own names, so that "8 MiB" is what it says; one decimal at
 * most, rounded down, so that nothing looks finished before it is.
 */
export function formatBytes(value: number, locale: string): { readonly number: string; readonly unit: string } {
  let scaled = Math.abs(value);
  let step = 0;
  while (scaled >= 1024 && step < SCALE.length - 1) {
    scaled /= 1024;
    step += 1;
  }
  const floored = step === 0 ? Math.floor(scaled) : Math.floor(scaled * 10 + 1e-9) / 10;
  return { number: formatNumber(value < 0 ? -floored : floored, locale, { maximumFractionDigits: 1 }), unit: SCALE[step] ?? 'B' };
}
