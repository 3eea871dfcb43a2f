import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One socket at the server's end: frames as bytes, so that a test can also send what no library would. */
export interface FarSocket {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** A text message. */
  send(text: string): void;
  /** A close frame; the connection stays until the other end goes. */
  close(code: number, reason?: string): void;
  /** Any bytes. */
  raw(bytes: Uint8Array): void;
}

export interface SocketServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: IncomingMessage[];
  readonly sockets: ReadonlySet<Socket>;
  /** Resolves once no connection is open. */
  idle(): Promise<void>;
  requested(count: number): Promise<void>;
}

/** A frame of the server: never masked. */
export function socketFrame(opcode: number, payload: Uint8Array, fin = true): Buffer {
  const size = payload.length;
  const head = size < 126 ? Buffer.from([0, size]) : size < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = (fin ? 0x80 : 0) | opcode;
  if (size >= 65_536) {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(size), 2);
  } else if (size >= 126) {
    head[1] = 126;
    head.writeUInt16BE(size, 2);
  }
  return Buffer.concat([head, payload]);
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * A real WebSocket server on the loopback whose sockets are scripted: `opened` gets the number of the handshake, from 0. With
 * `refuse` handshakes are answered with that status, or, for 0, never.
 */
export async function serveSockets(
  opened: (far: FarSocket, number: number) => void,
  refuse: (number: number, request: IncomingMessage) => number | undefined = () => undefined,
): Promise<SocketServer> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const look = (): void => waiting.forEach((check) => check());
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket);
        look();
      });
  });
  server.on('upgrade', (request, socket) => {
    requests.push(request);
    socket.on('end', () => socket.end()).resume();
    const number = requests.length - 1;
    const status = refuse(number, request);
    look();
    if (status === 0) return;
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${GUID}`).digest('base64');
    const offered = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim();
    const protocol = offered === undefined ? '' : `Sec-WebSocket-Protocol: ${offered}\r\n`;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${protocol}\r\n`,
    );
    // What the other end says is of no interest, but that it goes.
    socket.on('data', (bytes: Buffer) => (bytes[0]! & 0x0f) === 8 && socket.end());
    opened(
      {
        request,
        socket,
        raw: (bytes) => void socket.write(bytes),
        send: (text) => void socket.write(socketFrame(1, Buffer.from(text))),
        close(code, reason = '') {
          const payload = Buffer.from(`\0\0${reason}`);
          payload.writeUInt16BE(code);
          socket.write(socketFrame(8, payload));
        },
      },
      number,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    sockets,
    idle: () => until(() => sockets.size === 0),
    requested: (count) => until(() => requests.length >= count),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
