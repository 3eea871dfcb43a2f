import { counted, NO_AMOUNT, percent, saying } from './amounts.ts';
import type { Tool } from './types.ts';

const ROW = /^([\d.,]+[KMGT]?) +(\d{1,3})% +([\d.]+[KMGT]?B\/s) +(\d+:\d\d:\d\d)(?: +\(xfr#(\d+), (ir|to)-chk=(\d+)\/(\d+)\))?$/i;

/**
 * rsync: `to-chk=10/100` says how many files are left of how many. `ir-chk` means that it is still finding files, so its
 * numbers are of what it has found. The percentage is that of one file, or of what was found so far; it is used only
 * while nothing better was said.
 */
export const rsync: Tool = {
  names: ['rsync'],
  start() {
    let counts = false;
    return {
      read({ text, open }) {
        const match = open ? null : ROW.exec(text);
        if (!match) return undefined;
        const [, done, share, speed, , , kind, left, all] = match;
        const message = `${done} bytes, ${speed}`.replace(/([KMGT]) bytes/, '$1');
        if (kind === 'to') {
          counts = true;
          return saying(counted(Number(all) - Number(left), all, 'files'), message);
        }
        if (kind === 'ir') {
          counts = true;
          return saying(NO_AMOUNT, message);
        }
        return saying(counts ? {} : percent(share), message);
      },
    };
  },
};
