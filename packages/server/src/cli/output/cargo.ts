import { counted, NO_AMOUNT, percent, saying } from './amounts.ts';
import type { Said, Tool } from './types.ts';

const BAR =
  /^(Building|Checking|Documenting|Fixing|Fetch|Downloading|Packaging|Verifying|Scraping) +\[[=> ]*\] +(?:(\d+)\/(\d+)[:,]|([\d.]+)%)(.*)$/;
const FINISHED = /^Finished [`\w].* in [\d.hms ]+s$/;
const RUNNING = /^running (\d+) tests?$/;
const RESULT = /^test \S.* \.\.\. (?:ok|FAILED|ignored\b.*|bench: .*)$/;

/** cargo: its bar in crates, and under `cargo test` the tests of each program, which it announces and then names one by one. */
export const cargo: Tool = {
  names: ['cargo'],
  start() {
    let total: number | undefined;
    let done = 0;
    return {
      read({ text }): Said | undefined {
        const bar = BAR.exec(text);
        if (bar) {
          const [, verb, part, whole, share, rest = ''] = bar;
          return saying(share === undefined ? counted(part, whole, 'crates') : percent(share), `${verb} ${rest.replace(/^, /, '').trim()}`);
        }
        if (FINISHED.test(text)) return { ...NO_AMOUNT, message: text };
        const running = RUNNING.exec(text);
        if (running) {
          total = Number(running[1]);
          done = 0;
          return { ...(counted(0, total, 'tests') ?? NO_AMOUNT), message: text };
        }
        if (total === undefined || !RESULT.test(text)) return undefined;
        done += 1;
        return saying(counted(done, total, 'tests') ?? NO_AMOUNT, text);
      },
      missed() {
        total = undefined;
      },
    };
  },
};
