import { defineOnce } from '../display/define-once.ts';
import { StatusPill } from '../status-pill/status-pill.ts';
import { installConnector } from './connector.ts';

installConnector();
defineOnce('status-pill', StatusPill);
