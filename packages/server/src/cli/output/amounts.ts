import type { Said } from './types.ts';

/** Takes back every amount: the phase it belonged to is over, or it was none. */
export const NO_AMOUNT = { current: null, total: null, fraction: null, unit: null } as const satisfies Said;

/** So many of so many. Undefined when that cannot be: a part beyond its whole is no progress. */
export function counted(current: unknown, total: unknown, unit: string | null = null): Said | undefined {
  const [part, whole] = [Number(current), Number(total)];
  if (!Number.isFinite(part) || !Number.isFinite(whole) || part < 0 || whole <= 0 || part > whole) return undefined;
  return { current: part, total: whole, fraction: null, unit };
}

/** So many, nobody knows of how many. */
export function countedSoFar(current: unknown, unit: string): Said | undefined {
  const count = Number(current);
  return Number.isFinite(count) && count >= 0 ? { current: count, total: null, fraction: null, unit } : undefined;
}

/** A percentage as the tool writes it. */
export function percent(text: unknown): Said | undefined {
  const value = Number(text);
  return value >= 0 && value <= 100 ? { current: null, total: null, fraction: value / 100, unit: null } : undefined;
}

/** With a message beside it, if there is something to say. */
export function saying(said: Said | undefined, message: string | undefined): Said | undefined {
  if (message === undefined || message.trim() === '') return said;
  return { ...said, message: message.trim() };
}
