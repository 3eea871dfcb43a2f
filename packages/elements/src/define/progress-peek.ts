import { defineOnce } from '../display/define-once.ts';
import { ProgressPeek } from '../progress-peek/progress-peek.ts';
import { cardCode } from '../progress-peek/card-code.ts';
import './connector.ts';

/** A page with references shows few cards, and at first none. */
cardCode.load = () => import('./progress-card.ts');

defineOnce('progress-peek', ProgressPeek);

// Brings the tag's type along, so that `document.querySelector('progress-peek')` is typed.
export type { ProgressPeek } from '../progress-peek/progress-peek.ts';
