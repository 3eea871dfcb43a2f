/** OpenCode: a plugin that forwards what its bus says to a gateway. */
export { sitrepPlugin } from './plugin.ts';
export type { OpenCodeHooks, OpenCodePluginOptions } from './plugin.ts';
