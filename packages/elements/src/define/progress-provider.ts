import { defineOnce } from '../display/define-once.ts';
import { ProgressProvider } from '../progress-provider/progress-provider.ts';

defineOnce('progress-provider', ProgressProvider);
