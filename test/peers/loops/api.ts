import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request to a stand-in, as its client sent it. */
export interface ApiRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A JSON body, or the events of a stream, each with its name where the API gives them names. */
export type ApiAnswer =
  { readonly json: unknown; readonly status?: number } | { readonly events: readonly ApiEvent[]; readonly last?: string };
export interface ApiEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** An HTTP API on 127.0.0.1 that answers as it is told and keeps what it was asked. */
export async function startApi(answer: (request: ApiRequest) => ApiAnswer) {
  const requests: ApiRequest[] = [];
  const server = createServer((request, response) => void handle(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += String(part);
    const asked: ApiRequest = { path: request.url ?? '', body: JSON.parse(text) as Record<string, unknown> };
    requests.push(asked);
    const reply = answer(asked);
    if ('json' in reply) {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.json));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { event, data } of reply.events) {
      if (event !== undefined) response.write(`event: ${event}\n`);
      // In pieces, as a network would: a reader that splits wrongly shows here.
      const line = `data: ${JSON.stringify(data)}\n\n`;
      response.write(line.slice(0, 17));
      response.write(line.slice(17));
    }
    response.end(reply.last ?? '');
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
