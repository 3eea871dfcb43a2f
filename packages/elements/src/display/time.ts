const STEPS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
];

/** Below this a change counts as new. */
const JUST_NOW = 30_000;
/** Latest time a `Date` can hold. */
const LATEST = 8.64e15;

/** True for epoch milliseconds a `Date` can hold. */
const holdable = (time: number | undefined): time is number => time !== undefined && Math.abs(time) <= LATEST;

/** "just now", "2 min ago", "3 h ago"; undefined for a time no clock can hold. A time ahead of the reader's clock is now. */
export function relativeTime(then: number | undefined, now: number): string | undefined {
  if (!holdable(then)) return undefined;
  const past = now - then;
  if (past < JUST_NOW) return 'just now';
  for (const [unit, size] of STEPS) if (past >= size) return `${Math.floor(past / size)} ${unit} ago`;
  return 'less than 1 min ago';
}

/** "8 s", "1 min 5 s", "2 h 3 min": how long something took, at the grain a reader needs. */
export function durationText(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** The value of a `<time datetime>`, or undefined for a time no clock can hold. */
export function isoTime(time: number | undefined): string | undefined {
  return holdable(time) ? new Date(time).toISOString() : undefined;
}
