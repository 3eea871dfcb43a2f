/** Latest time a `Date` can hold. */
const LATEST = 8.64e15;

/** "just now", "2 min ago", "3 h ago"; undefined for a time no clock can hold. A time ahead of the reader's clock is now. */
export function relativeTime(then: number | undefined, now: number): string | undefined {
  if (then === undefined || !(Math.abs(then) <= LATEST)) return undefined;
  const minutes = Math.floor((now - then) / 60_000);
  if (now - then < 30_000) return 'just now';
  if (minutes < 1) return 'less than 1 min ago';
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} d ago`;
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
