import { defineOnce } from '../display/define-once.ts';
import { ProgressList } from '../progress-list/progress-list.ts';
import './connector.ts';

defineOnce('progress-list', ProgressList);

// Brings the tag's type along, so that `document.querySelector('progress-list')` is typed.
export type { ProgressList } from '../progress-list/progress-list.ts';
