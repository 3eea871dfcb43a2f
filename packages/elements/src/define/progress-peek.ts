import { defineOnce } from '../display/define-once.ts';
import { ProgressPeek } from '../progress-peek/progress-peek.ts';
import './connector.ts';
import './progress-card.ts';

defineOnce('progress-peek', ProgressPeek);

// Brings the tag's type along, so that `document.querySelector('progress-peek')` is typed.
export type { ProgressPeek } from '../progress-peek/progress-peek.ts';
