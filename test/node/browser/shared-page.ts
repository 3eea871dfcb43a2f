/** The page of the test of many tabs: reads one session by the shared source and keeps a log of what came. */
import { createSharedSource, createSseSource, createStore } from '@sitrep/client';
import type { Source } from '@sitrep/client';

/** What the test reads from a page. */
export interface SharedPage {
  /** Position and number of each event, in order of arrival. */
  readonly events: [seq: number, current: number, at: number][];
  /** Positions of the snapshots. */
  readonly snapshots: number[];
  readonly diagnostics: string[];
  /** When this page heard of each leader for the first time, epoch milliseconds. */
  readonly leaders: [name: string, at: number][];
  /** True while this page has the connection. */
  leading: boolean;
  /** How often it opened the connection. */
  opened: number;
  /** Where this page is, and what it shows. */
  state(): { seq: number; shown: string; connection: string; duplicates: number };
}

declare global {
  interface Window {
    shared: SharedPage;
  }
}

const events: SharedPage['events'] = [];
const snapshots: number[] = [];
const diagnostics: string[] = [];
const leaders: SharedPage['leaders'] = [];
const seqOf = (cursor: string | undefined) => Number(cursor?.split(':')[1]);

const stream = createSseSource({ url: '/v1/sessions/s/stream' });
const connection: Source = {
  async open(sink, signal) {
    hear('me');
    window.shared.leading = true;
    window.shared.opened += 1;
    await stream.open(sink, signal);
    window.shared.leading = false;
  },
};
const query = new URLSearchParams(location.search);
const worker = query.has('worker') ? () => new SharedWorker('/shared-worker.js', { name: 'sitrep' }) : undefined;
/** `?own`: a page that shares with nobody. */
const source = query.has('own')
  ? connection
  : createSharedSource({ name: 's', source: connection, worker, interval: Number(query.get('interval') ?? 2_000) });
const store = createStore({
  session: 's',
  onDiagnostic: ({ code }) => diagnostics.push(code),
  source: {
    open: (sink, signal) =>
      source.open(
        {
          connection: sink.connection,
          diagnostic: sink.diagnostic,
          cursor: sink.cursor,
          frame(value, cursor) {
            const { type, current } = value as { type: string; current: number };
            if (type === 'snapshot') snapshots.push(seqOf(cursor));
            else if (cursor !== undefined) events.push([seqOf(cursor), current, Date.now()]);
            sink.frame(value, cursor);
          },
        },
        signal,
      ),
  },
});

function hear(name: string): void {
  if (leaders.at(-1)?.[0] !== name) leaders.push([name, Date.now()]);
}
new BroadcastChannel('sitrep:s').addEventListener('message', ({ data }: MessageEvent<{ sitrep: string; from: string }>) => {
  if (data.sitrep === 'lead') hear(data.from);
});

window.shared = {
  events,
  snapshots,
  diagnostics,
  leaders,
  leading: false,
  opened: 0,
  state: () => {
    const { seq, operations, connection: now } = store.getSnapshot();
    return { seq, shown: JSON.stringify(operations), connection: now.state, duplicates: store.outcomes.duplicate };
  },
};
store.subscribe(() => undefined);
