import { countedSoFar, NO_AMOUNT, saying } from './amounts.ts';
import type { Tool } from './types.ts';

const TRANSFORMING = /^transforming \((\d+)\)(?: (.*))?$/;
const BUILT = /^✓ (?:built in [\d.]+m?s|\d+ modules transformed\.)$/;

/** vite build: modules so far; how many there will be nobody knows. */
export const vite: Tool = {
  names: ['vite', 'rollup', 'rolldown'],
  start: () => ({
    read({ text, redrawn }) {
      const match = redrawn ? TRANSFORMING.exec(text) : null;
      if (match) return saying(countedSoFar(match[1], 'modules'), match[2] === undefined ? 'transforming' : `transforming ${match[2]}`);
      return BUILT.test(text) ? { ...NO_AMOUNT, message: text.slice(2) } : undefined;
    },
  }),
};
