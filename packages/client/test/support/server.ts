import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Requests so far, in order. */
  readonly requests: IncomingMessage[];
  /** Sockets open now. */
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves once no socket is open. */
  idle(): Promise<void>;
  /** Resolves once that many requests have come. */
  requested(count: number): Promise<void>;
}

/** A real server on the loopback whose answers are scripted: `answer` gets the number of the request, from 0. */
export async function serve(answer: (response: ServerResponse, request: IncomingMessage, number: number) => void): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => check());
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const server = createServer((request, response) => {
    requests.push(request);
    answer(response, request, requests.length - 1);
    look();
  });
  server.on('connection', (socket) => {
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      look();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    sockets,
    idle: () => until(() => sockets.size === 0),
    requested: (count) => until(() => requests.length >= count),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Begins an event stream. */
export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return response;
}
