import { defineOnce } from '../display/define-once.ts';
import { ProgressWidget } from '../progress-widget/progress-widget.ts';
import './progress-card.ts';

defineOnce('progress-widget', ProgressWidget);

// Brings the tag's type along, so that `document.querySelector('progress-widget')` is typed.
export type { ProgressWidget } from '../progress-widget/progress-widget.ts';
