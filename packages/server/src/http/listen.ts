import { BlockList, isIP, Server as NetServer } from 'node:net';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { GatewayErrorCode } from '../gateway/gateway-error.ts';
import { cutUpgraded, serveUpgrades } from '../socket/upgrades.ts';
import { errorBody } from './error-body.ts';
import { allGone, inTurn, isStream } from './hand-over.ts';
import type { GatewayApp } from './types.ts';

/** Where to listen. */
export interface ListenOptions {
  /** Default 4747; 0 takes any free port. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string | undefined;
}

/** The port of a gateway when none is named. */
export const DEFAULT_PORT = 4747;
const DEFAULT_HOST = '127.0.0.1';
/** Milliseconds an unfinished request has left when the server closes. */
const GRACE_MS = 2_000;

/** Connections of a server that are streams. */
const handedOver = new WeakMap<Server, ReadonlySet<Socket>>();

/** Connections beyond the streams: for writers and for snapshots. */
const SPARE_CONNECTIONS = 2_000;

/** Starts Node's HTTP server on the app. Rejects when the address cannot be had, or may not be without keys. */
export function startServer(
  app: GatewayApp,
  options: ListenOptions,
  limits: { readonly clientLimit: number; readonly keys?: readonly unknown[] | undefined; readonly log: (line: string) => void },
): Promise<{ readonly url: string; readonly server: Server }> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST } = options;
  if ((limits.keys ?? []).length === 0 && !isLoopback(host)) {
    const message = `Without keys it listens on loopback only: whoever reaches ${host} could read and write everything. Give it keys, or leave the host out.`;
    return Promise.reject(new Error(message));
  }
  const streams = new Set<Socket>();
  const own = { streams };
  const listener = inTurn(
    getRequestListener((request, env) => app.fetch(request, Object.assign(env, own)), {
      overrideGlobalObjects: false,
      errorHandler: () => Response.json(errorBody('bad_request', 'The request cannot be understood.'), { status: 400 }),
    }),
  );
  const server = createServer(
    // Whoever does not finish its headers or body in this time is let go.
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    listener,
  );
  handedOver.set(server, streams);
  serveUpgrades(server, listener);
  server.maxConnections = limits.clientLimit + SPARE_CONNECTIONS;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isStream(socket)) return socket.destroy();
    const [status, code, message] = CLIENT_ERRORS[error.code ?? ''] ?? NO_HTTP;
    const body = JSON.stringify(errorBody(code, message));
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // Such as no file descriptors left: the connection is lost, the server is not.
      server.on('error', (error) => limits.log(`A connection could not be taken: ${error.message}`));
      const address = server.address() as AddressInfo;
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      resolve({ url: `http://${name}:${address.port}`, server });
    });
  });
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True for an address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = host.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(address);
  return family !== 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Stops accepting, lets what is under way finish, then closes what is left. Never hangs. */
export async function stopServer(server: Server): Promise<void> {
  const streams = handedOver.get(server);
  // The HTTP server would cut what it takes for idle, and with it streams that have not said their last word.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const cut = setTimeout(() => {
    server.closeAllConnections();
    cutUpgraded(server);
  }, GRACE_MS);
  if (streams && streams.size > 0) await allGone(streams);
  server.close();
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

const NO_HTTP = ['400 Bad Request', 'bad_request', 'The request is not HTTP as it should be.'] as const;
const CLIENT_ERRORS: Readonly<Record<string, readonly [string, GatewayErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'headers_too_large', 'The headers are too large: at most 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'request_timeout',
    'The request did not arrive in time: 10 s for headers, 30 s in all.',
  ],
};
