type Kind = 'string' | 'object' | 'function';

/**
 * Throws a TypeError that says what to pass where options lack what nothing can be done without. At once, and to whoever sets
 * things up: later the same fault would be a sentence of the engine, or silence.
 */
export function checkOptions(caller: string, options: unknown, needed: Readonly<Record<string, Kind>>): void {
  const keys = Object.keys(needed);
  const hint = `${caller} needs ${keys.length === 0 ? 'options' : `{ ${keys.join(', ')} }`}`;
  if (typeof options !== 'object' || options === null) throw new TypeError(`${hint}, not ${kindOf(options)}.`);
  for (const [key, kind] of Object.entries(needed)) {
    const given = kindOf((options as Readonly<Record<string, unknown>>)[key]);
    if (given !== kind) throw new TypeError(`${hint}; ${key} was ${given}.`);
  }
}

/** What a value is, for a sentence about it. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
