/**
 * Registers the elements so that they take over what a server drew. Import it instead of `./define`, and before anything that
 * imports that: an element that is registered already draws anew.
 */
import './hydrate/support.ts';
import './define.ts';

export type { ProgressCard } from './define/progress-card.ts';
export type { ProgressProvider } from './define/progress-provider.ts';
export type { StatusPill } from './define/status-pill.ts';
export type { ToolProgress } from './define/tool-progress.ts';
