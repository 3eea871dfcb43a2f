import { fileURLToPath } from 'node:url';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import type { Transport as TransportV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpTapOptions, McpTransportLike } from '@sitrep/harness/mcp';
import { tapped } from './connection.ts';
import type { Connection } from './connection.ts';

export type Mode = 'legacy' | { readonly pin: string };
export const MODERN = { pin: '2026-07-28' } as const;

export type V1Connection = Connection & { readonly client: ClientV1 };
export type V2Connection = Connection & { readonly client: ClientV2; readonly transport: McpTransportLike & TransportV2 };

function program(name: string) {
  const server = fileURLToPath(new URL(name, import.meta.url));
  return { command: process.execPath, args: [server], stderr: 'ignore' as const };
}

/** A client of SDK 1.x on this transport, tapped. */
export async function connectV1(transport: McpTransportLike & TransportV1, options?: Partial<McpTapOptions>): Promise<V1Connection> {
  const client = new ClientV1({ name: 'test', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  const observed = tapped(transport, options);
  await client.connect(transport);
  return {
    ...observed,
    client,
    errors,
    call: (name, args = {}, { meta, ...rest } = {}) =>
      client.callTool({ name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) }, undefined, rest),
    close: () => client.close(),
  };
}

/** A client of SDK 2.x on this transport, tapped, in one revision. */
export async function connectV2(
  transport: McpTransportLike & TransportV2,
  mode: Mode,
  options?: Partial<McpTapOptions>,
): Promise<V2Connection> {
  const client = new ClientV2({ name: 'test', version: '1' }, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  const observed = tapped(transport, options);
  await client.connect(transport);
  return {
    ...observed,
    client,
    transport,
    errors,
    call: (name, args = {}, { meta, ...rest } = {}) =>
      client.callTool({ name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) } as never, rest as never),
    close: () => client.close(),
  };
}

export function overStdioV1(options?: Partial<McpTapOptions>): Promise<V1Connection> {
  return connectV1(new StdioV1(program('v1-stdio.ts')), options);
}

export function overStdioV2(mode: Mode, options?: Partial<McpTapOptions>): Promise<V2Connection> {
  return connectV2(new StdioV2(program('v2-stdio.ts')), mode, options);
}
