import './status-pill.ts';
import './tool-progress.ts';
import { defineOnce } from '../display/define-once.ts';
import { ProgressCard } from '../progress-card/progress-card.ts';

defineOnce('progress-card', ProgressCard);

// Brings the tag's type along, so that `document.querySelector('progress-card')` is typed.
export type { ProgressCard } from '../progress-card/progress-card.ts';
