/** What it costs to know that a value has the shape it claims: each validator on the same values, in Node. */
import Ajv from 'ajv';
import { Errors } from 'typebox/value';
import { checkEvent } from '@sitrep/schema/check';
import { OperationEvent, type CardEvent } from '@sitrep/schema/wire';
import { over, sampleLoops, type Loop } from '../harness.ts';
import type { Item, Options } from '../item.ts';
import { ours, OURS_FULL, OURS_SHAPE } from '../ours.ts';
import { handWritten } from '../peers/hand-written.ts';
import { validators, type Test } from '../peers/validators.ts';
import { TIME, timeRows, type Table } from '../report.ts';
import { cardEvent, mixedOperationEvent, operationEvent, wrongOperationEvent } from '../samples.ts';
import { countThreadTime } from '../thread-time.ts';

const PARSE = 'JSON.parse alone';
const READ = 'ours: limits, text and rules';

interface Subject {
  readonly title: string;
  readonly values: readonly unknown[];
  readonly kind: 'operation' | 'card';
  readonly valid: boolean;
}

const pool = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));

const subjects: readonly Subject[] = [
  { title: 'operation event, 8 fields, valid', values: pool(64, operationEvent), kind: 'operation', valid: true },
  { title: 'operation events of 32 shapes, valid', values: pool(64, mixedOperationEvent), kind: 'operation', valid: true },
  { title: 'operation event, 8 fields, last one wrong', values: pool(64, wrongOperationEvent), kind: 'operation', valid: false },
  { title: 'card event, 50 steps and 8 KB note, valid', values: pool(16, cardEvent), kind: 'card', valid: true },
];

function tablesOf(subject: Subject, all: readonly (readonly [string, Test])[], options: Options): Table[] {
  for (const [name, test] of all) {
    if (subject.values.some((value) => test(value) !== subject.valid)) throw new Error(`${name} misjudges: ${subject.title}`);
  }
  const rounds = options.quick ? { rounds: 5, batchMs: 3 } : { rounds: 25, batchMs: 10 };
  const measured = (title: string, limit: string, loops: readonly Loop[]): Table => {
    options.progress(title);
    return { title, metrics: [TIME], limit, ours: [OURS_SHAPE, OURS_FULL], rows: timeRows(sampleLoops(loops, rounds)) };
  };
  const checks = all.map(([name, test]) => over(name, subject.values, test));
  const plain = measured(subject.title, handWritten.name, checks);
  const texts = subject.values.map((value) => JSON.stringify(value));
  const parses = all.map(([name, test]) => over(name, texts, (text) => test(JSON.parse(text))));
  const parse = over(PARSE, texts, (text) => JSON.parse(text) !== null);
  return [plain, measured(`JSON.parse and check: ${subject.title}`, PARSE, [parse, ...parses])];
}

/** Why a value was refused: what every validator has to say about the first thing it finds wrong, in its own form. */
function explained(options: Options): Table {
  const values = pool(64, wrongOperationEvent);
  const ajv = new Ajv({ strict: false }).compile(JSON.parse(JSON.stringify(OperationEvent)) as object);
  const reasons: Record<string, (value: unknown) => number> = {
    [OURS_FULL]: (value) => {
      const answer = checkEvent(value);
      return answer.ok ? 0 : answer.issues.length;
    },
    'TypeBox Value.Errors': (value) => Errors(OperationEvent, value).length,
    ajv: (value) => (ajv(value) ? 0 : (ajv.errors?.length ?? 0)),
  };
  const loops = Object.entries(reasons).map(([name, count]) => {
    if (values.some((value) => count(value) === 0)) throw new Error(`${name} gives no reason`);
    return over(name, values, (value) => count(value) > 0);
  });
  const title = 'refuse and say why: operation event, last of 8 fields wrong';
  options.progress(title);
  const rows = timeRows(sampleLoops(loops, options.quick ? { rounds: 5, batchMs: 3 } : { rounds: 25, batchMs: 10 }));
  return {
    title,
    note: 'TypeBox and ajv on the same schema; ours are sentences with path and code.',
    metrics: [TIME],
    ours: [OURS_FULL],
    rows,
  };
}

/** A card that is already parsed: what its byte limits, the cleaning of its texts and its rules add. */
function finished(options: Options): Table[] {
  const plain = (event: CardEvent): CardEvent => JSON.parse(JSON.stringify(event).replace(/[^ -~]/g, 'x')) as CardEvent;
  const parsed = (event: CardEvent): CardEvent => JSON.parse(JSON.stringify(event)) as CardEvent;
  return [['a full card, text of many scripts in its note', parsed] as const, ['a full card, its note in ASCII', plain] as const].map(
    ([title, make]) => {
      options.progress(title);
      const values = pool(16, (i) => make(cardEvent(i)));
      const texts = values.map((value) => JSON.stringify(value));
      if (values.some((value) => !sameCard(value))) throw new Error('a card without anything to clean came back as another');
      const loops = [over(PARSE, texts, (text) => JSON.parse(text) !== null), over(READ, values, sameCard)];
      const rows = timeRows(sampleLoops(loops, options.quick ? { rounds: 5, batchMs: 3 } : { rounds: 25, batchMs: 10 }));
      return { title, note: 'Checked, limited and cleaned, against parsing its text.', metrics: [TIME], limit: PARSE, ours: [READ], rows };
    },
  );
}

const sameCard = (value: CardEvent): boolean => {
  const answer = checkEvent(value);
  return answer.ok && answer.value === value;
};

export const item: Item = {
  name: 'check',
  about: 'cost of checking one event',
  async run(options) {
    countThreadTime();
    const made = [handWritten, ...ours, ...validators].map((validator) => [validator.name, validator.make()] as const);
    const tables = subjects.flatMap((subject) => {
      const tests = made.map(([name, { operation, card }]) => [name, subject.kind === 'card' ? card : operation] as const);
      return tablesOf(subject, tests, options);
    });
    return { tables: [...tables, ...finished(options), explained(options)] };
  },
};
