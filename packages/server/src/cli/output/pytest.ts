import { counted, NO_AMOUNT, percent } from './amounts.ts';
import type { Said, Tool } from './types.ts';

const START = /^=+ test session starts .*=+$|^=+ test session starts =+$/;
const END = /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected)|no tests ran)\b.* in [\d.]+s/;
/** Results of a file, or the name of a test and its result, and how far all of it is. */
const ROW = /^(?:\S.* )?(?:[.FEsxXpP]+|(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*\))?) *\[ *(?:(\d{1,3})%|(\d+)\/(\d+))\]$/;
/** The same of `-q`, which says nothing beforehand. */
const QUIET = /^[.FEsxXpP]+ *\[ *(?:(\d{1,3})%|(\d+)\/(\d+))\]$/;

/** pytest: the percentage, or the count, at the end of each row of results. Coverage and other percentages are not in such rows. */
export const pytest: Tool = {
  names: ['pytest', 'py.test'],
  start(args) {
    let running = args !== undefined;
    return {
      read({ text }): Said | undefined {
        if (START.test(text)) {
          running = true;
          return {};
        }
        if (END.test(text)) {
          running = args !== undefined;
          return { ...NO_AMOUNT, message: text.replace(/^=+ | =+$/g, '') };
        }
        const row = (running ? ROW : QUIET).exec(text);
        if (!row) return undefined;
        const said = row[1] === undefined ? counted(row[2], row[3], 'tests') : percent(row[1]);
        return said && { ...said, message: text.replace(/ *\[[^\]]*\]$/, '') };
      },
    };
  },
};
