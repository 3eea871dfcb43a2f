import './status-pill.ts';
import './tool-progress.ts';
import { defineOnce } from '../display/define-once.ts';
import { ProgressCard } from '../progress-card/progress-card.ts';

defineOnce('progress-card', ProgressCard);
