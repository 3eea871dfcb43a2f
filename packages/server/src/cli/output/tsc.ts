import { NO_AMOUNT } from './amounts.ts';
import type { Tool } from './types.ts';

const FOUND = /^\[?.{0,40}\]? ?-? ?Found (\d+) errors?\. Watching for file changes\.$/;
const STARTED = /(?:Starting compilation in watch mode|File change detected\. Starting incremental compilation)\.\.\.$/;

/** tsc --watch: works, then waits for the next change. It never says how far it is, so nothing does. */
export const tsc: Tool = {
  names: ['tsc', 'tsgo', 'vue-tsc'],
  start: () => ({
    read({ text }) {
      const found = FOUND.exec(text);
      if (found) {
        const count = Number(found[1]);
        return { ...NO_AMOUNT, waiting: true, message: count === 0 ? 'No errors' : `${count} error${count === 1 ? '' : 's'}` };
      }
      return STARTED.test(text) ? { ...NO_AMOUNT, waiting: false, message: 'Compiling' } : undefined;
    },
  }),
};
