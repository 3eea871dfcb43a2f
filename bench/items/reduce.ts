/** What it costs to keep the state of a session: parse, check, order and merge every event of a long stream. */
import { checkStreamEvent } from '@sitrep/schema/check';
import { Coalescer, SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent } from '@sitrep/schema/wire';
import { sampleRuns, sink, type Run } from '../harness.ts';
import type { Item } from '../item.ts';
import { agUi, agUiTexts, aiSdk, aiSdkTexts, naiveMap, spreading, type Texts } from '../peers/reducers.ts';
import { TIME, timeRows, type Table } from '../report.ts';
import { streamEvent } from '../samples.ts';
import { countThreadTime } from '../thread-time.ts';

const OURS = 'ours: parse, check, apply';
const OURS_COALESCED = 'ours: coalesce, parse, check, apply';
const OURS_TRUSTED = 'ours: parse, apply';
const PARSE = 'JSON.parse alone';

const eventsOf = (count: number, ids: number) => Array.from({ length: count }, (_, i) => streamEvent(i, ids, count));
const textsOf = (events: readonly OperationEvent[]): Texts => events.map((event) => JSON.stringify(event));

/** Throws when a case did not do the whole work: a fast loss is no win. */
function settled(index: SessionIndex, texts: Texts, ids: number): void {
  const { applied } = index.outcomes;
  if (index.operations.size !== ids || applied !== texts.length) {
    throw new Error(`${index.operations.size} of ${ids} operations, ${applied} of ${texts.length} events applied`);
  }
  sink.value += index.operations.size;
}

function ours(texts: Texts, ids: number): void {
  const index = new SessionIndex('bench', { operations: Math.max(ids, 1000) });
  for (const text of texts) {
    const checked = checkStreamEvent(JSON.parse(text));
    if (checked.ok && checked.value.type === 'operation') index.apply(checked.value);
  }
  settled(index, texts, ids);
}

/** The same, with updates held back as text as long as nobody looks: nobody does before the end. */
function coalesced(texts: Texts, ids: number): void {
  const index = new SessionIndex('bench', { operations: Math.max(ids, 1000) });
  const coalescer = new Coalescer('bench');
  const read = (held: readonly string[]) => {
    for (const text of held) index.apply(JSON.parse(text) as OperationEvent);
  };
  let spared = 0;
  for (const text of texts) {
    const matched = coalescer.match(text);
    if (matched !== undefined) {
      coalescer.put(matched, text);
      spared++;
      if (coalescer.full) read(coalescer.release());
      continue;
    }
    const value: unknown = JSON.parse(text);
    read(coalescer.before(value));
    const checked = checkStreamEvent(value);
    if (checked.ok && checked.value.type === 'operation') coalescer.learn(text, checked.value, index.apply(checked.value));
  }
  read(coalescer.release());
  const ended = [...index.operations.values()].filter(({ state }) => state === 'completed').length;
  if (index.operations.size !== ids || ended !== ids || spared === 0) throw new Error(`${ended} of ${ids} ended, ${spared} spared`);
  sink.value += spared;
}

/** Without the check, as a store does with events of its own. */
function trusted(texts: Texts, ids: number): void {
  const index = new SessionIndex('bench', { operations: Math.max(ids, 1000) });
  for (const text of texts) index.apply(JSON.parse(text) as OperationEvent);
  settled(index, texts, ids);
}

const parse = (texts: Texts) => {
  for (const text of texts) sink.value += (JSON.parse(text) as OperationEvent).seq ?? 0;
};

/** Updates of operations that stand already, `ids` of them in turn. */
function steady(ids: number, count: number): Run {
  const events = eventsOf(count + 2 * ids, ids);
  const first = events.slice(0, ids);
  const texts = textsOf(events.slice(ids, ids + count));
  let index = new SessionIndex('bench');
  return {
    name: `${ids} live`,
    count,
    before() {
      index = new SessionIndex('bench', { operations: Math.max(ids, 1000) });
      for (const event of first) index.apply(event);
    },
    run() {
      for (const text of texts) {
        const checked = checkStreamEvent(JSON.parse(text));
        if (checked.ok && checked.value.type === 'operation') index.apply(checked.value);
      }
      if (index.outcomes.applied !== ids + count) throw new Error(`${index.outcomes.applied} of ${ids + count} events applied`);
    },
  };
}

/** The last `count` of `total` updates of 1,000 operations. */
function lasting(total: number, count: number): Run {
  const ids = 1000;
  const events = eventsOf(3 * ids, ids).slice(0, ids);
  let index = new SessionIndex('bench');
  const move = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const { id } = events[i % ids]!;
      const checked = checkStreamEvent({
        type: 'operation',
        session: 'bench',
        id,
        seq: i,
        at: 1_764_500_000_000 + i,
        state: 'running',
        current: i,
      });
      if (checked.ok && checked.value.type === 'operation') index.apply(checked.value);
    }
  };
  return {
    name: `the last ${count} of ${total}`,
    count,
    before() {
      index = new SessionIndex('bench');
      for (const event of events) index.apply(event);
      move(ids, ids + total - count);
    },
    run() {
      move(ids + total - count, ids + total);
      if (index.outcomes.applied !== ids + total) throw new Error(`${index.outcomes.applied} of ${ids + total} events applied`);
    },
  };
}

export const item: Item = {
  name: 'reduce',
  about: 'cost of one event in the state of a session',
  async run({ quick, progress }) {
    countThreadTime();
    const rounds = quick ? 2 : 7;
    const scale = quick ? 0.1 : 1;
    const tables: Table[] = [];
    const measured = async (title: string, note: string, limit: string, oursNames: string[], runs: readonly Run[]) => {
      progress(title);
      const samples = await sampleRuns(runs, { rounds });
      tables.push({ title, note, metrics: [TIME], limit, ours: oursNames, rows: timeRows(samples) });
    };

    const count = 100_000 * scale;
    const long = textsOf(eventsOf(count, 500));
    const part = textsOf(eventsOf(count / 20, 500));
    await measured(
      `per event: ${count} operation events of 500 ids`,
      `The spreading reducer handles ${part.length} of them.`,
      PARSE,
      [OURS, OURS_COALESCED],
      [
        { name: PARSE, count, run: () => parse(long) },
        { name: 'parse, one Map, nothing checked', count, run: () => naive(long) },
        { name: OURS_TRUSTED, count, run: () => trusted(long, 500) },
        { name: OURS, count, run: () => ours(long, 500) },
        { name: OURS_COALESCED, count, run: () => coalesced(long, 500) },
        { name: 'parse, spreading reducer', count: part.length, run: () => spreading(part) },
      ],
    );

    const few = 2000 * (quick ? 0.25 : 1);
    const live = eventsOf(few, 50);
    const liveTexts = textsOf(live);
    const ai = aiSdkTexts(live);
    const ag = agUiTexts(live);
    await measured(
      `per event: ${few} events of 50 live items, in each client's own form`,
      'ai: readUIMessageStream over data parts; AG-UI: defaultApplyEvents over activity snapshots.',
      PARSE,
      [OURS],
      [
        { name: PARSE, count: few, run: () => parse(liveTexts) },
        { name: OURS, count: few, run: () => ours(liveTexts, 50) },
        { name: 'parse, spreading reducer', count: few, run: () => spreading(liveTexts) },
        { name: 'ai readUIMessageStream', count: few, run: () => aiSdk(ai) },
        { name: 'AG-UI client apply', count: few, run: () => agUi(ag) },
      ],
    );

    const flat = [1, 50, 500, 5000].map((ids) => steady(ids, quick ? 10_000 : 50_000));
    const note = 'Flat is right: the cost must not grow with what is live. Every event moves an operation that is there already.';
    await measured('ours per event, by number of live operations', note, '1 live', [], flat);

    const whole = 1_000_000 * scale;
    const late = [whole / 1000, whole / 10, whole].map((total) => lasting(total, whole / 1000));
    const noteOnLength = 'Checked and applied, not parsed: what has come and gone must not make what follows dearer.';
    await measured('ours per event, over 1000 operations, late in a stream', noteOnLength, late[0]!.name, [], late);
    return { tables };
  },
};

function naive(texts: Texts): void {
  const state = naiveMap();
  for (const text of texts) state.apply(JSON.parse(text) as OperationEvent);
  sink.value += state.size;
}
