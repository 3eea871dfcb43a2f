import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createTools } from './tools.ts';
import { v2Factory } from './v2-server.ts';

/** Serves v2 over Streamable HTTP, both revisions at one address. */
export async function serveV2() {
  const open = new Set<ServerResponse>();
  const { sink, tools } = createTools();
  const cut = (): void => {
    for (const response of open) response.destroy();
  };
  const cuttable = { ...tools, cut: (call: Parameters<NonNullable<(typeof tools)['cut']>>[0]) => tools['cut']?.({ ...call, cut }) };
  const handler = createMcpHandler(v2Factory({ sink, tools: cuttable as typeof tools }));
  const serve = toNodeHandler(handler);
  const http = createServer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    void serve(request as never, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`),
    async close(): Promise<void> {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
