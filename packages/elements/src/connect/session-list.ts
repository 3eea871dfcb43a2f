import type { SessionList } from '../display/session-link.ts';
import type { ShownState } from '../display/shown-state.ts';
import { fetchSnapshot, SnapshotError } from './fetch-snapshot.ts';
import { NO_SESSION } from './store-feed.ts';

/** Time between two looks at a list, milliseconds. */
const LOOK = 5_000;

type Listed = NonNullable<SessionList['sessions']>[number];

/** Looks at a gateway's list of sessions again and again until the returned function is called. A failed look says why and no more. */
export function watchList(address: string, told: (list: SessionList) => void): () => void {
  let loading = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const look = async (): Promise<void> => {
    loading = new AbortController();
    let list: SessionList;
    let final = false;
    try {
      list = read(await fetchSnapshot(address, loading));
    } catch (error) {
      final = error instanceof SnapshotError && error.final;
      list = { sessions: undefined, error: (error as Error).message };
    }
    if (over) return;
    told(list);
    if (!final) timer = setTimeout(look, LOOK);
  };
  void look();
  return () => {
    over = true;
    clearTimeout(timer);
    loading.abort();
  };
}

function read(value: unknown): SessionList {
  const { sessions } = (value ?? {}) as { readonly sessions?: unknown };
  if (!Array.isArray(sessions)) return { sessions: undefined, error: NO_SESSION };
  const listed = sessions.filter((one: unknown): one is Listed => typeof (one as Listed | null)?.session === 'string');
  return { sessions: listed.map(({ session, activity }) => ({ session, activity: String(activity) as ShownState })), error: undefined };
}
