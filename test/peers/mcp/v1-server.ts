import { wrapMcpTool } from '@sitrep/harness/mcp-server';
import type { MemorySink } from '@sitrep/harness/sink';
import type { Reporter } from '@sitrep/harness/reporter';
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra, RequestTaskStore } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Tool } from './tools.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const args = { label: z.string().optional(), name: z.string().optional() };

/** A server of SDK 1.x with the shared tools, and one tool that becomes a task. */
export function createV1Server(
  { tools, sink }: { tools: Readonly<Record<string, Tool>>; sink: MemorySink },
  cut = (): void => {},
): McpServer {
  const taskStore = new InMemoryTaskStore();
  const server = new McpServer(
    { name: 'peer-v1', version: '1.0.0' },
    { capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }, taskStore },
  );
  for (const [name, tool] of Object.entries(tools)) {
    server.registerTool(
      name,
      { inputSchema: args },
      wrapMcpTool(
        (given: Readonly<Record<string, unknown>>, extra: Extra, reporter: Reporter) =>
          tool({
            args: given,
            reporter,
            meta: extra['_meta'] ?? {},
            signal: extra.signal,
            raw: (progress) =>
              extra.sendNotification({
                method: 'notifications/progress',
                params: { progressToken: extra['_meta']?.progressToken ?? 'none', progress },
              }),
            cut: () => (extra.closeSSEStream ?? cut)(),
          }),
        { title: name, sink, throttleMs: 0 },
      ),
    );
  }
  // As the README writes it: arguments and extra are known by their types.
  server.registerTool(
    'typed',
    { inputSchema: { label: z.string() } },
    wrapMcpTool(async ({ label }, extra, reporter) => {
      reporter.update({ current: 1, total: 1, message: label.toUpperCase() });
      return { content: [{ type: 'text', text: String(extra.requestId) }] };
    }),
  );
  server.experimental.tasks.registerToolTask(
    'tasked',
    { inputSchema: args, execution: { taskSupport: 'required' } },
    {
      async createTask({ label }, extra) {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
        setTimeout(() => void work(server, extra.taskStore, task.taskId, label).catch(() => {}), 10);
        return { task };
      },
      getTask: (_given, extra) => extra.taskStore.getTask(extra.taskId),
      getTaskResult: async (_given, extra) => (await extra.taskStore.getTaskResult(extra.taskId)) as { content: [] },
    },
  );
  return server;
}

/** What `tasked` does in the background, by its label. */
async function work(server: McpServer, store: RequestTaskStore, taskId: string, label: string | undefined): Promise<void> {
  await store.updateTaskStatus(taskId, 'working', 'Uploading');
  if (label === 'newer') {
    const times = { createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
    const params = { taskId, status: 'archived', statusMessage: 'Kept for a year', ttl: null, ...times };
    await server.server.notification({ method: 'notifications/tasks/status', params } as never);
  }
  await new Promise((resolve) => setTimeout(resolve, 60));
  const failed = label === 'failing';
  const content = [{ type: 'text' as const, text: failed ? 'No such file' : 'done' }];
  await store.storeTaskResult(taskId, failed ? 'failed' : 'completed', { content, ...(failed ? { isError: true } : {}) });
}
