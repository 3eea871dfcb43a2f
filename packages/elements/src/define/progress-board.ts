import { defineOnce } from '../display/define-once.ts';
import { ProgressBoard } from '../progress-board/progress-board.ts';
import './progress-widget.ts';

defineOnce('progress-board', ProgressBoard);

// Brings the tag's type along, so that `document.querySelector('progress-board')` is typed.
export type { ProgressBoard } from '../progress-board/progress-board.ts';
