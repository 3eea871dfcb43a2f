/** The page of the tests of a page's life: reads one session by the source its address names, and notes when what was shown. */
import { createEventSourceSource, createSharedSource, createSseSource, createStore, createWebSocketSource } from '@sitrep/client';
import type { Source } from '@sitrep/client';

/** What the test reads from the page. */
export interface LifePage {
  /** The position shown, how fresh it counts as, and since when, by this page's clock. */
  state(): { readonly seq: number; readonly connection: string; readonly since: number };
  /** Waits until a position is shown as what is; answers how long after `from` that was, milliseconds by `performance.now`. */
  shows(seq: number, from?: number): Promise<number>;
  /** Positions in order of arrival, snapshots among them. */
  readonly seen: number[];
  /** True each time the page came out of the back button's cache. */
  readonly shown: boolean[];
  /** When it was last shown or thawed, by `performance.now`. */
  backAt: number;
  /** Set once: a page that was loaded anew has another one. */
  readonly birth: number;
}

declare global {
  interface Window {
    life: LifePage;
  }
}

const query = new URLSearchParams(location.search);
const via = query.get('via') ?? 'sse';
/** `?at`: the origin of another gateway than the page's own. */
const session = `${query.get('at') ?? ''}/v1/sessions/s`;
const stream = `${session}/stream`;
const single: Readonly<Record<string, () => Source>> = {
  sse: () => createSseSource({ url: stream }),
  websocket: () => createWebSocketSource({ url: `${session}/socket` }),
  'event-source': () => createEventSourceSource({ url: stream }),
  shared: () => createSharedSource({ name: 'life', source: createSseSource({ url: stream }) }),
};
const source = single[via]!();
const seen: number[] = [];
const store = createStore({
  session: 's',
  ...(query.has('quiet') && { quietAfter: Number(query.get('quiet')) }),
  source: {
    open: (sink, signal) =>
      source.open(
        {
          connection: sink.connection,
          diagnostic: sink.diagnostic,
          cursor: sink.cursor,
          frame(value, cursor) {
            if (cursor !== undefined) seen.push(Number(cursor.split(':')[1]));
            sink.frame(value, cursor);
          },
        },
        signal,
      ),
  },
});
const fresh = new Set(['live', 'resumed', 'quiet']);

window.life = {
  seen,
  shown: [],
  backAt: 0,
  birth: Math.random(),
  state() {
    const { seq, connection } = store.getSnapshot();
    return { seq, connection: connection.state, since: connection.since };
  },
  shows: (seq, from = window.life.backAt) =>
    new Promise((resolve) => {
      const look = (): void => {
        const now = store.getSnapshot();
        if (now.seq !== seq || !fresh.has(now.connection.state)) return;
        leave();
        resolve(performance.now() - from);
      };
      const leave = store.subscribe(() => queueMicrotask(look));
    }),
};
addEventListener('pageshow', ({ persisted }) => {
  window.life.backAt = performance.now();
  window.life.shown.push(persisted);
});
document.addEventListener('resume', () => (window.life.backAt = performance.now()));
/** `?note`: the page tells by itself what it shows once it is back, since a test cannot ask a page that is put aside. */
store.subscribe(({ seq, connection }) => {
  const { shown, backAt, birth } = window.life;
  if (!query.has('note') || shown.length === 0 || !fresh.has(connection.state)) return;
  const note = { seq, persisted: shown.at(-1), ms: performance.now() - backAt, birth, seen };
  void fetch('/note', { method: 'POST', body: JSON.stringify(note), keepalive: true }).catch(() => undefined);
});
