import { defineOnce } from '../display/define-once.ts';
import { ProgressTimeline } from '../progress-timeline/progress-timeline.ts';
import './connector.ts';

defineOnce('progress-timeline', ProgressTimeline);

// Brings the tag's type along, so that `document.querySelector('progress-timeline')` is typed.
export type { ProgressTimeline } from '../progress-timeline/progress-timeline.ts';
