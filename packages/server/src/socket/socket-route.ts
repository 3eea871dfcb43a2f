import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Grant } from '../auth/grant.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { GatewayCore } from '../gateway/gateway.ts';
import { PacedReader } from '../gateway/read/paced-reader.ts';
import { countUp } from '../gateway/stats.ts';
import type { Access } from '../http/access.ts';
import { letIn, pacing } from '../http/let-in.ts';
import { cursorOf } from '../http/stream-route.ts';
import type { GatewayEnv } from '../http/types.ts';
import { refusalOf } from './close-codes.ts';
import { SOCKET_MESSAGES } from './messages.ts';
import { SocketConnection } from './socket-connection.ts';
import { accept, asksForSocket, offered, PROTOCOL, socketServer } from './upgrades.ts';

type C = Context<GatewayEnv>;

const server = socketServer();

/**
 * Serves a session as messages of a WebSocket: the same events, rights, limits and positions as the stream. A page cannot see
 * the status of a handshake that was refused; where it offers our subprotocol it is let in and told in the close code.
 */
export async function socketRoute(c: C, core: GatewayCore, access: Access, session: string): Promise<Response> {
  const request = c.env?.incoming;
  if (!asksForSocket(request)) {
    c.header('upgrade', 'websocket');
    throw new GatewayError('upgrade_required', 'This address speaks WebSocket: ask for an upgrade, or read /stream.');
  }
  try {
    const grant = await access.permitStream(c, session);
    c.set('upgraded', true);
    join(c, core, access, session, grant, request);
  } catch (error) {
    if (!offered(request).includes(PROTOCOL) || (error as Error).name !== 'GatewayError') throw error;
    c.set('upgraded', true);
    refuse(core, request, error as GatewayError);
  }
  return RESPONSE_ALREADY_SENT;
}

function join(c: C, core: GatewayCore, access: Access, session: string, grant: Grant | undefined, request: IncomingMessage): void {
  const cursor = cursorOf(c);
  accept(server, request, (ws, socket) => {
    const options = pacing(core, session, grant);
    const reader = new PacedReader(new SocketConnection(ws, socket, options), SOCKET_MESSAGES, options);
    const arrival = {
      session,
      cursor,
      grant,
      reader,
      onClose: (left: () => void) => void ws.on('close', left),
      isClosed: () => ws.readyState !== ws.OPEN,
    };
    letIn(c, core, access, arrival).catch((error: GatewayError) => {
      if (error.name !== 'GatewayError') core.options.log(`A socket could not begin: ${error.message}`);
      else countUp(core.stats.refusals, error.code);
      ws.close(...(error.name === 'GatewayError' ? refusalOf(error) : ([4_500, 'internal'] as const)));
    });
  });
}

/** Lets it in only to say why it is not. */
function refuse(core: GatewayCore, request: IncomingMessage, error: GatewayError): void {
  countUp(core.stats.refusals, error.code);
  accept(server, request, (ws) => {
    ws.close(...refusalOf(error));
    setTimeout(() => ws.terminate(), 1_000).unref();
  });
}
