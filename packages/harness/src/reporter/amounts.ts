/** Sums of fractions miss 1 by this much at most. */
const ROUNDING = 1e-9;

/** What is wrong with the amounts of a patch, or undefined. Whoever knows the amounts at first hand must say them right. */
export function amountFault(patch: { readonly [key: string]: unknown }): { readonly path: string; readonly message: string } | undefined {
  for (const key of ['current', 'total', 'fraction'] as const) {
    const value = patch[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') return { path: `/${key}`, message: `${key} must be a number, not ${typeof value}; nothing was sent.` };
    if (!Number.isFinite(value))
      return { path: `/${key}`, message: `${key} must be finite, not ${value}; leave it out when it is unknown.` };
    if (key === 'total' && value <= 0)
      return { path: '/total', message: `total must be greater than 0, not ${value}; leave it out when it is unknown.` };
    if (key === 'fraction' && (value < -ROUNDING || value > 1 + ROUNDING))
      return { path: '/fraction', message: `fraction must be in 0…1, not ${value}; give amounts of another unit as current and total.` };
  }
  return undefined;
}
