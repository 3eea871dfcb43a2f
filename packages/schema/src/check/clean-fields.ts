import { cleanLine } from './text/clean-line.ts';

/**
 * The record with the named text fields cleaned to one line each: the same reference when there was nothing to clean,
 * otherwise a shallow copy. Fields that are absent or `null` are left alone.
 */
export function cleanFields<T extends object>(record: T, fields: readonly (keyof T)[]): T {
  let result = record;
  for (const field of fields) {
    const text = record[field];
    if (typeof text === 'string') result = withField(result, record, field, cleanLine(text) as T[keyof T]);
  }
  return result;
}

/** `current`, a copy of `original` or the original itself, with one field set; copied on the first change only. */
export function withField<T extends object, K extends keyof T>(current: T, original: T, field: K, value: T[K]): T {
  if (current[field] === value) return current;
  const copy = current === original ? { ...original } : current;
  copy[field] = value;
  return copy;
}
