/** Servers that send one event to many readers, each in the way its users are told to. */
import { createRequire } from 'node:module';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener, Server as HttpServer, ServerResponse } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { createChannel, createSession } from 'better-sse';
import { GraphQLFloat, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/http';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { SSEStreamingApi } from 'hono/streaming';
import { mark } from '../load/marks.ts';

/** The little that is used of `ws`, which brings no types. */
interface SocketServers {
  readonly WebSocketServer: new (options: { readonly server: HttpServer; readonly perMessageDeflate: boolean }) => {
    readonly clients: ReadonlySet<{ send(text: string): void }>;
  };
}
const { WebSocketServer } = createRequire(import.meta.url)('ws') as SocketServers;

/** One that listens, on a free port. */
export interface FanOut {
  readonly port: number;
  /** Sends event `n` to every reader. */
  readonly publish: (n: number) => unknown;
}

/** The event of all of them, about 200 bytes as a frame. */
export function fanEvent(n: number, operations = 1): Record<string, unknown> {
  const { n: number, sent } = mark(n);
  return {
    type: 'operation',
    id: `op-${n % operations}`,
    state: 'running',
    title: 'Compile the workspace',
    current: n,
    ext: { n: number, sent },
  };
}

/** As one frame of server-sent events. */
const frame = (n: number, operations?: number): string =>
  `id: epoch12345:${n}\nevent: operation\ndata: ${JSON.stringify(fanEvent(n, operations))}\n\n`;

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => resolve((server.address() as AddressInfo).port));
  });
}

/** A chunk of HTTP, made once. */
function chunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

async function http(listener: RequestListener): Promise<number> {
  const server: HttpServer = createHttpServer(listener);
  return listening(server);
}

async function rawSockets(operations: number): Promise<FanOut> {
  const open = new Set<Socket>();
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n`;
  const server = createNetServer({ noDelay: true }, (socket) => {
    socket.once('data', () => {
      socket.write(head);
      open.add(socket);
      socket.resume();
    });
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
  });
  const port = await listening(server);
  return {
    port,
    publish: (n) => {
      const bytes = chunk(frame(n, operations));
      for (const socket of open) socket.write(bytes);
    },
  };
}

async function responses(): Promise<FanOut> {
  const open = new Set<ServerResponse>();
  const port = await http((_, response) => {
    response.writeHead(200, HEADERS);
    response.flushHeaders();
    open.add(response);
    response.on('close', () => open.delete(response));
  });
  return {
    port,
    publish: (n) => {
      const text = frame(n);
      for (const response of open) response.write(text);
    },
  };
}

async function betterSse(): Promise<FanOut> {
  const channel = createChannel();
  const port = await http((request, response) => {
    createSession(request, response, { keepAlive: null }).then((session) => channel.register(session), console.error);
  });
  return { port, publish: (n) => channel.broadcast(fanEvent(n), 'operation', { eventId: `epoch12345:${n}` }) };
}

async function honoStream(): Promise<FanOut> {
  const open = new Set<SSEStreamingApi>();
  const app = new Hono();
  app.get('*', (c) =>
    streamSSE(c, async (stream) => {
      open.add(stream);
      await new Promise<void>((resolve) => stream.onAbort(resolve));
      open.delete(stream);
    }),
  );
  const port = await http(getRequestListener(app.fetch));
  return {
    port,
    publish: (n) => {
      const data = JSON.stringify(fanEvent(n));
      for (const stream of open) void stream.writeSSE({ id: `epoch12345:${n}`, event: 'operation', data });
    },
  };
}

async function graphqlSse(): Promise<FanOut> {
  const takers = new Set<(value: unknown) => void>();
  async function* subscribe(): AsyncGenerator<unknown> {
    const queue: unknown[] = [];
    let wake: (() => void) | undefined;
    const taker = (value: unknown): void => {
      queue.push(value);
      wake?.();
    };
    takers.add(taker);
    try {
      for (;;) {
        while (queue.length > 0) yield queue.shift();
        await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      takers.delete(taker);
    }
  }
  const float = { type: GraphQLFloat };
  const text = { type: GraphQLString };
  const ext = new GraphQLObjectType({ name: 'Ext', fields: { n: float, sent: float } });
  const fields = { type: text, id: text, state: text, title: text, current: float, ext: { type: ext } };
  const operation = new GraphQLObjectType({ name: 'Operation', fields });
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { none: text } }),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: { operation: { type: operation, subscribe, resolve: (value: unknown) => value } },
    }),
  });
  const port = await http(createHandler({ schema }));
  return {
    port,
    publish: (n) => {
      const event = fanEvent(n);
      for (const take of takers) take(event);
    },
  };
}

async function sockets(): Promise<FanOut> {
  const server = createHttpServer();
  const wss = new WebSocketServer({ server, perMessageDeflate: false });
  const port = await listening(server);
  return {
    port,
    publish: (n) => {
      const text = JSON.stringify(fanEvent(n));
      for (const socket of wss.clients) socket.send(text);
    },
  };
}

async function gateway(operations: number, flushMs: number): Promise<FanOut> {
  // Bare readers answer no ping.
  const limits = { slowClientMs: 3_600_000, clientLimit: 20_000, sessionClientLimit: 20_000, addressClientLimit: 20_000, rateLimit: 1e6 };
  const ours = createGateway({ store: createMemoryStore(), flushMs, ...limits });
  const { url } = await ours.listen({ port: 0 });
  return { port: Number(new URL(url).port), publish: (n) => ours.publish('bench', [fanEvent(n, operations)]) };
}

/** How a reader of one of them asks. */
export type Asks = 'sse' | 'graphql' | 'ours' | 'ours-ws' | 'ws';

/** All of them by name. */
export const FAN_OUTS: Readonly<Record<string, { readonly asks: Asks; readonly start: () => Promise<FanOut> }>> = {
  'raw sockets, one shared chunk': { asks: 'sse', start: () => rawSockets(1) },
  ours: { asks: 'ours', start: () => gateway(1, 0) },
  'ours: WebSocket': { asks: 'ours-ws', start: () => gateway(1, 0) },
  'node:http, response.write': { asks: 'sse', start: responses },
  ws: { asks: 'ws', start: sockets },
  'better-sse': { asks: 'sse', start: betterSse },
  'hono streamSSE': { asks: 'sse', start: honoStream },
  'graphql-sse': { asks: 'graphql', start: graphqlSse },
  'raw sockets, 10 operations': { asks: 'sse', start: () => rawSockets(10) },
  'ours, 10 operations': { asks: 'ours', start: () => gateway(10, 0) },
  'ours, 10 operations, gathered for 100 ms': { asks: 'ours', start: () => gateway(10, 100) },
};
