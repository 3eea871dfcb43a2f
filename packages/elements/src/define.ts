/** Registers the four elements that most pages need; `define/all` registers every one. */
import './define/progress-card.ts';
import './define/progress-provider.ts';

export type { ProgressCard } from './define/progress-card.ts';
export type { ProgressProvider } from './define/progress-provider.ts';
export type { StatusPill } from './define/status-pill.ts';
export type { ToolProgress } from './define/tool-progress.ts';
