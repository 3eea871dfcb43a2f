import { defineOnce } from '../display/define-once.ts';
import { StatusPill } from '../status-pill/status-pill.ts';
import { installDefaultConnector } from './connector.ts';

installDefaultConnector();
defineOnce('status-pill', StatusPill);
