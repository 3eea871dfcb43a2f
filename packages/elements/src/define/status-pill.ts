import { defineOnce } from '../display/define-once.ts';
import { StatusPill } from '../status-pill/status-pill.ts';
import './connector.ts';

defineOnce('status-pill', StatusPill);
