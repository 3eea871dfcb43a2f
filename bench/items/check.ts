/** What it costs to know that a value has the shape it claims: each validator on the same values, in Node. */
import { over, sampleLoops, type Loop } from '../harness.ts';
import type { Item, Options } from '../item.ts';
import { ours, OURS_FULL, OURS_SHAPE } from '../ours.ts';
import { handWritten } from '../peers/hand-written.ts';
import { validators, type Test } from '../peers/validators.ts';
import { TIME, timeRows, type Table } from '../report.ts';
import { cardEvent, mixedOperationEvent, operationEvent, wrongOperationEvent } from '../samples.ts';

const PARSE = 'JSON.parse alone';

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

export const item: Item = {
  name: 'check',
  about: 'cost of checking one event',
  async run(options) {
    const made = [handWritten, ...ours, ...validators].map((validator) => [validator.name, validator.make()] as const);
    const tables = subjects.flatMap((subject) => {
      const tests = made.map(([name, { operation, card }]) => [name, subject.kind === 'card' ? card : operation] as const);
      return tablesOf(subject, tests, options);
    });
    return { tables };
  },
};
