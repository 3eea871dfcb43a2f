import { defineOnce } from '../display/define-once.ts';
import { ToolProgress } from '../tool-progress/tool-progress.ts';
import { installDefaultConnector } from './connector.ts';

installDefaultConnector();
defineOnce('tool-progress', ToolProgress);
