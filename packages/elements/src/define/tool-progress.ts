import { defineOnce } from '../display/define-once.ts';
import { ToolProgress } from '../tool-progress/tool-progress.ts';
import './connector.ts';

defineOnce('tool-progress', ToolProgress);
