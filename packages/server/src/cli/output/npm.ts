import { percent, saying } from './amounts.ts';
import type { Tool } from './types.ts';

/** The bar of npm 2 to 9, plain or in its other theme, a spinner, and what it is at. */
const BAR = /^(?:\[(#*)(\.*)\]|[⸨(](#*)(░*)[⸩)]) [-\\|/\u2800-\u28FF] (\S.*)$/u;
/** Cells of that bar. */
const WIDTHS = new Set([18, 20]);

/** npm: up to version 9 it draws how far it is; since then a spinner only, and that is no amount. */
export const npm: Tool = {
  names: ['npm', 'npx'],
  start: (args) => ({
    read({ text, redrawn }) {
      if (args === undefined || !redrawn) return undefined;
      const match = BAR.exec(text);
      if (!match) return undefined;
      const done = (match[1] ?? match[3] ?? '').length;
      const cells = done + (match[2] ?? match[4] ?? '').length;
      return WIDTHS.has(cells) ? saying(percent((done / cells) * 100), match[5]) : undefined;
    },
  }),
};
