import { mcpProgress } from './mcp-progress.ts';
import { progressCard } from './progress-card.ts';
import { progress } from './progress.ts';
import { reportProgress } from './report-progress.ts';
import { toolProgress } from './tool-progress.ts';

/** Every dialect by its name. */
export const dialects = Object.freeze({
  'report-progress': reportProgress,
  progress,
  'tool-progress': toolProgress,
  'progress-card': progressCard,
  mcp: mcpProgress,
});
