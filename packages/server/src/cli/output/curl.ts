import { NO_AMOUNT, percent, saying } from './amounts.ts';
import type { Tool } from './types.ts';

const SIZE = String.raw`([\d.]+[kKMGTP]?)`;
const TIME = String.raw`(?:--:--:--|\d+:\d\d:\d\d|\d+d \d\dh|\d+d)`;
/** % Total, % Received, % Xferd, two average speeds, three times, the speed now. */
const TABLE = new RegExp(
  String.raw`^(\d{1,3}) +${SIZE} +(\d{1,3}) +${SIZE} +(\d{1,3}) +${SIZE} +${SIZE} +${SIZE} +${TIME} +${TIME} +${TIME} +${SIZE}$`,
);
/** DL%, UL%, both amounts, transfers, live ones, three times, the speed now. */
const PARALLEL = new RegExp(String.raw`^(\d{1,3}|--) +(\d{1,3}|--) +${SIZE} +${SIZE} +\d+ +\d+ +${TIME} +${TIME} +${TIME} +${SIZE}$`);

/**
 * curl: its table and the one of parallel transfers. Where the length is not known it writes 100 % in all and 0 of each
 * direction, which says nothing. The bar of `-#` is a bar like any other.
 */
export const curl: Tool = {
  names: ['curl'],
  start: () => ({
    read({ text }) {
      const table = TABLE.exec(text);
      if (table) {
        const [, all, total, received, got, sent, put, , , speed] = table;
        const moved = put === '0' || received !== '0' ? got : put;
        const isKnown = total !== '0' && !(all === '100' && received === '0' && sent === '0');
        const whole = isKnown ? ` of ${total}` : '';
        return saying(isKnown ? percent(all) : NO_AMOUNT, moved === '0' ? undefined : `${moved}${whole}, ${speed}/s`);
      }
      const parallel = PARALLEL.exec(text);
      if (!parallel) return undefined;
      const [, down, up, got, put, speed] = parallel;
      const one = down === '--' ? up : up === '--' ? down : '--';
      return saying(one === '--' ? NO_AMOUNT : percent(one), `${put === '0' ? got : put}, ${speed}/s`);
    },
  }),
};
