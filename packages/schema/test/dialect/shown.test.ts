import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent } from '@sitrep/schema/check';
import { lsp } from '@sitrep/schema/dialect/lsp';
import { barOf, oscProgress } from '@sitrep/schema/dialect/osc-progress';
import { oscStatus, readStatus } from '@sitrep/schema/dialect/osc-status';
import { slack } from '@sitrep/schema/dialect/slack';
import { eventOf, SessionIndex } from '@sitrep/schema/reduce';
import { createEncoder } from '@sitrep/schema/translate';
import { isFinal } from '@sitrep/schema';
import type { Operation, ProgressEvent } from '@sitrep/schema/wire';
import { cardEvent, id, runEvent, runName, sessionEvent } from '../reduce/arbitraries.ts';
import { SESSION } from '../reduce/events.ts';

const operation = fc.record({
  type: fc.constant('operation'),
  session: fc.constant(SESSION),
  id,
  run: runName,
  at: fc.nat(100),
  attempt: fc.constantFrom(undefined, undefined, 1, 2, 3),
  state: fc.constantFrom(undefined, 'pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'denied'),
  title: fc.constantFrom(undefined, 'Build'),
  message: fc.constantFrom(undefined, null, 'a', 'b'),
  current: fc.constantFrom(undefined, null, 1, 2),
  total: fc.constantFrom(undefined, null, 4),
  parent: fc.oneof(fc.constantFrom(undefined, undefined, null), id),
  ambient: fc.constantFrom(undefined, undefined, true),
});
const clear = fc.record({ type: fc.constant('operation.clear'), session: fc.constant(SESSION), id, run: runName, at: fc.nat(100) });

/** What a session may say, in any order. */
const story: fc.Arbitrary<ProgressEvent[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: operation },
      { weight: 1, arbitrary: clear },
      { weight: 1, arbitrary: runEvent },
      { weight: 1, arbitrary: cardEvent },
      { weight: 1, arbitrary: sessionEvent },
    ),
    { maxLength: 24, size: 'max' },
  )
  .map((list) =>
    list.flatMap((event) => {
      const checked = checkEvent(JSON.parse(JSON.stringify(event)));
      return checked.ok ? [checked.value] : [];
    }),
  );

const RUNS = { numRuns: 500 };

function records(index: SessionIndex): Operation[] {
  return [...index.operations.values()];
}

describe('what a peer shows after each event', () => {
  it('is in a terminal one record for each operation, in its state, at one place, and no other', () => {
    fc.assert(
      fc.property(story, (events) => {
        const encoder = createEncoder(oscStatus, SESSION);
        const table = new Map<string, string>();
        const take = (sequence: string): void => {
          const read = readStatus(sequence);
          assert.ok(read?.kind === 'report');
          const { id: path, state } = read.report;
          if (state !== 'clear') table.set(path, state);
          else for (const key of table.keys()) if (path === '' || key === path || key.startsWith(`${path}/`)) table.delete(key);
        };
        for (const event of events) {
          for (const sequence of encoder.encode(event)) take(sequence);
          const expected = new Map<string, string>();
          for (const each of records(encoder.session)) {
            const read = readStatus(oscStatus.encode(eventOf(SESSION, each), encoder.session).at(-1));
            assert.ok(read?.kind === 'report');
            expected.set(read.report.id, read.report.state);
          }
          const shown = [...table].filter(([path]) => !path.startsWith('plan/') && !/^run\.[^/]*$/.test(path));
          assert.deepEqual(shown.toSorted(), [...expected].toSorted());
        }
      }),
      RUNS,
    );
  });

  it('is in an editor one open token for each operation that goes on, and none for what has ended', () => {
    fc.assert(
      fc.property(story, (events) => {
        const encoder = createEncoder(lsp, SESSION);
        const open = new Set<string | number>();
        const created = new Set<string | number>();
        for (const event of events) {
          for (const frame of encoder.encode(event)) {
            const { token } = frame.params;
            if (frame.method === 'window/workDoneProgress/create') {
              assert.ok(!created.has(token), `token ${token} is created once`);
              created.add(token);
            }
            if (frame.method !== '$/progress') continue;
            const { kind } = frame.params.value;
            if (kind === 'begin') {
              assert.ok(created.has(token) && !open.has(token), 'a token begins once, after it was created');
              open.add(token);
            } else if (kind === 'report') assert.ok(open.has(token), 'a report belongs to what has begun');
            else open.delete(token);
          }
          assert.equal(open.size, records(encoder.session).filter(({ state }) => !isFinal(state)).length);
        }
      }),
      RUNS,
    );
  });

  it('is in Slack each operation in its state, with the text it has now', () => {
    fc.assert(
      fc.property(story, (events) => {
        const encoder = createEncoder(slack, SESSION);
        const tasks = new Map<string, { title: string; status: string }>();
        for (const event of events.filter((each) => !('run' in each) || each.type === 'run')) {
          for (const chunk of encoder.encode(event)) if (chunk.type === 'task_update') tasks.set(chunk.id, chunk);
          for (const each of records(encoder.session)) {
            const [whole] = slack.encode(eventOf(SESSION, each));
            assert.ok(whole?.type === 'task_update');
            assert.deepEqual([tasks.get(whole.id)?.title, tasks.get(whole.id)?.status], [whole.title, whole.status]);
          }
        }
      }),
      RUNS,
    );
  });

  it('is the one bar of a terminal as the session stands, or an error that still holds', () => {
    fc.assert(
      fc.property(story, (events) => {
        const encoder = createEncoder(oscProgress, SESSION);
        let shown = '4;0;0';
        for (const event of events) {
          for (const sequence of encoder.encode(event)) shown = sequence.slice(4, -2);
          const { state, percent = 0 } = barOf(encoder.session);
          if (state === 0) assert.ok(shown === '4;0;0' || shown.startsWith('4;2;'), shown);
          else assert.equal(shown, `4;${state};${state === 3 ? 0 : percent}`);
        }
      }),
      RUNS,
    );
  });
});
