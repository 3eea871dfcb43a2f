import { defineOnce } from '../display/define-once.ts';
import { ToolProgress } from '../tool-progress/tool-progress.ts';
import { installConnector } from './connector.ts';

installConnector();
defineOnce('tool-progress', ToolProgress);
