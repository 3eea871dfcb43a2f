import type { SessionList } from '../display/session-link.ts';
import { fetchSnapshot, SnapshotError } from './fetch-snapshot.ts';
import { stir, wait } from './looks.ts';
import { NO_SESSION } from './store-feed.ts';

/** Looks at a gateway's list of sessions again and again until the returned function is called. A failed look says why and no more. */
export function watchList(address: string, told: (list: SessionList) => void): () => void {
  const over = new AbortController();
  void follow(address, told, over.signal);
  return () => over.abort();
}

async function follow(address: string, told: (list: SessionList) => void, over: AbortSignal): Promise<void> {
  for (let failures = 0; !over.aborted;) {
    const loading = new AbortController();
    const end = (): void => loading.abort();
    over.addEventListener('abort', end, { once: true });
    let list: SessionList;
    let asked = 0;
    try {
      list = read(await fetchSnapshot(address, loading));
      if (failures > 0) stir(address);
      failures = 0;
    } catch (error) {
      const fault = error instanceof SnapshotError ? error : undefined;
      asked = fault?.asked ?? 0;
      failures = fault?.final ? Infinity : failures + 1;
      list = { sessions: undefined, error: (error as Error).message };
    }
    over.removeEventListener('abort', end);
    if (over.aborted) return;
    told(list);
    if (failures === Infinity) return;
    await wait({ failures, asked }, over, address);
  }
}

function read(value: unknown): SessionList {
  const { sessions } = (value ?? {}) as { readonly sessions?: unknown };
  if (!Array.isArray(sessions)) return { sessions: undefined, error: NO_SESSION };
  const listed = sessions.flatMap((one: { readonly session?: unknown; readonly activity?: unknown } | null) => {
    const { session, activity } = one ?? {};
    return typeof session === 'string' ? [{ session, activity: typeof activity === 'string' ? activity : undefined }] : [];
  });
  return { sessions: listed, error: undefined };
}
