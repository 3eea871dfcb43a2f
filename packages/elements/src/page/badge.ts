/** What a browser may offer for an installed application. */
type Badging = { setAppBadge?: (count?: number) => Promise<void>; clearAppBadge?: () => Promise<void> };

const counts = new Map<object, number>();
let shown = 0;

/** Counts on the icon of the installed application what needs a person, over all sessions that are watched by this page. */
export function showBadge(who: object, count: number): void {
  if (count > 0) counts.set(who, count);
  else counts.delete(who);
  let all = 0;
  for (const one of counts.values()) all += one;
  if (all === shown) return;
  shown = all;
  const { setAppBadge, clearAppBadge } = navigator as Badging;
  // A page that is not installed may be refused, and misses nothing by it.
  const done = all > 0 ? setAppBadge?.call(navigator, all) : clearAppBadge?.call(navigator);
  done?.catch(() => undefined);
}
