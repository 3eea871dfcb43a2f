import { LIMITS } from '@sitrep/schema';
import { cleanLine, startOf, truncate } from '@sitrep/schema/check';

type Loose = Record<string, unknown>;

type Limits = readonly (readonly [key: string, max: number])[];

// As entries: they are gone through at every report.
const TOP: Limits = Object.entries({
  title: LIMITS.title,
  activeTitle: LIMITS.title,
  message: LIMITS.message,
  unit: LIMITS.word,
  kind: LIMITS.word,
  reason: LIMITS.word,
});
const INNER: readonly (readonly [key: string, limits: Limits])[] = Object.entries({
  error: Object.entries({ message: LIMITS.message, code: LIMITS.word }),
  waitingOn: Object.entries({ text: LIMITS.message }),
  blockedOn: Object.entries({ prompt: LIMITS.message }),
  tool: Object.entries({ name: LIMITS.word, origin: LIMITS.word, server: LIMITS.word }),
});

function shorten(source: Loose, limits: Limits): Loose {
  let result = source;
  for (const [key, max] of limits) {
    const value = source[key];
    // Code units are never fewer than code points, so a text this short fits.
    if (typeof value !== 'string' || value.length <= max) continue;
    if (result === source) result = { ...source };
    // Cleaned first: a cut inside an escape sequence would leave its rest as text.
    result[key] = truncate(cleanLine(startOf(value)), max);
  }
  return result;
}

/** Texts in a tool's own reports are shortened rather than refused: a long file name must not cost the update. */
export function shortenTexts(event: Loose): Loose {
  let result = shorten(event, TOP);
  for (const [key, limits] of INNER) {
    const inner = event[key];
    if (typeof inner !== 'object' || inner === null) continue;
    const shortened = shorten(inner as Loose, limits);
    if (shortened === inner) continue;
    if (result === event) result = { ...event };
    result[key] = shortened;
  }
  return result;
}
