// What a harness author writes.
import { createHttpSink, createReporter, progressCardTool, tapMcpTransport, type Answer, type ToolAnswer } from '@sitrep/harness';
import { checkEvent, type Checked } from '@sitrep/schema/check';
import { mcpProgress } from '@sitrep/schema/dialect/mcp';
import type { ProgressEvent } from '@sitrep/schema/wire';

const sink = createHttpSink({ url: 'http://127.0.0.1:4747' });
const answer: Answer = createReporter({ sink, session: 'chat', title: 'Hash files' }).update({ current: 1, total: 2 });
const card: Promise<ToolAnswer> = progressCardTool.handle({ plan: [] }, { session: 'chat' });
const checked: Checked<ProgressEvent> = checkEvent({});
const decoded = mcpProgress.decode({}, { session: 'chat', at: 0 });
const tap = tapMcpTransport(
  { send: async () => undefined, close: async () => undefined, onmessage: undefined, start: async () => undefined },
  { sink, session: 'chat' },
);
export { answer, card, checked, decoded, tap };

// Loops, streams, requests and tools.
import { track, wrapTool } from '@sitrep/harness';
import { createMeterStream, meterFetch, meterReadable } from '@sitrep/harness/meter';
import { runChatTools } from '@sitrep/harness/openai';
import { runMessageTools } from '@sitrep/harness/anthropic';
import { createProgressCallbacks } from '@sitrep/harness/langchain';
import { addSample, estimate, type Estimate } from '@sitrep/schema/select';

export async function work(files: readonly string[], stream: ReadableStream<Uint8Array>): Promise<Estimate> {
  using reporter = createReporter({ sink, session: 'chat' });
  for (const file of track(files, { reporter, unit: 'files', message: (name) => name })) void file.length;
  for await (const chunk of meterReadable(stream, { reporter })) void chunk.byteLength;
  const counted = stream.pipeThrough(createMeterStream({ sink, session: 'chat' }));
  const response: Response = await meterFetch({ sink, session: 'chat' })('https://example.org/');
  void [counted, response.ok];
  return estimate(addSample([], { at: 0, current: 1, total: 2 }), 0);
}

export const scan: (input: { dir: string }, context: { callId: string }) => Promise<number> = wrapTool(
  async ({ dir }: { dir: string }, _context: { callId: string }, reporter) => (reporter.update({ message: dir }), dir.length),
  (_input, { callId }) => ({ sink, session: 'chat', id: callId }),
);
export const loops = [
  runChatTools({ tool_calls: [] }, { scan: (input: { dir: string }) => input.dir }, { sink, session: 'chat' }),
  runMessageTools({ content: [] }, {}, { sink, session: 'chat' }),
] as const;
export const callbacks = createProgressCallbacks({ sink, session: 'chat' });

// MCP at both ends.
import { wrapMcpTool, type McpServedCall } from '@sitrep/harness/mcp-server';

export const served: (args: { dir: string }, extra: object) => Promise<number> = wrapMcpTool(
  async ({ dir }, _extra, reporter) => (reporter.update({ message: dir }), dir.length),
  ({ requestId }: McpServedCall) => ({ sink, session: 'chat', id: requestId }),
);
export const timed: { readonly timeout?: number } = tapMcpTransport(
  { send: async () => undefined, close: async () => undefined },
  { sink, session: 'chat', limits: { idleMs: 60_000, totalMs: 900_000 } },
).requestOptions;
