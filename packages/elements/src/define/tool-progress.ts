import { defineOnce } from '../display/define-once.ts';
import { ToolProgress } from '../tool-progress/tool-progress.ts';
import './connector.ts';

defineOnce('tool-progress', ToolProgress);

// Brings the tag's type along, so that `document.querySelector('tool-progress')` is typed.
export type { ToolProgress } from '../tool-progress/tool-progress.ts';
