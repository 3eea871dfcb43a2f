import { defineOnce } from '../display/define-once.ts';
import { StatusPill } from '../status-pill/status-pill.ts';
import './connector.ts';

defineOnce('status-pill', StatusPill);

// Brings the tag's type along, so that `document.querySelector('status-pill')` is typed.
export type { StatusPill } from '../status-pill/status-pill.ts';
