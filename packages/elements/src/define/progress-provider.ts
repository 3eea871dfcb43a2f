import { defineOnce } from '../display/define-once.ts';
import { ProgressProvider } from '../progress-provider/progress-provider.ts';

defineOnce('progress-provider', ProgressProvider);

// Brings the tag's type along, so that `document.querySelector('progress-provider')` is typed.
export type { ProgressProvider } from '../progress-provider/progress-provider.ts';
