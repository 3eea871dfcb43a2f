// What a harness author writes.
import { createHttpSink, createReporter, progressCardTool, tapMcpTransport, type Answer, type ToolAnswer } from '@sitrep/harness';
import { checkEvent, type Checked } from '@sitrep/schema/check';
import { mcpProgress } from '@sitrep/schema/dialect/mcp-progress';
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
