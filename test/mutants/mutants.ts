/** One small wrong turn in the rules. Some test must notice it. */
export interface Mutant {
  /** Default: `schema`. */
  readonly package?: 'client' | 'server' | undefined;
  /** File under `dist` of the package. */
  readonly file: string;
  /** Text that stands in it exactly once; blanks and line breaks count alike. */
  readonly find: string;
  readonly replace: string;
  /** What would go wrong. */
  readonly why: string;
}

/** Faults in ordering, reducing, deriving and text rules, each of which some product has shipped. */
export const RULE_MUTANTS: readonly Mutant[] = [
  {
    file: 'reduce/ordering.js',
    find: 'event.seq <= record.seq',
    replace: 'event.seq < record.seq',
    why: 'the same sequence is applied twice',
  },
  {
    file: 'reduce/ordering.js',
    find: "return event.seq === record.seq ? 'duplicate' : 'stale';",
    replace: "return 'stale';",
    why: 'a repeated event is counted as an old one',
  },
  {
    file: 'reduce/ordering.js',
    find: "return attempt > record.attempt ? 'afresh' : 'stale';",
    replace: "return 'afresh';",
    why: 'an older attempt begins the work anew',
  },
  {
    file: 'reduce/ordering.js',
    find: 'return event.attempt ?? 1;',
    replace: 'return event.attempt ?? Number.MAX_SAFE_INTEGER;',
    why: 'an event without an attempt ends a newer one',
  },
  {
    file: 'reduce/ordering.js',
    find: "return claimed === held ? 'enrich' : 'late';",
    replace: "return 'enrich';",
    why: 'what has ended takes another outcome to itself',
  },
  {
    file: 'reduce/ordering.js',
    find: "if (!isFinal(held)) return 'merge';",
    replace: "return 'merge';",
    why: 'finished work is revived by a late event',
  },
  {
    file: 'reduce/ordering.js',
    find: 'if (claimed > held)',
    replace: 'if (claimed >= held)',
    why: 'a card is replaced by the same revision',
  },
  {
    file: 'reduce/ordering.js',
    find: "return claimed === held ? 'duplicate' : 'stale';",
    replace: "return 'merge';",
    why: 'an older card comes back',
  },
  {
    file: 'reduce/ordering.js',
    find: 'attempt > forgotten.attempt',
    replace: 'attempt >= forgotten.attempt',
    why: 'what was cleared comes back by a late event',
  },
  {
    file: 'reduce/operation.js',
    find: "draft.state = event.state ?? 'pending';",
    replace: "draft.state = event.state ?? 'running';",
    why: 'work that never began is shown running',
  },
  {
    file: 'reduce/card.js',
    find: 'card.plan !== undefined && card.plan.length > 0',
    replace: 'card.plan !== undefined',
    why: 'an empty plan is kept as a card',
  },
  {
    file: 'reduce/card.js',
    find: "card.markdown.trim() !== ''",
    replace: "card.markdown !== ''",
    why: 'a blank note is kept as a card',
  },
  {
    file: 'reduce/card.js',
    find: 'if (event.run !== undefined)',
    replace: 'if (event.run === undefined)',
    why: 'a card forgets which run wrote it',
  },
  {
    file: 'reduce/run.js',
    find: 'record[field] === undefined && (event[field] ?? undefined) !== undefined',
    replace: '(event[field] ?? undefined) !== undefined',
    why: 'the end of a run moves after it was told',
  },
  {
    file: 'reduce/advance.js',
    find: 'seq > held.seq)',
    replace: 'seq >= held.seq)',
    why: 'a running operation takes the same sequence twice',
  },
  {
    file: 'reduce/advance.js',
    find: 'attemptOf(event) !== held.attempt || ',
    replace: '',
    why: 'an event of another attempt moves a running one',
  },
  {
    file: 'reduce/advance.js',
    find: 'if (value !== held[name])',
    replace: 'if (false)',
    why: 'what a running operation says besides its amounts is lost',
  },
  {
    file: 'reduce/operation-records.js',
    find: 'if (slot.draft === undefined && isFinal(slot.record.state)) return undefined;',
    replace: '',
    why: 'an ended operation is moved like a running one',
  },
  {
    file: 'reduce/operation-records.js',
    find: 'slot.record = Object.freeze(slot.draft);',
    replace: 'slot.record = slot.draft;',
    why: 'a record that was handed out can be changed',
  },
  {
    file: 'reduce/operation-records.js',
    find: 'slot.listed = false; this.#settle(slot);',
    replace: 'slot.listed = false;',
    why: 'the records that are read are behind',
  },
  {
    file: 'reduce/coalescer.js',
    find: 'return seq > held.seq && at - start <= MAX_DIGITS ? held : undefined;',
    replace: 'return held;',
    why: 'an older update replaces the newer one that was held back',
  },
  {
    file: 'reduce/coalescer.js',
    find: "state === 'blocked' || isFinal(state)",
    replace: 'isFinal(state)',
    why: 'an operation that blocks is held back',
  },
  {
    file: 'reduce/coalescer.js',
    find: 'if (held.pending !== undefined) texts.push(held.pending);',
    replace: '',
    why: 'what was held back is lost',
  },
  {
    file: 'reduce/coalescer.js',
    find: 'held === undefined || held.run !== run',
    replace: 'held === undefined',
    why: 'an update of another run is applied after what came later',
  },
  {
    file: 'select/percent.js',
    find: 'part * 100 + TOLERANCE',
    replace: 'part * 100',
    why: '29 of 100 is shown as 28',
  },
  {
    file: 'select/percent.js',
    find: 'Math.min(99, ',
    replace: '(',
    why: '99.9999999999 % is shown as done',
  },
  {
    file: 'select/percent.js',
    find: 'Math.floor(',
    replace: 'Math.round(',
    why: '199.6 of 200 is shown as done',
  },
  {
    file: 'select/fraction.js',
    find: 'Math.min(1, Math.max(0, raw))',
    replace: 'raw',
    why: 'a bar beyond its track',
  },
  {
    file: 'select/fraction.js',
    find: "op.state === 'completed' ? 1 : ",
    replace: '',
    why: 'completed work is shown with its last amount',
  },
  {
    file: 'check/text/clean-line.js',
    find: "line.split('\\r').findLast((segment) => segment !== '') ?? ''",
    replace: "line.split('\\r')[0]",
    why: 'a redrawn line keeps what was drawn over',
  },
  {
    file: 'check/text/clean-line.js',
    find: ".replaceAll('\\t', ' ')",
    replace: '',
    why: 'a tab stays in a line',
  },
  {
    file: 'check/text/escapes.js',
    find: "'\\\\x1b[0-~]',",
    replace: '',
    why: 'two-character sequences leave litter',
  },
  {
    file: 'check/text/joiners.js',
    find: 'isPictograph(base) && isPictograph(next)',
    replace: 'isPictograph(base)',
    why: 'a joiner dangles behind a pictograph',
  },
  {
    file: 'check/text/truncate.js',
    find: 'codePointOffset(text, maxCodePoints - 1)',
    replace: 'maxCodePoints - 1',
    why: 'half an emoji at the cut',
  },
  {
    file: 'check/text/truncate.js',
    find: 'if (text.charCodeAt(stop - 1) === ZERO_WIDTH_JOINER) stop -= 1;',
    replace: 'if (false) stop -= 1;',
    why: 'a joiner dangles at the cut',
  },
  {
    file: 'check/text/truncate.js',
    find: "maxBytes - (mark === '' ? 0 : MARK_BYTES)",
    replace: 'maxBytes',
    why: 'the mark breaks the limit',
  },
  {
    file: 'check/text/utf8.js',
    find: 'codePoint < 0x800 ? 2',
    replace: 'codePoint < 0x1000 ? 2',
    why: 'bytes are counted too low without the platform',
  },
  {
    file: 'check/text/utf8.js',
    find: 'if (text.length * 3 <= max) return false;',
    replace: 'if (text.length * 2 <= max) return false;',
    why: 'a long note slips through in three-byte letters',
  },
  {
    file: 'check/text/clean-openclaw.js',
    find: '\\u200b-\\u200f',
    replace: '\\u200b-\\u200c\\u200e\\u200f',
    why: 'the profile keeps a joiner that its peer strips',
  },
  {
    file: 'check/text/clean-openclaw.js',
    find: '\\u2060-\\u2064',
    replace: '\\u2060-\\u2069',
    why: 'the profile strips isolates that its peer keeps',
  },
  {
    file: 'dialect/mend-plan.js',
    find: 'words[value]',
    replace: "(words[value] ?? 'completed')",
    why: 'an unknown step is shown as done',
  },
  {
    file: 'dialect/mend-plan.js',
    find: "if (status !== 'in_progress' || !hasActive) return status;",
    replace: 'return status;',
    why: 'two steps are shown as the current one',
  },
  {
    file: 'dialect/native.js',
    find: "meaning(native.state) === (state ?? 'pending')",
    replace: 'true',
    why: 'a peer is told its old word for a new state',
  },
  {
    file: 'dialect/reading.js',
    find: 'if (total > 0) return total;',
    replace: 'return total;',
    why: 'a total of zero becomes a full bar',
  },
];
