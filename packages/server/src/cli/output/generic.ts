import { counted, NO_AMOUNT, percent } from './amounts.ts';
import type { Line, Said, Tool } from './types.ts';

/** What may stand before a count: a time, a level, the name of a task. */
const PREFIX = String.raw`(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*\]? |\[?\d\d:\d\d:\d\d\S*\]? |(?:INFO|info)[: ] ?)?`;
/** `[3/10] Compiling`: steps of ninja, swift, yarn, bazel and many scripts. */
const STEP = new RegExp(String.raw`^${PREFIX}\[ {0,8}(\d{1,12}) {0,2}\/ {0,2}(\d{1,12}) {0,2}\](?: |:|$)`);
/** Elsewhere in a line a count is believed when the next one follows it. */
const ASIDE = /(?:^|[ :])[[(] {0,8}(\d{1,12}) {0,2}\/ {0,2}(\d{1,12}) {0,2}[\])](?=$|[ :.,])/;
/** `[ 42%] Building CXX object`, `Progress: [ 42%]`. */
const LEADING = /^(?:Progress: {1,4})?\[ {0,8}(\d{1,3}(?:\.\d{1,6})?) ?%\]/;
/** `42%|████      | 42/100 [00:01<…`, with a name before it or not. */
const PIPE_BAR = /^(?:[^|%]{1,80}: {0,4})?(\d{1,3}(?:\.\d{1,6})?) ?%\|[^|]*\|(?: *(\d+)\/(\d+) \[)?/;
/** A bar, of whatever it is made. */
const BAR = /[█▉▊▋▌▍▎▏▓▒░■□▰▱━╸╺⣿⣀]{3,}|[[(|<][#=*+>.\- ]{5,}[\])|>]|#{5,}/u;
/** `1.2/3.4 MB` beside a bar. */
const SIZES = /(?:^| )(\d+(?:\.\d+)?) ?\/ ?(\d+(?:\.\d+)?) ?(bytes|[kKMGT]i?B)\b/;
const PERCENT = /(?<![\d.,/+-])(\d{1,3}(?:\.\d{1,6})?) ?%(?!\w)/g;
const COUNTS = /\((\d{1,12})\/(\d{1,12})\)/;
/** Things that are measured, not done. */
const GAUGE =
  /\b(?:[cg]pus?|cores?|mem(?:ory)?|ram|swap|heap|disks?|batter(?:y|ies)|usage|use[ds]?|load(?!ing|ed)|idle|util\w*|temp\w*|humidity|volume|brightness|signal|cover\w*|statements|branches|functions|accurac\w+|precision|recall|loss|lost|rate|ratio|hits?|cache|confidence|similarity|score|health|free|full|faster|slower|smaller|larger|bigger|less|more|off|discount|chance|probability|growth|change[ds]?|passed|failed|context|tokens?|quota|limit|budget)\b/i;
/** Percentages from which a value may fall to this without being a gauge: the next thing begins. */
const RESTART = 5;
const MAX_LABELS = 50;

/** Any other program: only what can hardly be anything but progress. */
export const generic: Tool = {
  names: [],
  start() {
    let aside: { readonly current: number; readonly total: number } | undefined;
    const seen = new Map<string, number>();
    const gauges = new Set<string>();

    /** A percentage drawn over itself is believed when it has been seen before and has not fallen since. */
    const drawn = ({ text }: Line, value: number, surely: boolean): Said | undefined => {
      const label = text.replace(/[^\p{L}]+/gu, ' ').slice(0, 80);
      if (gauges.has(label)) return undefined;
      const before = seen.get(label);
      if (seen.size >= MAX_LABELS) seen.clear();
      seen.set(label, value);
      if (before !== undefined && value < before && value > RESTART) {
        if (gauges.size < MAX_LABELS) gauges.add(label);
        return NO_AMOUNT;
      }
      return surely || before !== undefined ? percent(value) : undefined;
    };

    return {
      read(line): Said | undefined {
        const { text, redrawn, open } = line;
        if (open || !/[%/]/.test(text)) return undefined;
        const step = STEP.exec(text);
        if (step) return counted(step[1], step[2]);
        const leading = LEADING.exec(text);
        if (leading) return percent(leading[1]);
        const pipe = PIPE_BAR.exec(text);
        if (pipe) return pipe[2] === undefined ? percent(pipe[1]) : (counted(pipe[2], pipe[3]) ?? percent(pipe[1]));
        const apart = ASIDE.exec(text);
        if (apart && !redrawn && !GAUGE.test(text) && !text.includes('%')) {
          const [current, total] = [Number(apart[1]), Number(apart[2])];
          const follows = aside?.total === total && aside.current + 1 === current;
          aside = { current, total };
          return follows ? counted(current, total) : undefined;
        }
        if (GAUGE.test(text)) return undefined;
        const bar = redrawn && BAR.test(text);
        const sizes = bar ? SIZES.exec(text) : null;
        if (sizes) return counted(sizes[1], sizes[2], sizes[3]);
        const percents = [...text.matchAll(PERCENT)];
        // Two different percents in one line: which of them is the progress is a guess.
        if (percents.length !== 1) return undefined;
        const value = Number(percents[0]?.[1]);
        if (value > 100) return undefined;
        // A line of its own is often a log of how far something is, and as often an answer: it has to go on.
        if (!redrawn) return /^\d{1,3}(?:\.\d{1,6})? ?%$/.test(text) ? drawn(line, value, false) : undefined;
        const counts = COUNTS.exec(text);
        if (counts && Math.floor((Number(counts[1]) / Number(counts[2])) * 100) === Math.floor(value)) return counted(counts[1], counts[2]);
        return drawn(line, value, bar);
      },
      missed() {
        aside = undefined;
      },
    };
  },
};
