import { a2a } from './a2a.ts';
import { acp } from './acp.ts';
import { acpV2 } from './acp-v2.ts';
import { cloudEvents } from './cloudevents.ts';
import { lsp } from './lsp.ts';
import { codexExec } from './codex-exec.ts';
import { codex } from './codex.ts';
import { aiSdk } from './ai-sdk.ts';
import { agUi } from './ag-ui.ts';
import { openCode } from './opencode.ts';
import { claude } from './claude.ts';
import { chatKit } from './chatkit.ts';
import { openaiResponses } from './openai-responses.ts';
import { mcpProgress } from './mcp-progress.ts';
import { mcpTasks2026 } from './mcp-tasks-2026.ts';
import { mcpTasks } from './mcp-tasks.ts';
import { oscNotify } from './osc-notify.ts';
import { oscProgress } from './osc-progress.ts';
import { oscStatus } from './osc-status.ts';
import { progressCard } from './progress-card.ts';
import { progress } from './progress.ts';
import { reportProgress } from './report-progress.ts';
import { slack } from './slack.ts';
import { toolProgress } from './tool-progress.ts';

/** Every dialect by its name. */
export const dialects = Object.freeze({
  'report-progress': reportProgress,
  progress,
  'tool-progress': toolProgress,
  'progress-card': progressCard,
  mcp: mcpProgress,
  'mcp-tasks': mcpTasks,
  'mcp-tasks-2026': mcpTasks2026,
  acp,
  'acp-v2': acpV2,
  a2a,
  lsp,
  'osc-progress': oscProgress,
  'osc-status': oscStatus,
  'osc-notify': oscNotify,
  slack,
  cloudevents: cloudEvents,
  codex,
  opencode: openCode,
  claude,
  'openai-responses': openaiResponses,
  chatkit: chatKit,
  'codex-exec': codexExec,
  'ag-ui': agUi,
  'ai-sdk': aiSdk,
});
