import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { SseClient, STREAM_HEADERS } from './sse-client.ts';
import type { GatewayEnv } from './types.ts';

/** Serves a session as server-sent events. The position to go on from is `Last-Event-ID`, else `?cursor=`. */
export async function streamRoute(c: Context<GatewayEnv>, core: GatewayCore, session: string): Promise<Response> {
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
  const response = c.env?.outgoing;
  if (!response?.socket) throw new GatewayError('internal', "Streams need Node's HTTP server, and a connection of their own.");
  const { clientBufferLimit: bufferLimit, slowClientMs: slowMs, log } = core.options;
  const client: SseClient = new SseClient(response, {
    headers: c.get('corsHeaders'),
    bufferLimit,
    slowMs,
    catchUp: (slow) => {
      core.catchUp(session, slow).catch((error: unknown) => log(`A slow stream could not catch up: ${(error as Error).message}`));
    },
  });
  // An empty value is what a reader sends that has no position yet.
  const cursor = c.req.header('last-event-id') || c.req.query('cursor') || undefined;
  response.on('error', () => undefined);
  response.on('close', () => core.detach(session, client));
  await core.attach(session, cursor, client);
  if (response.closed || response.socket?.destroyed) core.detach(session, client);
  return RESPONSE_ALREADY_SENT;
}
