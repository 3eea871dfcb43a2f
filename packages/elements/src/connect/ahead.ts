import { fetchSnapshot } from './fetch-snapshot.ts';

/** Milliseconds for which a snapshot that was fetched ahead is as good as a new one: the stream goes on from where it stands. */
const FRESH = 5000;
/** Most snapshots that wait to be used. */
const MOST = 8;

const ahead = new Map<string, Promise<unknown>>();

/** Fetches the snapshot of a session that will probably be opened in a moment; nothing is opened by it. */
export function fetchAhead(address: string): void {
  if (ahead.has(address) || ahead.size >= MOST) return;
  const value = fetchSnapshot(address, new AbortController());
  // Whoever opens the session is told.
  value.catch(() => undefined);
  ahead.set(address, value);
  setTimeout(() => {
    if (ahead.get(address) === value) ahead.delete(address);
  }, FRESH);
}

/** The snapshot that was fetched ahead, for the one who opens the session. */
export function takeAhead(address: string): Promise<unknown> | undefined {
  const value = ahead.get(address);
  ahead.delete(address);
  return value;
}
