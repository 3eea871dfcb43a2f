import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createEventSourceSource,
  createEventTargetSource,
  createMemorySource,
  createMessagePortSource,
  createPollingSource,
  createRelay,
  createReplaySource,
  createSharedSource,
  createSseSource,
  createWebSocketSource,
  servePort,
} from '@sitrep/client';
import type { MemorySource, PortLike, Source } from '@sitrep/client';
import { eventSource } from '../support/event-source.ts';
import { origin } from '../support/pages.ts';
import { serveSockets } from '../support/socket-server.ts';
import type { FarSocket } from '../support/socket-server.ts';

/** One source on a bench: it can be sent frames from the other side, and ended. */
export interface Bench extends AsyncDisposable {
  readonly source: Source;
  /** One frame from the other side. Resolves once the source can be expected to get the next one by itself. */
  send(frame: unknown): Promise<void>;
  /** Something that is no frame; undefined where there can be nothing but values. */
  readonly garble: (() => Promise<void>) | undefined;
  /** Nothing more will come. */
  end(): Promise<void>;
  /** Openings, sockets or readers that are held at the other side now. */
  held(): number;
}

const nothing = async (): Promise<void> => undefined;
const frameText = (frame: unknown): string => `data: ${JSON.stringify(frame)}\n\n`;

async function listening(
  answer: (response: ServerResponse) => void,
): Promise<{ url: string; held: () => number; stop: () => Promise<void> }> {
  let sockets = 0;
  const server = createServer((_, response) => answer(response));
  server.on('connection', (socket) => {
    sockets += 1;
    socket.on('error', () => undefined).on('close', () => (sockets -= 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, held: () => sockets, stop };
}

/** A real server; what is sent while nobody listens waits for the next one who does. */
async function streamed(make: (url: string) => Source): Promise<Bench> {
  const streams = new Set<ServerResponse>();
  let waiting = '';
  const write = (text: string): void => {
    if (streams.size === 0) waiting += text;
    for (const stream of streams) stream.write(text);
  };
  const server = await listening((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`: here\n\n${waiting}`);
    waiting = '';
    streams.add(response);
    response.on('close', () => streams.delete(response));
  });
  return {
    source: make(server.url),
    send: async (frame) => write(frameText(frame)),
    garble: async () => write('data: {"a":\n\n'),
    end: async () => write('event: end\ndata: {"type":"end","reason":"done"}\n\n'),
    held: server.held,
    [Symbol.asyncDispose]: server.stop,
  };
}

const sse = (): Promise<Bench> => streamed((url) => createSseSource({ url, heartbeatInterval: Infinity }));

const nativeSse = (): Promise<Bench> =>
  streamed((url) => createEventSourceSource({ url, heartbeatInterval: Infinity, connect: eventSource }));

/** The same over sockets. */
async function websocket(): Promise<Bench> {
  const open = new Set<FarSocket>();
  let waiting: string[] = [];
  const send = async (text: string): Promise<void> => {
    if (open.size === 0) waiting.push(text);
    for (const far of open) far.send(text);
  };
  const server = await serveSockets((far) => {
    open.add(far);
    far.socket.on('close', () => open.delete(far));
    for (const text of waiting) far.send(text);
    waiting = [];
  });
  return {
    // Of another protocol than ours, which would say at once where it goes on.
    source: createWebSocketSource({ url: server.url, heartbeatInterval: Infinity, protocols: ['bench'] }),
    send: (frame) => send(JSON.stringify(frame)),
    garble: () => send('{"a":'),
    end: () => send('{"event":{"type":"end","reason":"done"}}'),
    held: () => server.sockets.size,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A real server that answers with all that was sent since it was last asked. */
async function polling(): Promise<Bench> {
  let waiting: unknown[] = [];
  let garbled = false;
  let over = false;
  const server = await listening((response) => {
    response.setHeader('connection', 'close');
    if (over && waiting.length === 0 && !garbled) return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (garbled) {
      garbled = false;
      return void response.end('{"a":');
    }
    response.end(JSON.stringify(waiting));
    waiting = [];
  });
  return {
    source: createPollingSource({ url: server.url, interval: 250, random: () => 0 }),
    send: async (frame) => void waiting.push(frame),
    garble: async () => void (garbled = true),
    end: async () => void (over = true),
    held: server.held,
    [Symbol.asyncDispose]: server.stop,
  };
}

async function eventTarget(): Promise<Bench> {
  let listeners = 0;
  const target = new (class extends EventTarget {
    override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
      listeners += 1;
      super.addEventListener(...args);
    }
    override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
      listeners -= 1;
      super.removeEventListener(...args);
    }
  })();
  const dispatch = async (type: string, detail?: unknown): Promise<void> => void target.dispatchEvent(new CustomEvent(type, { detail }));
  return {
    source: createEventTargetSource({ target, type: 'frame', endType: 'over' }),
    send: (frame) => dispatch('frame', frame),
    garble: () => dispatch('frame', '{"a":'),
    end: () => dispatch('over'),
    held: () => listeners,
    [Symbol.asyncDispose]: nothing,
  };
}

function ported(near: PortLike & { close(): void }, far: PortLike & { close(): void }): Bench {
  const inner = createMemorySource();
  const server = servePort(far, inner);
  return {
    source: createMessagePortSource({ port: near }),
    send: async (frame) => inner.push(frame),
    garble: undefined,
    end: async () => inner.end(),
    held: () => server.readers,
    async [Symbol.asyncDispose]() {
      server.close();
      near.close();
      far.close();
    },
  };
}

async function messagePort(): Promise<Bench> {
  const { port1, port2 } = new MessageChannel();
  return ported(port1 as unknown as PortLike & { close(): void }, port2 as unknown as PortLike & { close(): void });
}

let channels = 0;
async function broadcastChannel(): Promise<Bench> {
  const name = `conformance-${process.pid}-${(channels += 1)}`;
  return ported(new BroadcastChannel(name) as never, new BroadcastChannel(name) as never);
}

async function memory(): Promise<Bench> {
  const source = createMemorySource();
  return {
    source,
    send: async (frame) => source.push(frame),
    garble: undefined,
    end: async () => source.end(),
    held: () => 0,
    [Symbol.asyncDispose]: nothing,
  };
}

/** A memory source that counts who has it open. */
function counted(): { inner: MemorySource; source: Source; held: () => number } {
  const inner = createMemorySource();
  let open = 0;
  const source: Source = {
    async open(sink, signal) {
      open += 1;
      await inner.open(sink, signal);
      open -= 1;
    },
  };
  return { inner, source, held: () => open };
}

async function relay(): Promise<Bench> {
  const { inner, source, held } = counted();
  return {
    source: createRelay({ source, linger: 0 }),
    send: async (frame) => inner.push(frame),
    garble: undefined,
    end: async () => inner.end(),
    held,
    [Symbol.asyncDispose]: nothing,
  };
}

/** Two pages: the one that follows is looked at. */
async function shared(): Promise<Bench> {
  const { inner, source, held } = counted();
  const all = origin();
  const leaving = new AbortController();
  const page = (): Source => {
    const { locks, channel } = all.page();
    return createSharedSource({ name: 'conformance', source, locks, channel });
  };
  const leader = page().open({ frame() {}, connection() {}, diagnostic() {}, cursor: () => undefined }, leaving.signal);
  return {
    source: page(),
    send: async (frame) => inner.push(frame),
    garble: undefined,
    end: async () => inner.end(),
    // The connection is the leader's: it stays when the follower leaves.
    held: () => held() - 1,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await leader;
    },
  };
}

async function replay(): Promise<Bench> {
  const { readable, writable } = new TransformStream<string, string>(undefined, { highWaterMark: 1_000 }, { highWaterMark: 1_000 });
  const writer = writable.getWriter();
  const write = async (text: string): Promise<void> => void writer.write(text).catch(() => undefined);
  return {
    source: createReplaySource({ ndjson: readable, speed: Infinity }),
    send: (frame) => write(`${JSON.stringify(frame)}\n`),
    garble: () => write('{"a":\n'),
    end: async () => void writer.close().catch(() => undefined),
    held: () => 0,
    [Symbol.asyncDispose]: nothing,
  };
}

/** Every source there is. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  sse,
  'event-source': nativeSse,
  websocket,
  polling,
  'event-target': eventTarget,
  'message-port': messagePort,
  'broadcast-channel': broadcastChannel,
  memory,
  relay,
  shared,
  replay,
};
