/** What it costs to bring a stream from bytes into the store: split, parse, check, reduce, and a frozen view at the end. */
import { createSseSource } from '@sitrep/client/sse';
import { createStore, type SessionView } from '@sitrep/client/store';
import { Coalescer } from '@sitrep/schema/reduce';
import type { OperationEvent, Snapshot } from '@sitrep/schema/wire';
import { sampleRuns, sink, type Run } from '../harness.ts';
import type { Item } from '../item.ts';
import { naiveMap } from '../peers/reducers.ts';
import { cut, parsed, type Chunks } from '../peers/sse.ts';
import { TIME, timeRows } from '../report.ts';
import { streamEvent } from '../samples.ts';
import { countThreadTime } from '../thread-time.ts';

const IDS = 500;
const CHUNK = 16_384;
const OURS = 'ours: SSE source into store';
const OURS_COALESCED = 'ours: the same, with a coalescer';
const READ = 'ours: SSE source alone, text as it came';
const PARSE = 'JSON.parse alone';

const snapshot: Snapshot = {
  type: 'snapshot',
  session: 'bench',
  epoch: 'e',
  seq: 0,
  at: 1,
  card: null,
  revision: 0,
  operations: [],
  runs: [],
};

/** The frames as a gateway writes them, cut where the network happened to cut them. */
function chunksOf(texts: readonly string[]): Chunks {
  const frames = texts.map((text, i) => `id: e:${i + 1}\nevent: operation\ndata: ${text}\n\n`);
  const first = `id: e:0\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`;
  const last = `event: end\ndata: ${JSON.stringify({ type: 'end', reason: 'done' })}\n\n`;
  const bytes = new TextEncoder().encode(first + frames.join('') + last);
  return Array.from({ length: Math.ceil(bytes.length / CHUNK) }, (_, i) => bytes.subarray(i * CHUNK, (i + 1) * CHUNK));
}

function responseOf(chunks: Chunks): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (next < chunks.length) controller.enqueue(chunks[next++]!);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

async function ours(chunks: Chunks, count: number, coalescing: boolean): Promise<void> {
  const source = createSseSource({ url: 'http://127.0.0.1/v1/sessions/bench/stream', fetch: () => Promise.resolve(responseOf(chunks)) });
  const coalesce = coalescing ? (session: string) => new Coalescer(session) : undefined;
  const store = createStore({ session: 'bench', source, coalesce });
  const view = await new Promise<SessionView>((resolve) => {
    store.subscribe((next) => {
      if (next.connection.state === 'ended') resolve(next);
    });
  });
  const { applied } = store.outcomes;
  store.close();
  if (view.operations.length !== IDS || view.operations.some(({ state }) => state !== 'completed') || applied < count) {
    throw new Error(`${view.operations.length} operations, ${applied} of ${count} events applied`);
  }
  sink.value += view.operations.length;
}

/** What the source itself costs: a sink that takes every event as text. */
async function read(chunks: Chunks, count: number): Promise<void> {
  let seen = 0;
  await createSseSource({ url: 'http://127.0.0.1/stream', fetch: () => Promise.resolve(responseOf(chunks)) }).open(
    {
      text: () => (seen += 1) <= count + 1,
      frame() {},
      connection() {},
      diagnostic(fault) {
        throw new Error(fault.message);
      },
      cursor: () => undefined,
    },
    new AbortController().signal,
  );
  if (seen < count + 1) throw new Error(`${seen} of ${count} events`);
  sink.value += seen;
}

/** Splits with `split`, parses, and keeps the newest of each id without checking anything. */
function naive(split: typeof parsed, chunks: Chunks): void {
  const state = naiveMap();
  split(chunks, (text) => {
    const value = JSON.parse(text) as OperationEvent;
    if (value.type === 'operation') state.apply(value);
  });
  if (state.size !== IDS) throw new Error(`${state.size} of ${IDS} ids`);
  sink.value += state.size;
}

export const item: Item = {
  name: 'stream',
  about: 'from bytes to the store, in Node',
  async run({ quick, progress }) {
    countThreadTime();
    const count = quick ? 10_000 : 100_000;
    const texts = Array.from({ length: count }, (_, i) => JSON.stringify(streamEvent(i, IDS, count)));
    const chunks = chunksOf(texts);
    const runs: Run[] = [
      {
        name: PARSE,
        count,
        run() {
          for (const text of texts) sink.value += (JSON.parse(text) as OperationEvent).seq ?? 0;
        },
      },
      { name: 'bare line cutter, parse, one Map', count, run: () => naive(cut, chunks) },
      { name: 'eventsource-parser, parse, one Map', count, run: () => naive(parsed, chunks) },
      { name: READ, count, run: () => read(chunks, count) },
      { name: OURS, count, run: () => ours(chunks, count, false) },
      { name: OURS_COALESCED, count, run: () => ours(chunks, count, true) },
    ];
    const title = `per event: ${count} frames of ${IDS} ids in 16 KiB chunks`;
    progress(title);
    const samples = await sampleRuns(runs, { rounds: quick ? 3 : 11 });
    const bytes = Math.round(chunks.reduce((sum, chunk) => sum + chunk.length, 0) / count);
    const note = `A frame has ${bytes} bytes. Only ours checks, cleans, orders by attempt and sequence, and can resume.`;
    return { tables: [{ title, note, metrics: [TIME], limit: PARSE, ours: [READ, OURS, OURS_COALESCED], rows: timeRows(samples) }] };
  },
};
