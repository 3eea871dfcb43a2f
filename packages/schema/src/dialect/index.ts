/** Foreign shapes, both ways: a source brings the bytes, a dialect knows the words. */
export { aiSdk, AI_SDK_PART } from './ai-sdk.ts';
export { agUi, AG_UI_ACTIVITY, AG_UI_EVENT_KEY } from './ag-ui.ts';
export { dialects } from './dialects.ts';
export { detect } from './detect.ts';
export type { DetectedName } from './detect.ts';
export { mcpProgress, mcpProgressAmounts, MCP_BESIDE_KEY, MCP_EVENT_KEY } from './mcp-progress.ts';
export { mcpTasks } from './mcp-tasks.ts';
export { mcpTasks2026 } from './mcp-tasks-2026.ts';
export { a2a, A2A_EVENT_KEY } from './a2a.ts';
export { acp, ACP_EVENT_KEY } from './acp.ts';
export { acpV2 } from './acp-v2.ts';
export { lsp, LSP_EVENT_KEY } from './lsp.ts';
export { oscProgress } from './osc-progress.ts';
export { oscStatus, OSC_STATUS_QUERY } from './osc-status.ts';
export { oscNotify } from './osc-notify.ts';
export { OscParser } from './osc/parser.ts';
export { slack, slackBlocks } from './slack.ts';
export { cloudEvents } from './cloudevents.ts';
export { codexExec } from './codex-exec.ts';
export { codex } from './codex.ts';
export { openCode } from './opencode.ts';
export { claude } from './claude.ts';
export { chatKit } from './chatkit.ts';
export { openaiResponses } from './openai-responses.ts';
export { progressCard } from './progress-card.ts';
export { progress } from './progress.ts';
export { reportProgress } from './report-progress.ts';
export { toolProgress } from './tool-progress.ts';
export { cardContent, cardDetails, cardReceipt, normalizeOpenClawCard } from './openclaw-profile.ts';
export { applyOpenClawPut, checkOpenClawCall, openClawPlanEvent, OPENCLAW_AGENT_SCOPE, OPENCLAW_CARD_METHODS } from './openclaw-methods.ts';
export { mendNote, mendPlan } from './mend-plan.ts';
export type { AiSdkChunk, AiSdkMemory } from './ai-sdk.ts';
export type { AgUiFrame, AgUiMemory } from './ag-ui.ts';
export type { ChangeHint, DecodeContext, Decoded, DecodedFrame, Dialect, Encoded, SessionView } from './dialect.ts';
export type { CodexExecFrame } from './codex-exec.ts';
export type { ChatKitFrame } from './chatkit.ts';
export type { OpenaiResponsesFrame } from './openai-responses.ts';
export type { ClaudeFrame } from './claude.ts';
export type { OpenCodeContext, OpenCodeFrame } from './opencode.ts';
export type { CodexContext, CodexFrame } from './codex.ts';
export type { CardDetails, OpenClawCard } from './openclaw-profile.ts';
export type {
  OpenClawCardAnswer,
  OpenClawCardCall,
  OpenClawPlanEvent,
  OpenClawPut,
  OpenClawRefreshAnswer,
  OpenClawStored,
  OpenClawTarget,
} from './openclaw-methods.ts';
export type { McpProgressAmounts, McpProgressBeside, McpProgressFrame, McpProgressParams } from './mcp-progress.ts';
export type { McpTaskFrame, McpTaskParams } from './mcp-tasks.ts';
export type { McpTask2026Frame, McpTask2026Params } from './mcp-tasks-2026.ts';
export type { A2aArtifactUpdate, A2aFrame, A2aMessage, A2aStatusUpdate, A2aTextPart } from './a2a.ts';
export type { AcpCallUpdate, AcpContext, AcpFrame, AcpPlanEntry, AcpPlanUpdate, AcpSessionInfoUpdate, AcpUpdateFrame } from './acp.ts';
export type { AcpPlanContentUpdate, AcpStateUpdate, AcpV2Frame } from './acp-v2.ts';
export type { OpenClawCardFrame, OpenClawChangedFrame, ProgressCardContext, ProgressCardFrame } from './progress-card.ts';
export type { ProgressFrame } from './progress.ts';
export type { ReportProgressFrame } from './report-progress.ts';
export type { ToolProgressFrame } from './tool-progress.ts';
export type { LspCancelFrame, LspCreateFrame, LspFrame, LspProgressFrame, LspProgressValue, LspToken } from './lsp.ts';
export type { OscParserOptions, OscPiece } from './osc/parser.ts';
export type { OscSequence } from './osc/sequence.ts';
export type { SlackChunk, SlackPlanBlock, SlackPlanUpdate, SlackTaskCardBlock, SlackTaskStatus, SlackTaskUpdate } from './slack.ts';
export type { CloudEventFrame } from './cloudevents.ts';
