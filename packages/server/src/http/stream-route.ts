import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { dialectToWrite } from '../gateway/dialects.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { handOver } from './hand-over.ts';
import { letIn, pacing } from './let-in.ts';
import { foreignReader, sseReader, STREAM_HEADERS } from './sse-client.ts';
import type { Access } from './access.ts';
import type { GatewayEnv } from './types.ts';

/** The position a reader asks to go on from. An empty value is what a reader sends that has none yet. */
export function cursorOf(c: Context<GatewayEnv>): string | undefined {
  return c.req.header('last-event-id') || c.req.query('cursor') || undefined;
}

/**
 * Serves a session as server-sent events. The position to go on from is `Last-Event-ID`, else `?cursor=`. With `?dialect=` each
 * event is a frame of that shape, and a reader that comes back is told again how things stand.
 */
export async function streamRoute(c: Context<GatewayEnv>, core: GatewayCore, access: Access, session: string): Promise<Response> {
  const grant = await access.permitStream(c, session);
  const named = c.req.query('dialect');
  const dialect = named === undefined ? undefined : dialectToWrite(named);
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, STREAM_HEADERS);
  const response = c.env?.outgoing;
  if (!response?.socket) throw new GatewayError('internal', "Streams need Node's HTTP server, and a connection of their own.");
  response.on('error', ignore);
  const attached = response.listeners('close') as (() => void)[];
  const options = pacing(core, session, grant);
  const translated = dialect && core.translations.enter(session, dialect);
  if (translated) response.on('close', translated.leave);
  try {
    await letIn(c, core, access, {
      session,
      cursor: translated ? undefined : cursorOf(c),
      grant,
      reader: translated
        ? foreignReader(response, c.get('corsHeaders'), translated.translation, options)
        : sseReader(response, c.get('corsHeaders'), options),
      onClose: (left) => response.on('close', left),
      isClosed: () => response.closed || response.socket?.destroyed === true,
    });
  } catch (error) {
    translated?.leave();
    throw error;
  }
  if (c.env.streams && c.env.incoming) {
    // What the listener would do about the body of the request once the connection closes: there is none.
    for (const listener of attached) response.off('close', listener);
    forget(c.env.incoming);
    handOver(c.env.incoming, response, c.env.streams);
  }
  return RESPONSE_ALREADY_SENT;
}

function ignore(): void {}

const NO_HEADERS: IncomingMessage['headers'] = Object.freeze({});
const NO_RAW_HEADERS: string[] = [];

/** Lets go of the headers of a request that lives as long as its stream, and of which nothing more is read. */
function forget(incoming: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  incoming.headers = NO_HEADERS;
  incoming.rawHeaders = NO_RAW_HEADERS;
}
