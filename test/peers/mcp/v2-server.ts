import { wrapMcpTool } from '@sitrep/harness/mcp-server';
import type { MemorySink } from '@sitrep/harness/sink';
import type { Reporter } from '@sitrep/harness/reporter';
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createTasks2026 } from './tasks-2026.ts';
import type { Tool, ToolResult } from './tools.ts';

const args = z.object({ label: z.string().optional(), name: z.string().optional() });
/** Results of kinds the types of a handler do not name. */
type AnyResult = ToolResult & { resultType?: never };

/** A factory of servers of SDK 2.x with the shared tools; tasks and tools' own stories are common to all it makes. */
export function v2Factory({ tools, sink }: { tools: Readonly<Record<string, Tool>>; sink: MemorySink }): () => McpServer {
  const tasks = createTasks2026();
  return () => {
    const server = new McpServer(
      { name: 'peer-v2', version: '1.0.0' },
      { capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    );
    for (const [name, tool] of Object.entries(tools)) {
      server.registerTool(
        name,
        { inputSchema: args },
        wrapMcpTool(
          (given: Readonly<Record<string, unknown>>, ctx: ServerContext, reporter: Reporter) =>
            tool({
              args: given,
              reporter,
              meta: ctx.mcpReq['_meta'] ?? {},
              signal: ctx.mcpReq.signal,
              raw: (progress) =>
                ctx.mcpReq.notify({
                  method: 'notifications/progress',
                  params: { progressToken: ctx.mcpReq['_meta']?.progressToken ?? 'none', progress },
                }),
              cut: () => {},
            }),
          { title: name, sink, throttleMs: 0 },
        ),
      );
    }
    // As the README writes it: arguments and context are known by their types.
    server.registerTool(
      'typed',
      { inputSchema: z.object({ label: z.string() }) },
      wrapMcpTool(async ({ label }, ctx, reporter) => {
        reporter.update({ current: 1, total: 1, message: label.toUpperCase() });
        return { content: [{ type: 'text', text: String(ctx.mcpReq.id) }] };
      }),
    );
    server.registerTool('postponed', { inputSchema: args }, () => ({ content: [], resultType: 'postponed' }) as unknown as AnyResult);
    server.registerTool(
      'asking',
      { inputSchema: args },
      wrapMcpTool((_: unknown, ctx: ServerContext, reporter: Reporter) => {
        if (ctx.mcpReq.inputResponses === undefined) {
          const requestedSchema = { type: 'object' as const, properties: {} };
          const request = inputRequired.elicit({ message: 'Delete 3 files?', requestedSchema });
          return inputRequired({ inputRequests: { sure: request }, requestState: 'asked' });
        }
        reporter.update({ current: 3, total: 3 });
        return { content: [{ type: 'text' as const, text: 'deleted' }] };
      }),
    );
    server.registerTool('tasked', { inputSchema: args }, ({ label }) => {
      const push = (params: Record<string, unknown>): void =>
        void server.server.notification({ method: 'notifications/tasks', params } as never).catch(() => {});
      return tasks.create(label, push) as unknown as AnyResult;
    });
    tasks.serve(server);
    return server;
  };
}
