/** The element classes and their events. Nothing here registers an element: import `./define` or one of its parts. */
export { StatusPill } from './status-pill/status-pill.ts';
export { ToolProgress } from './tool-progress/tool-progress.ts';
export { ProgressCard } from './progress-card/progress-card.ts';
export { ProgressProvider } from './progress-provider/progress-provider.ts';
export { ProgressSurface } from './progress-surface/progress-surface.ts';
export { ProgressPlaceChangeEvent } from './events/progress-place-change.ts';
export { ProgressToggleEvent } from './events/progress-toggle.ts';
export { ProgressCancelRequestEvent } from './events/progress-cancel-request.ts';
export { ProgressDismissRequestEvent } from './events/progress-dismiss-request.ts';
export { ProgressRetryRequestEvent } from './events/progress-retry-request.ts';
export { sessionContext } from './session/context.ts';
export { setNotePolicy } from './markdown/note-policy.ts';
export { operationTree } from './display/tree.ts';
export type { FeedState, SessionFeed, SessionState } from './display/feed.ts';
export type { NotePolicy } from './markdown/note-policy.ts';
export type { NoteImages } from './markdown/pictures.ts';
export type { OperationNode } from './display/tree.ts';
export type { ShownState } from './display/shown-state.ts';
