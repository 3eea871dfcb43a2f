import { percent, saying } from './amounts.ts';
import type { Tool } from './types.ts';

const BAR = /^(?:(\S.*?) +)?(\d{1,3})%\[[=>+ ]*\] +([\d.,]+[KMGT]?)\b(?: +([\d.]+[KMGT]?B\/s))?/;
const DOTS = /^\d+[KMG](?: [.,]{1,10}){1,5} +(\d{1,3})% +([\d.]+[KMGT]?)(?:=[\d.]+\w*| |$)/;

/** wget: the bar in a terminal, the rows of dots elsewhere. Without a length it draws neither. */
export const wget: Tool = {
  names: ['wget'],
  start: () => ({
    read({ text }) {
      const bar = BAR.exec(text);
      if (bar) return saying(percent(bar[2]), [bar[1], bar[3], bar[4]].filter(Boolean).join(', '));
      const dots = DOTS.exec(text);
      return dots ? saying(percent(dots[1]), `${dots[2]}/s`) : undefined;
    },
  }),
};
