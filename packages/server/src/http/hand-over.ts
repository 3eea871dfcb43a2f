import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The newest request of each connection of a server of ours; null once the connection is a stream and nothing else. Node may read a
 * request before the answer to the one before it is over.
 */
const newest = new WeakMap<Socket, IncomingMessage | null>();

/** Resolves once no connection that was handed over is open. */
export async function allGone(streams: ReadonlySet<Socket>): Promise<void> {
  for (const socket of streams) if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}

/** Notes which request a connection is at. Who asks for more on a connection that is a stream is cut off: no answer can be told from it. */
export function inTurn(listener: RequestListener): RequestListener {
  return (request, response) => {
    if (isStream(request.socket)) return void request.socket.destroy();
    newest.set(request.socket, request);
    return listener(request, response);
  };
}

/** True for a connection that was handed over. */
export function isStream(socket: unknown): boolean {
  return newest.get(socket as Socket) === null;
}

/**
 * Ends the answer to a request for Node and goes on with it alone, so that a stream does not keep request and response, which are most
 * of what an open connection weighs. Node writes nothing at the end of an answer that it need not chunk; the last chunk comes with the
 * end of the stream. Who waits for the end of the answer waits for that of the connection from then on. An answer that ends with its
 * connection stays as it is, and so does one behind which another request waits. `streams` holds the connection as long as it is open:
 * Node takes it for one that idles.
 */
export function handOver(request: IncomingMessage, response: ServerResponse, streams: Set<Socket>): void {
  const { socket } = response;
  if (!socket || socket.destroyed || response.closed || !response.chunkedEncoding || !response.shouldKeepAlive) return;
  if (newest.get(socket) !== request) return;
  newest.set(socket, null);
  streams.add(socket);
  socket.on('close', () => streams.delete(socket));
  for (const left of response.listeners('close') as (() => void)[]) {
    response.off('close', left);
    socket.on('close', left);
  }
  // Node would not let a connection without a request live for long.
  response.once('finish', () => socket.setTimeout(0));
  response.chunkedEncoding = false;
  response.end();
}
