import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemoryEventStore } from '@modelcontextprotocol/sdk/examples/shared/inMemoryEventStore.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createTools } from './tools.ts';
import { createV1Server } from './v1-server.ts';

/** Serves v1 over Streamable HTTP, one session per client; with `resumable` streams can be taken up again. */
export async function serveV1({ resumable }: { resumable: boolean }) {
  const tools = createTools();
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = new Set<ServerResponse>();
  const cut = (): void => {
    for (const response of open) response.destroy();
  };
  const http = createServer((request, response) => {
    if (request.method === 'POST') open.add(response);
    response.on('close', () => open.delete(response));
    void answer().catch(() => response.writeHead(500).end());
    async function answer(): Promise<void> {
      const known = sessions.get(String(request.headers['mcp-session-id']));
      if (known !== undefined) return known.handleRequest(request, response);
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
        ...(resumable ? { eventStore: new InMemoryEventStore(), retryInterval: 20 } : {}),
      });
      await createV1Server(tools, cut).connect(transport as unknown as Transport);
      await transport.handleRequest(request, response);
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    async close(): Promise<void> {
      for (const transport of sessions.values()) await transport.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
