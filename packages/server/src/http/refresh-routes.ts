import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { RefreshRequest } from '../gateway/refresh/refresh-board.ts';
import type { Access } from './access.ts';
import { RETRY, STREAM_HEADERS } from './sse-client.ts';
import type { GatewayEnv } from './types.ts';

/** Bytes that may wait for a producer that does not read. */
const MAX_WAITING = 65_536;

/** Asks the producer of a session to write its card anew. */
export async function postRefresh(c: Context<GatewayEnv>, core: GatewayCore, access: Access, session: string): Promise<Response> {
  await access.permit(c, 'write', session);
  return c.json(await core.refresh(session), 202);
}

/** What is asked of a session's producer, as server-sent events, for the producer. */
export async function requestsRoute(c: Context<GatewayEnv>, core: GatewayCore, access: Access, session: string): Promise<Response> {
  const grant = await access.permit(c, 'write', session);
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
  const response = c.env?.outgoing;
  if (!response?.socket) throw new GatewayError('internal', "Streams need Node's HTTP server, and a connection of their own.");
  const leave = access.countStream(c);
  const stops: (() => void)[] = [leave];
  response.on('error', () => undefined);
  response.on('close', () => stops.forEach((stop) => stop()));
  const write = (text: string): void => {
    if (response.writableLength > MAX_WAITING) response.destroy();
    else response.write(text);
  };
  const request = (asked: RefreshRequest): void => write(`event: request\ndata: ${JSON.stringify(asked)}\n\n`);
  const close = (): void => void response.end();
  try {
    const { stop, waiting } = await core.listenForRefresh(session, { request, close });
    stops.push(stop);
    response.writeHead(200, { ...STREAM_HEADERS, ...c.get('corsHeaders') });
    write(RETRY.plain.toString());
    if (waiting) request(waiting);
  } catch (error) {
    leave();
    throw error;
  }
  stops.push(core.options.clock.every(core.options.heartbeatMs, () => write(': \n\n')));
  if (grant) stops.push(access.deadlines.add(grant.expiresAt, close));
  if (response.closed || response.socket?.destroyed) stops.forEach((stop) => stop());
  return RESPONSE_ALREADY_SENT;
}
