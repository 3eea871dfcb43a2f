import { progressCardTool } from './progress-card.ts';
import { progressTool } from './progress.ts';
import { reportProgressTool } from './report-progress.ts';
import type { ProgressTool, ToolName } from './tool.ts';

/**
 * Whether a model sees a tool: `off` hides it, `ask` and `allow` both show it. A mode decides visibility only: reporting
 * reads and changes nothing of the project, so a call never asks, and a direct call works in `off` too.
 */
export type ToolMode = 'off' | 'ask' | 'allow';

/** The three tools by name. */
export const progressTools: { readonly [K in ToolName]: ProgressTool } = {
  report_progress: reportProgressTool,
  progress: progressTool,
  progress_card: progressCardTool,
};

/** The tools to offer under these modes. A tool that is not named is `allow`; a word that is no mode hides it. */
export function visibleTools(modes: { readonly [K in ToolName]?: ToolMode | undefined } = {}): readonly ProgressTool[] {
  return Object.values(progressTools).filter(({ name }) => {
    const mode = modes[name] ?? 'allow';
    return mode === 'ask' || mode === 'allow';
  });
}
