/** Registers every element there is, those that few pages need included. */
import '../define.ts';
import './progress-list.ts';
import './progress-board.ts';
import './progress-peek.ts';
import './progress-timeline.ts';
import './progress-surface.ts';
import './progress-toasts.ts';
