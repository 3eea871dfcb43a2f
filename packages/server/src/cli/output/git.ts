import { counted, countedSoFar, saying } from './amounts.ts';
import type { Tool } from './types.ts';

const PHASE =
  /^(?:remote: )?((?:Enumerating|Counting|Compressing|Receiving|Writing|Unpacking|Indexing|Checking) objects|Resolving deltas|Finding sources|(?:Updating|Checking out) files|Filtering content|Checking connectivity|Refreshing index|Expanding reachable commits in commit graph|Computing commit graph generation numbers|Collecting referenced commits): +(?:(\d{1,3})% \((\d+)\/(\d+)\)|(\d+))(.*)$/;

/** git: each phase counts its own things from the beginning. A phase without a percentage has only counted so far. */
export const git: Tool = {
  names: ['git'],
  start: () => ({
    read({ text, open }) {
      const match = PHASE.exec(text);
      // Of "17%" only the 17 may have come.
      if (!match || (open && match[5] !== undefined)) return undefined;
      const [, phase = '', , part, whole, soFar, rest = ''] = match;
      const unit = phase.split(' ').at(-1) as string;
      const more = /^, (.*?)(?:, )?(?:done\.?)?$/.exec(rest)?.[1];
      const said = soFar === undefined ? counted(part, whole, unit) : countedSoFar(soFar, unit);
      return saying(said, more ? `${phase}, ${more}` : phase);
    },
  }),
};
