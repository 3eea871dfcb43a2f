/** Native tools: any function of a harness with its reporter. */
export { runTool, wrapTool } from './wrap-tool.ts';
export type { Execute, ToolReport, WrappedTool } from './wrap-tool.ts';
