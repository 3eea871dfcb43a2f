/** The three tools a model may be offered. */
export { reportProgressTool } from './report-progress.ts';
export { progressTool } from './progress.ts';
export { progressCardTool } from './progress-card.ts';
export { progressTools, visibleTools } from './modes.ts';
export type { ToolMode } from './modes.ts';
export { hasCardRenderer, isToolAllowed, progressCardNudge } from './nudge.ts';
export type { ConnectedClient, NudgeConditions, ToolPolicy } from './nudge.ts';
export { createReportSeries } from './series.ts';
export type { ReportSeries } from './series.ts';
export type { CardAnswer, ProgressTool, ReportAnswer, ToolAnswer, ToolContext, ToolError, ToolName } from './tool.ts';
