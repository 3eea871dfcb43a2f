/** The page of the event-source item: one stream over loopback, read in every way a page has. */
import { createSseSource } from '@sitrep/client/sse';
import { createStore } from '@sitrep/client/store';
import { Coalescer } from '@sitrep/schema/reduce';

const url = '/stream';

/** Names of the events that count, and of the last one. */
const EVENT = 'operation';
const LAST = 'end';

/** The platform's own, with a listener that does nothing, or that parses and keeps the newest of each. */
function native(each: (data: string) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = new EventSource(url);
    let count = 0;
    stream.addEventListener(EVENT, ({ data }: MessageEvent<string>) => {
      count += 1;
      each(data);
    });
    stream.addEventListener(LAST, () => {
      stream.close();
      resolve(count);
    });
    stream.addEventListener('error', () => reject(new Error('the stream broke')));
  });
}

async function bytes(): Promise<number> {
  const reader = (await fetch(url)).body!.getReader();
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return length;
    length += value.length;
  }
}

/** Our source, into a sink that does nothing. `text` spares the parsing of what the sink takes as text. */
async function source(text: boolean): Promise<number> {
  let count = 0;
  const { open } = createSseSource({ url });
  const sink = {
    frame: (value: unknown) => void (count += (value as { type?: unknown }).type === EVENT ? 1 : 0),
    connection() {},
    diagnostic() {},
    cursor: () => undefined,
  };
  await open(
    text ? { ...sink, text: (json: string) => json.startsWith('{"type":"operation"') && (count += 1) > 0 } : sink,
    new AbortController().signal,
  );
  return count;
}

/** Our source into our store, which checks, orders and reduces; with `coalesce` as pages use it. */
function stored(coalesce: boolean): Promise<number> {
  return new Promise((resolve) => {
    const store = createStore({
      session: 'bench',
      source: createSseSource({ url }),
      coalesce: coalesce ? (session) => new Coalescer(session) : undefined,
    });
    store.subscribe(({ connection }) => {
      if (connection.state !== 'ended') return;
      store.close();
      resolve(store.outcomes.applied - 1);
    });
  });
}

const ways: Readonly<Record<string, () => Promise<number>>> = {
  bytes,
  native: () => native(() => undefined),
  'native-kept': () => {
    const newest = new Map<unknown, unknown>();
    return native((data) => {
      const value = JSON.parse(data) as { id: unknown };
      newest.set(value.id, value);
    });
  },
  source: () => source(true),
  parsed: () => source(false),
  stored: () => stored(false),
  coalesced: () => stored(true),
};

window.readStream = async (way) => {
  const began = performance.now();
  const count = await ways[way]!();
  return { ms: performance.now() - began, count };
};
