import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ServerContext, Tool } from '@modelcontextprotocol/server';
import { progressTools } from '@sitrep/harness/tools';
import type { ToolAnswer, ToolName } from '@sitrep/harness/tools';
import { version } from '../version.ts';
import type { ClientName } from './names.ts';

/** What one server of the protocol needs. */
export interface ServerParts {
  /** The tools that are listed. The others can still be called by a client that knows them. */
  readonly tools: readonly ToolName[];
  /** Calls a tool for this client. */
  call(name: ToolName, input: unknown, client: ClientName): Promise<ToolAnswer>;
}

const INSTRUCTIONS =
  'These tools show the person you work for how far you are. Each returns at once and never asks anybody; report when ' +
  'something begins, changes or ends, and only amounts that you have counted.';

/** An MCP server that offers the tools. The low-level server, because the input is checked by the tools themselves. */
export function createServer({ tools, call }: ServerParts): Server {
  const server = new Server(
    { name: 'sitrep', title: 'Sitrep', version: version() },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(described) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (!Object.hasOwn(progressTools, params.name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name.slice(0, 100)}".`);
    const answer = await call(params.name as ToolName, params.arguments ?? {}, clientOf(server, context));
    const { text, structured, isError } = answer;
    const content = [{ type: 'text' as const, text }];
    return isError ? { content, structuredContent: { ...structured }, isError } : { content, structuredContent: { ...structured } };
  });
  return server;
}

function described(name: ToolName): Tool {
  const { description, inputSchema } = progressTools[name];
  return {
    name,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    // A report changes nothing of what the model works on, so no host has a reason to ask before it.
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  };
}

/** Who calls: each request of the newer protocol says it, of the older one only the first. */
function clientOf(server: Server, context: ServerContext): ClientName {
  const envelope = context.mcpReq.envelope as { readonly [CLIENT_INFO_META_KEY]?: ClientName } | undefined;
  return envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion() ?? {};
}
