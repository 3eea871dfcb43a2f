import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createSlackSink } from '@sitrep/harness/slack';
import type { SlackAppend, SlackStart } from '@sitrep/harness/slack';
import { createTerminalSink } from '@sitrep/harness/terminal';
import { createVsCodeSink } from '@sitrep/harness/vscode';
import { OscParser } from '@sitrep/schema/dialect';
import { oscProgress } from '@sitrep/schema/dialect/osc-progress';
import { oscStatus, readStatus } from '@sitrep/schema/dialect/osc-status';
import { eventOf, SessionIndex } from '@sitrep/schema/reduce';
import { checkEvent } from '@sitrep/schema/check';
import { isFinal, LIVE_STATES, FINAL_STATES, RUN_STATES, STEP_STATES } from '@sitrep/schema';
import type { Operation, ProgressEvent } from '@sitrep/schema/wire';
import { Editor } from './support/editor.ts';
import { ManualClock, settle } from './support/manual-clock.ts';

const id = fc.constantFrom<string | number>('a', 'b', 'c', 7, '7', 'plan', 'run.r1', '#7', '🦊 ;:/', '\u001b]0;x\u0007');
const run = fc.constantFrom(undefined, 'r1', 'r 2');
const text = fc.oneof(
  fc.constantFrom('Build', '', ';', 'a\nb', '\u001b[1m', '🦊'.repeat(120)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const number = fc.oneof(fc.constantFrom(0, -0, 1, -5, 100, 1e308, 0.1), fc.double({ noNaN: true, noDefaultInfinity: true }));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });

const operation = fc.record({
  type: fc.constant('operation'),
  session: fc.constant('chat-1'),
  at: fc.nat(1000),
  id,
  run,
  attempt: fc.constantFrom(undefined, undefined, 1, 2),
  state: maybe(fc.constantFrom(...LIVE_STATES, ...FINAL_STATES)),
  title: maybe(fc.option(text)),
  message: maybe(fc.option(text)),
  current: maybe(fc.option(number)),
  total: maybe(fc.option(number)),
  parent: maybe(fc.option(id)),
  ambient: fc.constantFrom(undefined, undefined, true),
  cancellable: maybe(fc.boolean()),
  blockedOn: maybe(fc.record({ kind: fc.constantFrom('permission', 'question', 'auth', 'other'), prompt: text })),
});
const others = fc.oneof(
  fc.record({ type: fc.constant('operation.clear'), session: fc.constant('chat-1'), at: fc.nat(1000), id, run }),
  fc.record({
    type: fc.constant('run'),
    session: fc.constant('chat-1'),
    at: fc.nat(1000),
    run: fc.constantFrom('r1', 'r 2'),
    state: fc.constantFrom(...RUN_STATES),
  }),
  fc.record({
    type: fc.constant('card'),
    session: fc.constant('chat-1'),
    at: fc.nat(1000),
    run,
    revision: fc.integer({ min: 1, max: 9 }),
    card: fc.option(fc.record({ plan: fc.array(fc.record({ step: text, status: fc.constantFrom(...STEP_STATES) }), { maxLength: 4 }) })),
  }),
  fc.record({ type: fc.constant('session'), session: fc.constant('chat-1'), at: fc.nat(1000), title: maybe(fc.option(text)) }),
);
/** What a sink is handed: checked events, in any order, with time passing between. */
const story = fc.array(
  fc.tuple(fc.oneof({ weight: 3, arbitrary: operation }, { weight: 1, arbitrary: others }), fc.constantFrom(0, 0, 50, 20_000)),
  {
    maxLength: 40,
  },
);

/** Three operations that are often inside one another. */
const family = fc.array(
  fc.record({
    type: fc.constantFrom('operation', 'operation', 'operation', 'operation', 'operation', 'operation', 'operation.clear'),
    session: fc.constant('chat-1'),
    at: fc.nat(1000),
    id: fc.constantFrom('a', 'b', 'c'),
    state: maybe(fc.constantFrom('pending', 'running', 'running', 'blocked', 'completed', 'failed')),
    attempt: fc.constantFrom(undefined, undefined, 1, 2, 3),
    parent: maybe(fc.constantFrom(null, 'a', 'b', 'c')),
    ambient: fc.constantFrom(undefined, undefined, undefined, true, false),
  }),
  { maxLength: 20, size: 'max' },
);

function events(raw: readonly (readonly [unknown, number])[]): (readonly [ProgressEvent, number])[] {
  return raw.flatMap(([value, pause]) => {
    const checked = checkEvent(JSON.parse(JSON.stringify(value)));
    return checked.ok ? [[checked.value, pause] as const] : [];
  });
}

function pickPlace({ session, at, id: each }: { session: string; at: number; id: string }): object {
  return { session, at, id: each };
}

const RUNS = { numRuns: 300 };

describe('whatever a session says', () => {
  it('a terminal is only sent whole sequences that its protocols take, and is left as it was found', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (raw) => {
        const clock = new ManualClock();
        const writes: string[] = [];
        const output = { isTTY: true, write: (part: string): number => writes.push(part) };
        const sink = createTerminalSink({ session: 'chat-1', output, status: true, notify: 'osc99', app: 'x', clock });
        for (const [event, pause] of events(raw)) {
          sink.send(event);
          clock.advance(pause);
        }
        await sink.close();
        const records = new Set<string>();
        let bar = '\u001b]9;4;0;0\u001b\\';
        for (const { text: sequence, osc } of new OscParser().push(writes.join(''))) {
          assert.ok(osc, JSON.stringify(sequence));
          if (osc.code === 9) assert.ok(oscProgress.detect((bar = sequence)));
          if (osc.code !== 7501) continue;
          const read = readStatus(sequence);
          assert.ok(read?.kind === 'report', JSON.stringify([sequence, read]));
          const { id: path, state } = read.report;
          if (state !== 'clear') records.add(path);
          else for (const each of records) if (path === '' || each === path || each.startsWith(`${path}/`)) records.delete(each);
        }
        assert.equal(bar, '\u001b]9;4;0;0\u001b\\');
        assert.deepEqual(
          [...records].filter((path) => path !== ''),
          [],
        );
        assert.deepEqual(clock.pending, []);
      }),
      RUNS,
    );
  });

  it('a terminal has a record for each operation in its state, at one place, however the writes are held back', () => {
    fc.assert(
      fc.property(story, (raw) => {
        const clock = new ManualClock();
        const writes: string[] = [];
        const output = { isTTY: true, write: (part: string): number => writes.push(part) };
        const sink = createTerminalSink({ session: 'chat-1', output, status: true, clock });
        const index = new SessionIndex('chat-1');
        const records = new Map<string, string>();
        for (const [event, pause] of events(raw)) {
          sink.send(event);
          index.apply(event);
          clock.advance(pause);
        }
        clock.advance(1000);
        for (const { text: sequence } of new OscParser().push(writes.join(''))) {
          const read = readStatus(sequence);
          if (read?.kind !== 'report') continue;
          const { id: path, state } = read.report;
          if (state !== 'clear') records.set(path, state);
          else for (const each of records.keys()) if (path === '' || each === path || each.startsWith(`${path}/`)) records.delete(each);
        }
        const shown = [...records].filter(([path]) => path !== '' && !path.startsWith('plan/') && !/^run\.[^/]*$/.test(path));
        const expected = [...index.operations.values()].map((each) => {
          const read = readStatus(oscStatus.encode(eventOf('chat-1', each), index).at(-1));
          assert.ok(read?.kind === 'report');
          return [read.report.id, read.report.state];
        });
        assert.deepEqual(shown.toSorted(), expected.toSorted());
      }),
      RUNS,
    );
  });

  it('an editor shows everything that is at work and inside nothing that is', async () => {
    await fc.assert(
      fc.asyncProperty(family, async (raw) => {
        const clock = new ManualClock();
        const window = new Editor();
        const sink = createVsCodeSink({ window, session: 'chat-1', clock, maxShown: 100 });
        const index = new SessionIndex('chat-1');
        const isAtWork = (each: Operation | undefined): boolean =>
          each !== undefined && !isFinal(each.state) && each.state !== 'pending' && each.ambient !== true;
        for (const [event] of events(raw.map(({ type, ...rest }) => [{ type, ...(type === 'operation' ? rest : pickPlace(rest)) }, 0]))) {
          sink.send(event);
          index.apply(event);
          await settle();
          const all = [...index.operations.values()];
          const outer = all.filter(
            (each) =>
              isAtWork(each) && !(each.parent !== undefined && each.parent !== each.id && isAtWork(index.find(each.parent, each.run))),
          );
          const open = window.shown.filter(({ settled }) => settled === undefined).length;
          assert.ok(open >= outer.length, `${open} shown of ${outer.length}`);
          assert.ok(open <= all.filter(({ state }) => !isFinal(state)).length, `${open} shown`);
        }
        await sink.close();
      }),
      RUNS,
    );
  });

  it('the editor is only told what its API takes, and every progress ends', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (raw) => {
        const clock = new ManualClock();
        const window = new Editor();
        const faults: unknown[] = [];
        const sink = createVsCodeSink({ window, session: 'chat-1', clock, onCancel: () => {}, onDiagnostic: (each) => faults.push(each) });
        for (const [event, pause] of events(raw)) {
          sink.send(event);
          clock.advance(pause);
          await settle();
        }
        await sink.close();
        await settle();
        assert.deepEqual(faults, []);
        assert.ok(window.shown.every(({ settled }) => settled === 'resolved'));
        assert.ok(window.shown.every(({ reports }) => reports.reduce((sum, { increment }) => sum + (increment ?? 0), 0) <= 100));
        assert.ok(window.shown.every(({ token }) => token.listeners === 0));
        assert.deepEqual(clock.pending, []);
      }),
      RUNS,
    );
  });

  it('a stream in Slack is started, appended to and stopped in that order, with texts it takes', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.array(fc.boolean(), { maxLength: 12 }), async (raw, failing) => {
        const clock = new ManualClock();
        const open = new Map<string, boolean>();
        const calls: (SlackStart | SlackAppend)[] = [];
        const fails = failing.slice();
        function take(args: SlackStart | SlackAppend): void {
          calls.push(args);
          if (fails.shift() === true) throw new Error('internal_error');
        }
        const client = {
          chat: {
            startStream: async (args: SlackStart) => {
              take(args);
              const ts = `ts-${open.size}`;
              open.set(ts, true);
              return { ts };
            },
            appendStream: async (args: SlackAppend) => {
              assert.equal(open.get(args.ts), true);
              take(args);
            },
            stopStream: async (args: SlackAppend) => {
              assert.equal(open.get(args.ts), true);
              take(args);
              open.set(args.ts, false);
            },
          },
        };
        const sink = createSlackSink({ client, session: 'chat-1', channel: 'C', thread_ts: '1', clock });
        for (const [event, pause] of events(raw)) {
          sink.send(event);
          clock.advance(pause);
          await settle();
        }
        await sink.close();
        if (failing.filter(Boolean).length < 3)
          assert.ok(
            [...open.values()].every((each) => !each),
            'every stream is stopped',
          );
        for (const chunk of calls.flatMap(({ chunks }) => chunks ?? [])) {
          for (const value of Object.values(chunk)) assert.ok([...String(value)].length <= 256);
          assert.notEqual(chunk.title, '');
        }
        assert.deepEqual(clock.pending, []);
      }),
      RUNS,
    );
  });
});
