import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, Handler } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Access } from '../http/access.ts';
import type { GatewayEnv } from '../http/types.ts';
import { accept, asksForSocket, socketServer } from '../socket/upgrades.ts';
import { CardMethods } from './cards.ts';
import { OpenClawConnection } from './connection.ts';

/** The address where clients of OpenClaw's gateway find their cards, over a WebSocket and in its frames. */
export function openClawRoute(core: GatewayCore, access: Access): Handler<GatewayEnv> {
  const server = socketServer(core.options.bodyLimit);
  const connections = new Set<OpenClawConnection>();
  const methods = new CardMethods(core, (session) => {
    for (const connection of connections) if (connection.watches(session)) connection.changed(session, null);
  });
  return async (c: Context<GatewayEnv>) => {
    const request = c.env?.incoming;
    if (!asksForSocket(request)) {
      c.header('upgrade', 'websocket');
      throw new GatewayError('upgrade_required', "This address speaks OpenClaw's protocol over WebSocket: ask for an upgrade.");
    }
    if (!core.ready) throw new GatewayError('closed', 'The gateway takes no new connections, because it is about to stop.');
    const grant = access.carriesToken(c) ? await access.bearer(c) : undefined;
    if (grant === undefined) access.takeFor(c, undefined);
    const leave = access.countStream(c);
    c.set('upgraded', true);
    request.socket.once('close', leave);
    accept(server, request, (ws, socket) => {
      const connection = new OpenClawConnection(ws, socket, {
        core,
        methods,
        grant,
        verify: (token) => access.grantOf(c, token),
        take: (holder) => access.takeFor(c, holder),
        expires: (holder, run) => access.deadlines.add(holder.expiresAt, run),
      });
      connections.add(connection);
      ws.on('close', () => connections.delete(connection));
    });
    return RESPONSE_ALREADY_SENT;
  };
}
