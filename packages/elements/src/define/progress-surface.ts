import { defineOnce } from '../display/define-once.ts';
import { ProgressSurface } from '../progress-surface/progress-surface.ts';
import './connector.ts';
import './progress-card.ts';

defineOnce('progress-surface', ProgressSurface);

// Brings the tag's type along, so that `document.querySelector('progress-surface')` is typed.
export type { ProgressSurface } from '../progress-surface/progress-surface.ts';
