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
const PIPE_BAR = /^(?:[^|%]{1,80}: {0,4})?(\d{1,3}(?:\.\d{1,6})?) ?%\|[^|\p{L}/]*\|(?: *(\d+)\/(\d+) \[)?/u;
/** A bar, of whatever it is made. */
const BAR = /[█▉▊▋▌▍▎▏▓▒░■□▰▱━╸╺⣿⣀]{3,}|[[(|<][#=*+>.\- ]{5,}[\])|>]|#{5,}/u;
/** `1.2/3.4 MB` beside a bar. */
const SIZES = /(?:^| )(\d+(?:\.\d+)?) ?\/ ?(\d+(?:\.\d+)?) ?(bytes|[kKMGT]i?B)\b/;
const PERCENT = /(?<![\d.,/+-])(\d{1,3}(?:\.\d{1,6})?) ?%(?!\w)/g;
const COUNTS = /\((\d{1,12})\/(\d{1,12})\)/;
/** Things that are measured, not done. */
const GAUGE =
  /\b(?:[cg]pus?\d*|cores?|mem(?:ory)?|ram|swap|heap|disks?|batter(?:y|ies)|usage|use[ds]?|load(?!ing|ed)|idle|util\w*|temp\w*|humidity|volume|brightness|signal|cover\w*|statements|branches|functions|accurac\w+|precision|recall|loss|lost|rate|ratio|hits?|cache|confidence|similarity|score|health|free|full|faster|slower|smaller|larger|bigger|less|more|off|discount|chance|probability|growth|change[ds]?|passed|failed|context|tokens?|quota|limit|budget)\b/i;
/** What a count or a percentage at the start of a line may be of, if it is no step: said in the first two words. */
const NO_STEP =
  /^(?:\p{L}+ )?(?:re-?tr(?:y|ies|ied|ying)|attempts?|tr(?:y|ies|ying)|errors?|warn(?:ings?)?|fail(?:s|ed|ures?)?|skipped|replicas?|ready|up|down|unreachable|stars?|points?|rating|quality|of)(?![\p{L}\p{N}./_-])/iu;
/** The same of a count that stands aside. */
const TRIES =
  /\b(?:re-?tr(?:y|ies|ied|ying)|attempts?|tr(?:y|ies|ying)|errors?|warn(?:ings?)?|fail(?:s|ed|ures?|ing)?|unreachable|down|replicas?|ready)\b/i;
const GAUGE_WORD = new RegExp(`^(?:${GAUGE.source})[:,]?$`, 'i');
const FIRST_WORDS = /^(?:[^\s\p{L}]*\p{L}[^\s]* ?){0,2}/u;
/** Percentages from which a value may fall to this without being a gauge: the next thing begins. */
const RESTART = 5;
const MAX_LABELS = 50;

/** Any other program: only what can hardly be anything but progress. */
export const generic: Tool = {
  names: [],
  start() {
    let aside: { readonly current: number; readonly total: number } | undefined;
    let step: { readonly current: number; readonly total: number; readonly rises: boolean } | undefined;
    let leading: { readonly value: number; readonly rises: boolean } | undefined;
    const seen = new Map<string, { readonly value: number; readonly rises: boolean }>();
    const gauges = new Set<string>();

    /** A count is believed once a higher one of as many has followed: one alone may be a fraction, a date or a rating. */
    const counting = (current: number, total: number): Said | undefined => {
      const isSame = step !== undefined && step.total === total && current >= step.current;
      const rises = isSame && (step?.rises === true || current > (step?.current ?? 0));
      step = { current, total, rises };
      return rises ? counted(current, total) : undefined;
    };

    /** The same of a percentage. */
    const rising = (value: number): Said | undefined => {
      const rises = leading !== undefined && value >= leading.value && (leading.rises || value > leading.value);
      leading = { value, rises };
      return rises ? percent(value) : undefined;
    };

    /** A percentage drawn over itself is believed when it rises, and no more once it has fallen. */
    const drawn = ({ text }: Line, value: number, surely: boolean): Said | undefined => {
      const label = text.replace(/[^\p{L}]+/gu, ' ').slice(0, 80);
      if (gauges.has(label)) return undefined;
      const before = seen.get(label);
      if (seen.size >= MAX_LABELS) seen.clear();
      const rises = before !== undefined && (before.rises || value > before.value);
      seen.set(label, { value, rises });
      if (before !== undefined && value < before.value && value > RESTART) {
        if (gauges.size < MAX_LABELS) gauges.add(label);
        return NO_AMOUNT;
      }
      return surely || rises ? percent(value) : undefined;
    };

    return {
      read(line): Said | undefined {
        const { text, redrawn, open } = line;
        if (open || !/[%/]/.test(text)) return undefined;
        const numbered = STEP.exec(text);
        if (numbered) return NO_STEP.test(restOf(text, numbered)) ? undefined : counting(Number(numbered[1]), Number(numbered[2]));
        const share = LEADING.exec(text);
        if (share) return isMeasured(restOf(text, share)) ? undefined : rising(Number(share[1]));
        const pipe = PIPE_BAR.exec(text);
        if (pipe && (redrawn || pipe[2] !== undefined || /[#█▉▊▋▌▍▎▏▓■]/u.test(pipe[0])))
          return pipe[2] === undefined ? percent(pipe[1]) : (counted(pipe[2], pipe[3]) ?? percent(pipe[1]));
        const apart = ASIDE.exec(text);
        if (apart && !redrawn && !GAUGE.test(text) && !TRIES.test(text) && !text.includes('%')) {
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

const restOf = (text: string, { 0: number }: RegExpExecArray): string => text.slice(number.length).trimStart();

/** Whether a percentage at the start of a line is that of a gauge: its first two words say so; a path later on may be named anything. */
function isMeasured(rest: string): boolean {
  const [words = ''] = FIRST_WORDS.exec(rest) ?? [];
  return NO_STEP.test(rest) || words.split(' ').some((word) => GAUGE_WORD.test(word));
}
