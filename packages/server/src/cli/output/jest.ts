import { counted, saying } from './amounts.ts';
import type { Tool } from './types.ts';

const SUITES = /^Test Suites: (?:\d+ [a-z]+, )*(\d+) of (\d+) total$/;

/** jest: the suites that have run, of all that were found. How many tests those hold is known only at the end. */
export const jest: Tool = {
  names: ['jest'],
  start: () => ({
    read({ text }) {
      const match = SUITES.exec(text);
      return match ? saying(counted(match[1], match[2], 'suites'), text) : undefined;
    },
  }),
};
