import { counted, NO_AMOUNT } from './amounts.ts';
import type { Said, Tool } from './types.ts';

const PACKAGES = /^(?:.{0,80}\| +)?Packages: (?:\+(\d+))?(?: ?-\d+)?$/;
const PROGRESS = /^(?:.{0,80}\| +)?Progress: resolved (\d+), reused (\d+), downloaded (\d+), added (\d+)(, done)?$/;

/** pnpm: packages added, once it has said of how many. What it has resolved is no part of anything yet. */
export const pnpm: Tool = {
  names: ['pnpm', 'pnpx'],
  start() {
    let total: number | undefined;
    return {
      read({ text }): Said | undefined {
        const packages = PACKAGES.exec(text);
        if (packages) {
          total = packages[1] === undefined ? undefined : Number(packages[1]);
          return {};
        }
        const progress = PROGRESS.exec(text);
        if (!progress) return undefined;
        const [, resolved, reused, downloaded, added, done] = progress;
        const message = `resolved ${resolved}, reused ${reused}, downloaded ${downloaded}`;
        const said = { ...((total === undefined ? undefined : counted(added, total, 'packages')) ?? NO_AMOUNT), message };
        if (done) total = undefined;
        return said;
      },
    };
  },
};
