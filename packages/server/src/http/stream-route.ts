import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { EXPIRED } from '../gateway/paced-reader.ts';
import { sseReader, STREAM_HEADERS } from './sse-client.ts';
import type { Access } from './access.ts';
import type { GatewayEnv } from './types.ts';

/** Serves a session as server-sent events. The position to go on from is `Last-Event-ID`, else `?cursor=`. */
export async function streamRoute(c: Context<GatewayEnv>, core: GatewayCore, access: Access, session: string): Promise<Response> {
  const grant = await access.permitStream(c, session);
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
  const response = c.env?.outgoing;
  if (!response?.socket) throw new GatewayError('internal', "Streams need Node's HTTP server, and a connection of their own.");
  const { clientBufferLimit: bufferLimit, slowClientMs: slowMs, log } = core.options;
  const client = sseReader(response, c.get('corsHeaders'), {
    bufferLimit,
    slowMs,
    expiresAt: grant?.expiresAt,
    counts: core.stats.slow,
    catchUp: (slow, mark) => {
      core.catchUp(session, slow, mark).catch((error: unknown) => log(`A slow stream could not catch up: ${(error as Error).message}`));
    },
  });
  // An empty value is what a reader sends that has no position yet.
  const cursor = c.req.header('last-event-id') || c.req.query('cursor') || undefined;
  response.on('error', () => undefined);
  const leave = access.countStream(c);
  const keep = grant && access.deadlines.add(grant.expiresAt, () => client.close(EXPIRED));
  response.on('close', () => {
    leave();
    keep?.();
    core.detach(session, client);
  });
  try {
    await core.attach(session, cursor, client);
  } catch (error) {
    leave();
    keep?.();
    throw error;
  }
  if (response.closed || response.socket?.destroyed) core.detach(session, client);
  return RESPONSE_ALREADY_SENT;
}
