import { defineOnce } from '../display/define-once.ts';
import { ProgressToasts } from '../progress-toasts/progress-toasts.ts';
import './connector.ts';

defineOnce('progress-toasts', ProgressToasts);

// Brings the tag's type along, so that `document.querySelector('progress-toasts')` is typed.
export type { ProgressToasts } from '../progress-toasts/progress-toasts.ts';
