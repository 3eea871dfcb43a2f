import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CardRecord, Operation, Run } from '@sitrep/schema';
import {
  activity,
  amount,
  cardLiveness,
  cardText,
  currentStep,
  displayTitle,
  elapsed,
  formatNumber,
  formatPercent,
  fraction,
  liveness,
  percent,
  planCounts,
  sessionActivity,
  stateWord,
  stepDisplay,
  summary,
} from '@sitrep/schema/select';
import type { View } from '@sitrep/schema/select';
import { FINAL_STATES, OPERATION_STATES, RUN_STATES, STEP_STATES } from '@sitrep/schema/wire';

const operation = (fields: Partial<Operation> = {}): Operation => ({
  id: 'call-1',
  attempt: 1,
  state: 'running',
  updatedAt: 1000,
  ...fields,
});
const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0, -0, 1e308, 5e-324),
  fc.constant(undefined),
);

describe('numbers', () => {
  it('are those of Intl, whether or not a formatter is needed for them', () => {
    for (const locale of ['en', 'en-GB', 'en-IN', 'en-u-nu-arab', 'en-AU-u-nu-deva', 'de', 'ar-EG', 'fa', 'en-@']) {
      const plain = new Intl.NumberFormat(locale === 'en-@' ? 'en' : locale);
      const percents = new Intl.NumberFormat(locale === 'en-@' ? 'en' : locale, { style: 'percent', maximumFractionDigits: 0 });
      for (const value of [0, -0, 1, 9, 42, 99, 100, 999, 1000, 0.5, -1, 1e6]) {
        assert.equal(formatNumber(value, locale), plain.format(value === 0 ? 0 : value), `${value} in ${locale}`);
        if (value >= 0 && value <= 100 && Number.isInteger(value))
          assert.equal(formatPercent(value, locale), percents.format(value === 0 ? 0 : value / 100), `${value} % in ${locale}`);
      }
    }
  });
});

const state = fc.constantFrom(...OPERATION_STATES);

function amounts(current: number | undefined, total: number | undefined, part: number | undefined): Partial<Operation> {
  return {
    ...(current === undefined ? {} : { current }),
    ...(total === undefined ? {} : { total }),
    ...(part === undefined ? {} : { fraction: part }),
  };
}

describe('percent', () => {
  it('is a whole number of 0 to 100 or nothing, whatever the numbers', () => {
    fc.assert(
      fc.property(state, anyNumber, anyNumber, anyNumber, (each, current, total, part) => {
        const record = operation({ state: each, ...amounts(current, total, part) });
        const shown = percent(record);
        const width = fraction(record);
        assert.equal(shown === undefined, width === undefined);
        if (shown === undefined || width === undefined) return;
        assert.ok(Number.isInteger(shown) && shown >= 0 && shown <= 100);
        assert.ok(width >= 0 && width <= 1);
      }),
      { numRuns: 1000 },
    );
  });
  it('is exact for every whole amount of 100 and of 200', () => {
    for (let current = 0; current <= 100; current += 1) {
      assert.equal(percent(operation({ current, total: 100 })), current);
      assert.equal(percent(operation({ current: 2 * current, total: 200 })), current);
      assert.equal(percent(operation({ fraction: current / 100 })), current);
    }
  });
  it('is 100 only when all is done or completed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 0, max: 2e9 }), (total, current) => {
        assert.equal(percent(operation({ current, total })) === 100, current >= total);
      }),
    );
    assert.equal(percent(operation({ current: 1, total: 9, state: 'completed' })), 100);
  });
  it('never falls while the amount rises', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), fc.nat(1e6), (total, a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        assert.ok((percent(operation({ current: low, total })) as number) <= (percent(operation({ current: high, total })) as number));
      }),
    );
  });
});

describe('texts', () => {
  it('have no minus zero and fill no line', () => {
    assert.equal(amount({ current: -0, total: 5 }), '0 of 5');
    assert.equal(amount({ current: -0, unit: 'bytes' }), '0 B');
    assert.equal(amount({ current: 2 ** 53 - 1 }), '9,007,199,254,740,991');
    assert.equal(amount({ current: 1e308, total: Number.MAX_VALUE }), '1E308 of 1.798E308');
    assert.equal(amount({ current: -1e300, unit: 'bytes' }, 'de'), '-8,9E284 PiB');
  });
  it('hold no NaN and no undefined, whatever the numbers', () => {
    fc.assert(
      fc.property(
        state,
        anyNumber,
        anyNumber,
        anyNumber,
        fc.constantFrom(undefined, 'files', 'bytes', ''),
        fc.constantFrom('en', 'de', 'fa', 'nonsense tag'),
        (each, current, total, part, unit, locale) => {
          const record = operation({ state: each, ...amounts(current, total, part), ...(unit === undefined ? {} : { unit }) });
          for (const text of [amount(record, locale) ?? '', summary(record, locale)])
            assert.doesNotMatch(text, /NaN|undefined|Infinity|\{/);
        },
      ),
      { numRuns: 500 },
    );
  });
  it('take a title as it is, also one that looks like a pattern', () => {
    assert.equal(summary(operation({ title: '{rest} $& $1', current: 1, total: 2 })), '{rest} $& $1 50%');
  });
  it('name every state', () => {
    for (const each of OPERATION_STATES) assert.equal(stateWord(each), each === 'blocked' ? 'needs you' : each);
  });
  it('write the percent as the language does', () => {
    assert.deepEqual(
      ['en', 'de', 'tr'].map((locale) => formatPercent(50, locale)),
      ['50%', '50\u00a0%', '%50'],
    );
  });
  it('use Intl formatters of many languages without keeping them all', () => {
    for (let index = 0; index < 300; index += 1) assert.equal(amount(operation({ current: 1 }), `en-x-a${index}`), '1');
  });
});

describe('card text', () => {
  it('has no markup of a tag left and takes time in proportion, whatever the note', () => {
    const piece = fc.constantFrom(
      '<progress value="1" max="2">',
      '</progress>',
      '<script>',
      '</script>',
      '<!--',
      '-->',
      '`',
      '```\n',
      '**',
      '[a](b)',
      '![x](y)',
      '| a | b |\n',
      '<',
      '>',
      'word ',
      '\n',
      '> ',
      '- [x] ',
      '# ',
      '\\*',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300, size: 'max' }), (pieces) => {
        const text = cardText({ markdown: pieces.join('') });
        assert.ok(text.length > 0 && text.length <= pieces.join('').length + 'Progress updated'.length);
      }),
      { numRuns: 300 },
    );
    for (const hostile of [
      '['.repeat(8192),
      '<a'.repeat(4096),
      '`'.repeat(8192),
      '`a``b'.repeat(1600),
      '<script>'.repeat(1000),
      '*_'.repeat(4096),
      '![a]('.repeat(1600),
      '<!--'.repeat(2048),
      ' '.repeat(8192),
      '>'.repeat(8192),
    ]) {
      assert.equal(typeof cardText({ markdown: hostile }), 'string');
    }
  });
  it('keeps the words around links, pictures, escapes and code', () => {
    assert.equal(
      cardText({ markdown: 'See [the *log*](https://example.org "Log") and ![a chart](c.png), 2 \\* 3, `x * y`, a_b_c.' }),
      'See the log and a chart, 2 * 3, x * y, a_b_c.',
    );
  });
  it('drops what a script or style holds', () => {
    assert.equal(cardText({ markdown: 'a <STYLE>p{}</STYLE> b <iframe src=x>no</iframe> c <b>d</b> <script>e' }), 'a  b  c d');
  });
});

describe('liveness', () => {
  const runs = fc.option(
    fc.record({
      run: fc.constantFrom('r1', 'r2'),
      state: fc.constantFrom(...RUN_STATES),
      updatedAt: fc.nat(5000),
      startedAt: fc.nat(5000),
      endedAt: fc.nat(5000),
    }),
    { nil: undefined },
  );
  const connection = fc.option(
    fc.record({ state: fc.constantFrom('connecting', 'live', 'reconnecting', 'lost', 'ended'), since: fc.nat(5000) }),
    { nil: undefined },
  );
  const view: fc.Arbitrary<View> = fc.record({
    now: fc.nat(1e6),
    run: runs as fc.Arbitrary<Run | undefined>,
    connection: connection as fc.Arbitrary<View['connection']>,
  });

  it('lets an operation move only while it is live, its run active and the connection up', () => {
    fc.assert(
      fc.property(state, view, (each, around) => {
        const found = liveness(operation({ state: each }), around);
        const isOver = (FINAL_STATES as readonly string[]).includes(each);
        assert.equal(found === 'settled', isOver);
        if (found !== 'moving') return;
        assert.ok(around.connection === undefined || around.connection.state === 'live');
        assert.ok(around.run === undefined || around.run.state === 'running');
      }),
      { numRuns: 500 },
    );
  });
  it('lets a card move only in the run it was written in', () => {
    const card = fc.record({ revision: fc.constant(1), updatedAt: fc.nat(5000), run: fc.constantFrom('r1', undefined) }).map(
      ({ run, ...rest }) =>
        ({
          ...rest,
          ...(run === undefined ? {} : { run }),
          card: { plan: STEP_STATES.map((status) => ({ step: 'a', status })) },
        }) as CardRecord,
    );
    fc.assert(
      fc.property(card, view, (record, around) => {
        const found = cardLiveness(record, around);
        assert.notEqual(found, 'settled');
        const displays = record.card?.plan?.map((step) => stepDisplay(step, record, around));
        assert.equal(displays?.[0], 'pending');
        assert.equal(displays?.[2], 'completed');
        if (found === 'paused') assert.notEqual(displays?.[1], 'current');
        if (found !== 'moving' || around.run === undefined) return;
        assert.equal(around.run.state, 'running');
        assert.ok(
          record.run === undefined
            ? around.run.startedAt === undefined || around.run.startedAt <= (record.updatedAt as number)
            : record.run === around.run.run,
        );
      }),
      { numRuns: 500 },
    );
  });
  it('says nothing of failure for however long a silence', () => {
    assert.equal(liveness(operation(), { now: 4e12 }), 'stale');
    assert.equal(activity(operation()), 'working');
  });
});

describe('small questions', () => {
  it('are answered without a plan', () => {
    assert.deepEqual(planCounts(undefined), { completed: 0, total: 0 });
    assert.equal(currentStep(undefined), undefined);
    assert.equal(currentStep([]), undefined);
  });
  it('are answered for an operation that names nothing', () => {
    assert.equal(displayTitle(operation()), 'Operation');
    assert.equal(elapsed(operation(), 5), undefined);
  });
  it('never call a session needy unless something is blocked', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ state, ambient: fc.boolean() }), { maxLength: 20, size: 'max' }), (list) => {
        const found = sessionActivity(
          list.map((each) => operation(each)),
          [],
        );
        assert.equal(
          found === 'needs-you',
          list.some((each) => each.state === 'blocked'),
        );
      }),
    );
  });
});
