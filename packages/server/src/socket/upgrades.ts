import { ServerResponse } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

/** The subprotocol of our own sockets: whoever offers it can read close codes. */
export const PROTOCOL = 'sitrep.v1';
/** What a token in the list of subprotocols begins with: a page can send no other header. It is never chosen, so never sent back. */
const TOKEN_PROTOCOL = 'sitrep.bearer.';

/** Addresses that speak WebSocket. */
const SOCKETS = /\/(?:socket|openclaw)\/?(?:\?|$)/;

/** Requests that asked for another protocol, and what came behind their headers. */
const asked = new WeakMap<IncomingMessage, { readonly socket: Duplex; readonly head: Buffer; readonly response: ServerResponse }>();
/** Connections of a server that speak another protocol by now: it counts them no more, and waits for them all the same. */
const open = new WeakMap<Server, Set<Duplex>>();

/**
 * Lets requests that ask for an upgrade pass through the same routes and checks as all others; `accept` then takes the
 * connection over. Whatever is not taken over is answered as HTTP.
 */
export function serveUpgrades(server: Server, listener: RequestListener): void {
  const sockets = new Set<Duplex>();
  open.set(server, sockets);
  server.on('upgrade', (request, socket, head) => {
    if (!wantsSocket(request)) return goOn(server, request, socket, head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    response.on('finish', () => (socket as Socket).destroySoon());
    asked.set(request, { socket, head, response });
    void listener(request, response);
  });
}

/**
 * What asks for a protocol that is not spoken there is read as if it did not ask: some clients offer HTTP/2 with every request,
 * and whoever hears of an upgrade is handed the connection with the body of the request unread.
 */
function goOn(server: Server, { method, url, httpVersion, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer): void {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let n = 0; n < rawHeaders.length; n += 2)
    if (rawHeaders[n]!.toLowerCase() !== 'upgrade') text += `${rawHeaders[n]}: ${rawHeaders[n + 1]}\r\n`;
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** Cuts the connections of a server that speak another protocol. */
export function cutUpgraded(server: Server): void {
  for (const socket of open.get(server) ?? []) socket.destroy();
}

/** True for a request that asks to become a WebSocket. */
export function asksForSocket(request: IncomingMessage | undefined): request is IncomingMessage {
  return request !== undefined && asked.has(request) && wantsSocket(request);
}

/** Elsewhere it is one more header: a connection that was handed over says nothing of its end until somebody reads it. */
function wantsSocket({ method, url = '', headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && SOCKETS.test(url);
}

/** Subprotocols a request offers. */
export function offered(request: IncomingMessage): string[] {
  return (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
}

/** The token among the subprotocols a request offers. */
export function offeredToken(request: IncomingMessage): string | undefined {
  return offered(request)
    .find((name) => name.startsWith(TOKEN_PROTOCOL))
    ?.slice(TOKEN_PROTOCOL.length);
}

/** What readers may send: they have nothing to say. */
const READER_PAYLOAD = 1_024;

/** A server that listens nowhere: it does handshakes. Nothing is compressed, which would cost each reader memory of its own. */
export function socketServer(maxPayload = READER_PAYLOAD): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: (protocols) => (protocols.has(PROTOCOL) ? PROTOCOL : false),
  });
}

/** Takes the connection over. A handshake that is none is answered with 400, and `taken` is not called. */
export function accept(server: WebSocketServer, request: IncomingMessage, taken: (ws: WebSocket, socket: Socket) => void): void {
  const { socket, head, response } = asked.get(request)!;
  asked.delete(request);
  response.detachSocket(socket as Socket);
  server.handleUpgrade(request, socket, head, (ws) => {
    ws.on('error', () => undefined);
    taken(ws, socket as Socket);
  });
}
