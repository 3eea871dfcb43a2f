/** The element classes and their events. Nothing here registers an element: import `./define` or one of its parts. */
export { StatusPill } from './status-pill/status-pill.ts';
export { ToolProgress } from './tool-progress/tool-progress.ts';
export { ProgressCard } from './progress-card/progress-card.ts';
export { ProgressProvider } from './progress-provider/progress-provider.ts';
export { ProgressToggleEvent } from './events/progress-toggle.ts';
export { ProgressCancelRequestEvent } from './events/progress-cancel-request.ts';
export { ProgressDismissRequestEvent } from './events/progress-dismiss-request.ts';
export { ProgressRetryRequestEvent } from './events/progress-retry-request.ts';
export { sessionContext } from './session/context.ts';
export { operationTree } from './display/tree.ts';
export type { FeedState, SessionFeed, SessionState } from './display/feed.ts';
export type { OperationNode } from './display/tree.ts';
export type { ShownState } from './display/shown-state.ts';
