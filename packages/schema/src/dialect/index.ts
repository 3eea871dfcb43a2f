/** Foreign shapes, both ways: a source brings the bytes, a dialect knows the words. */
export { dialects } from './dialects.ts';
export { detect } from './detect.ts';
export type { DetectedName } from './detect.ts';
export { mcpProgress, MCP_EVENT_KEY } from './mcp-progress.ts';
export { progressCard } from './progress-card.ts';
export { progress } from './progress.ts';
export { reportProgress } from './report-progress.ts';
export { toolProgress } from './tool-progress.ts';
export { cardDetails, cardReceipt, normalizeOpenClawCard } from './openclaw-profile.ts';
export { mendNote, mendPlan } from './mend-plan.ts';
export type { ChangeHint, DecodeContext, Decoded, DecodedFrame, Dialect, Encoded, SessionView } from './dialect.ts';
export type { CardDetails, OpenClawCard } from './openclaw-profile.ts';
export type { McpProgressFrame, McpProgressParams } from './mcp-progress.ts';
export type { OpenClawCardFrame, OpenClawChangedFrame, ProgressCardContext, ProgressCardFrame } from './progress-card.ts';
export type { ProgressFrame } from './progress.ts';
export type { ReportProgressFrame } from './report-progress.ts';
export type { ToolProgressFrame } from './tool-progress.ts';
