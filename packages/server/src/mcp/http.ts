import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { GatewayError } from '../gateway/gateway-error.ts';
import { sessionNameFault } from '../gateway/session/session-name.ts';
import { errorBody } from '../http/error-body.ts';
import { hostGuard, originGuard } from '../http/guard.ts';
import type { GatewayApp, GatewayEnv } from '../http/types.ts';
import { createClient } from './clients.ts';
import type { Client, ClientsOptions } from './clients.ts';
import { createServer } from './server.ts';
import type { ServerParts } from './server.ts';

/** Clients that are held at a time; beyond that the one that called longest ago is let go. */
const MAX_CLIENTS = 200;
/** Bytes of one request: an input of the tools is far smaller. */
const MAX_BODY = 262_144;

/** The endpoint `/mcp` as a Hono app, and how to end it. */
export interface McpApp {
  readonly app: GatewayApp;
  /** Ends every client as if it had gone. */
  close(): Promise<void>;
}

interface Held {
  readonly client: Client;
  readonly transport?: WebStandardStreamableHTTPServerTransport | undefined;
}

/**
 * Serves many clients over Streamable HTTP: those of the 2025 protocol with a session of the transport each, those of
 * 2026-07-28, which has none, by what they call themselves. `?session=` in the address of the endpoint names the
 * session to write to, for hosts that are configured by an address alone.
 */
export function createMcpApp(options: ClientsOptions, tools: ServerParts['tools']): McpApp {
  const held = new Map<string, Held>();
  const hold = (key: string, value: Held): Held => {
    held.delete(key);
    held.set(key, value);
    if (held.size > MAX_CLIENTS) void release(held.keys().next().value as string);
    return value;
  };
  const release = async (key: string): Promise<void> => {
    const one = held.get(key);
    held.delete(key);
    await Promise.all([one?.client.close(), one?.transport?.close()]);
  };

  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const session = askedSession(requestInfo);
      return createServer({
        tools,
        call(name, input, client) {
          const key = `name:${JSON.stringify([session, client.name])}`;
          return hold(key, held.get(key) ?? { client: createClient(options, { session, unique: false }) }).client.call(name, input, client);
        },
      });
    },
    { legacy: 'reject', maxRequestBodySize: MAX_BODY, onerror: (error) => options.warn(error.message) },
  );

  const legacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : held.get(`id:${id}`);
    if (known?.transport) return (hold(`id:${id}`, known).transport as WebStandardStreamableHTTPServerTransport).handleRequest(request);
    // The protocol's word for a session that is gone: the client begins anew.
    if (id !== null) return Response.json(rpcError(-32_001, 'Session not found'), { status: 404 });
    const client = createClient(options, { session: askedSession(request) });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_BODY,
      onsessioninitialized: (session) => void hold(`id:${session}`, { client, transport }),
      onsessionclosed: (session) => release(`id:${session}`),
    });
    const server = createServer({ tools, call: (name, input, name_) => client.call(name, input, name_) });
    await server.connect(transport);
    return transport.handleRequest(request);
  };

  const app = new Hono<GatewayEnv>();
  app.use('*', hostGuard([]));
  app.use('*', originGuard({ allowedOrigins: [], log: () => undefined }));
  app.all('/mcp', async (c) => {
    const fault = sessionNameFault(c.req.query('session') ?? 'default');
    if (fault !== undefined) return c.json(errorBody('bad_request', fault), 400);
    const request = c.req.raw;
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY });
    const response = await (isLegacy ? legacy(request) : modern.fetch(request));
    // The rest of that body is not read, so nothing more can come over this connection.
    if (response.status === 413) response.headers.set('connection', 'close');
    return response;
  });
  app.notFound((c) => c.json(errorBody('not_found', 'There is nothing at this address. The endpoint is /mcp.'), 404));
  app.onError((error, c) => {
    if (error.name === 'GatewayError') {
      const { code } = error as GatewayError;
      return c.json(errorBody(code, 'Only programs of this machine are served, under its own loopback names.'), 403);
    }
    options.warn(`An answer failed: ${error.message}`);
    return c.json(errorBody('internal', 'This request failed.'), 500);
  });
  return {
    app,
    async close() {
      await modern.close();
      await Promise.all([...held.keys()].map(release));
    },
  };
}

function askedSession(request: Request | undefined): string | undefined {
  return request === undefined ? undefined : (new URL(request.url).searchParams.get('session') ?? undefined);
}

function rpcError(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null };
}
