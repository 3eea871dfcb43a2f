/**
 * The acceptance criteria of the proposal for correlated progress per invocation, one by one, and its conformance rows R1 to
 * R17: each is a test named after it. Real servers stand in the tests of the peers; here both sides of every wire are
 * scripted, so that order and lateness are exact.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import { wrapTool } from '@sitrep/harness/native';
import { createReporter, currentReporter, track, trackStream } from '@sitrep/harness/reporter';
import type { Reporter } from '@sitrep/harness/reporter';
import { createMemorySink } from '@sitrep/harness/sink';
import type { Sink } from '@sitrep/harness';
import { toolProgress } from '@sitrep/schema/dialect/tool-progress';
import { SessionIndex } from '@sitrep/schema/reduce';
import { amount, percent } from '@sitrep/schema/select';
import type { Id, Operation, OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { ManualClock } from './support/manual-clock.ts';
import { call, progress, result, ScriptedTransport, tokenOf } from './support/scripted-transport.ts';

interface Call {
  readonly callId: string;
}

function setup() {
  const sink = createMemorySink();
  const clock = new ManualClock();
  const options = { sink, session: 's', throttleMs: 0, clock };
  const events = sink.events as readonly OperationEvent[];
  const report = (_input: unknown, { callId }: Call) => ({ ...options, id: callId, tool: { name: 'scan', origin: 'native' as const } });
  return { sink, clock, options, report, events };
}

function indexOf(events: readonly ProgressEvent[]): SessionIndex {
  const index = new SessionIndex('s');
  for (const event of events) index.apply(event);
  return index;
}

function records(events: readonly ProgressEvent[]): Map<Id, Operation> {
  return new Map([...indexOf(events).operations.values()].map((operation) => [operation.id, operation]));
}

/** A tapped transport under a client that is only a function. */
function tapped(own: ReturnType<typeof setup>, more: object = {}) {
  const transport = new ScriptedTransport();
  const tap = tapMcpTransport(transport, { ...own.options, native: null, ...more });
  const passed: unknown[] = [];
  transport.onmessage = (message) => passed.push(message);
  return { transport, tap, passed };
}

describe('acceptance', () => {
  it('a native tool can emit multiple updates during execution and the host receives them with the matching internal call id', async () => {
    const { report, events } = setup();
    const seen: unknown[] = [];
    const tool = wrapTool(async (files: number, _context: Call, reporter) => {
      for (let current = 1; current <= files; current += 1) {
        reporter.update({ current, total: files, message: `file ${current}` });
        // Live: the host has it while the tool still runs.
        seen.push(events.at(-1)?.current);
        await Promise.resolve();
      }
      return files;
    }, report);
    assert.equal(await tool(3, { callId: 'internal-7' }), 3);
    assert.deepEqual(seen, [1, 2, 3]);
    assert.deepEqual(new Set(events.map(({ id }) => id)), new Set(['internal-7']));
    assert.deepEqual(
      events.map(({ seq }) => seq),
      [1, 2, 3, 4, 5],
    );
  });

  it('two concurrent identical calls cannot cross-update, nor can identical calls inside each other', async () => {
    const { report, events } = setup();
    const tool: (depth: number, context: Call) => Promise<string> = wrapTool(async (depth: number, { callId }: Call) => {
      currentReporter()?.update({ message: `${callId} begins` });
      await Promise.resolve();
      if (depth > 0) await tool(depth - 1, { callId: `${callId}.in` });
      await Promise.resolve();
      currentReporter()?.update({ message: `${callId} ends`, current: depth });
      return callId;
    }, report);
    await Promise.all(['a', 'b'].map((callId) => tool(2, { callId })));
    const byId = records(events);
    assert.equal(byId.size, 6);
    for (const [id, { message, state, parent, current }] of byId) {
      const depth = String(id).split('.').length - 1;
      assert.deepEqual(
        [message, state, current, parent],
        [`${String(id)} ends`, 'completed', 2 - depth, depth === 0 ? undefined : String(id).slice(0, -3)],
      );
    }
    for (const { id, message } of events) if (message !== undefined && message !== null) assert.equal(message.split(' ')[0], id);
  });

  it('any interleaving of concurrent identical calls leaves each as it would be alone', () => {
    const update = fc.record({ call: fc.nat(4), current: fc.nat(1000), nest: fc.boolean() });
    const end = fc.record({ call: fc.nat(4), end: fc.constantFrom('return', 'throw', 'deny') });
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: update }, end), { maxLength: 80 }), (script) => {
        const play = (only?: number): Map<Id, Operation> => {
          const { report, options, events } = setup();
          // Each call is a generator, so that the script decides who runs next.
          const tool = wrapTool(function* (
            _input: undefined,
            { callId }: Call,
          ): Generator<undefined, void, { current: number; nest: boolean }> {
            for (let step = 0; ; step += 1) {
              const { current, nest } = yield undefined;
              currentReporter()?.update({ current });
              if (nest) createReporter({ ...options, id: `${callId}.${step}` }).complete({ current });
            }
          }, report);
          const calls = [0, 1, 2, 3, 4].map((index) => tool(undefined, { callId: `call-${index}` }));
          const find = (index: number): boolean => only === undefined || index === only;
          for (const [index, started] of calls.entries()) if (find(index)) started.next({ current: 0, nest: false });
          for (const move of script) {
            const running = calls[move.call];
            if (running === undefined || !find(move.call)) continue;
            if ('current' in move) running.next(move);
            else if (move.end === 'return') running.return();
            else assert.throws(() => running.throw(new Error(move.end)));
          }
          return records(events);
        };
        const together = play();
        for (const index of [0, 1, 2, 3, 4]) {
          const own = [...play(index)].filter(([id]) => String(id).startsWith(`call-${index}`));
          for (const [id, operation] of own) assert.deepEqual(together.get(id), operation);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('MCP progress is forwarded through the same API, under the call id of the host', async () => {
    const own = setup();
    const { transport } = tapped(own, { reporterFor: () => currentReporter() });
    const tool = wrapTool(async (_input: undefined, _context: Call) => {
      await transport.send(call(1));
      transport.deliver(progress(tokenOf(transport.sent[0]), 42, { total: 100, message: 'scanned' }), result(1));
    }, own.report);
    await tool(undefined, { callId: 'internal-9' });
    const byId = records(own.events);
    assert.deepEqual([...byId.keys()], ['internal-9']);
    const operation = byId.get('internal-9');
    assert.deepEqual([operation?.current, operation?.total, operation?.message, operation?.state], [42, 100, 'scanned', 'completed']);
  });

  it('a non-progress MCP tool emits no synthetic progress', async () => {
    const own = setup();
    const { transport } = tapped(own);
    await transport.send(call(1));
    own.clock.advance(600_000);
    transport.deliver(result(1));
    const [operation] = records(own.events).values();
    for (const field of ['current', 'total', 'fraction', 'message'] as const) assert.equal(operation?.[field], undefined);
    assert.deepEqual(
      own.events.map(({ state }) => state),
      ['running', 'completed'],
    );
    assert.equal(percent({ ...(operation as Operation), state: 'running' }), undefined);
  });

  const ENDS: Record<string, (reporter: Reporter) => unknown> = {
    completed: (reporter) => reporter.complete(),
    failed: (reporter) => reporter.fail('no'),
    cancelled: (reporter) => reporter.cancel('user'),
    denied: (reporter) => reporter.deny('policy'),
    interrupted: (reporter) => reporter.interrupt('crash'),
  };
  const LATE: Record<string, (reporter: Reporter) => unknown> = {
    update: (reporter) => reporter.update({ current: 99, message: 'late' }),
    wait: (reporter) => reporter.wait('late'),
    block: (reporter) => reporter.block('permission'),
    resume: (reporter) => reporter.resume(),
    ...ENDS,
  };

  for (const [state, end] of Object.entries(ENDS)) {
    it(`late updates after ${state} are ignored deterministically: by the reporter, by the record, and by the tap`, async () => {
      const { options, events } = setup();
      const reporter = createReporter({ ...options, id: 'x' });
      reporter.update({ current: 1 });
      end(reporter);
      const told = events.length;
      for (const late of Object.values(LATE)) assert.equal(late(reporter), 'late');
      assert.deepEqual([events.length, reporter.counts.late, reporter.state], [told, Object.keys(LATE).length, state]);

      // The same from a sender that takes no notice: the record drops and names them.
      const index = indexOf(events);
      const before = index.find('x');
      const last = events.at(-1) as OperationEvent;
      assert.equal(
        index.apply({ type: 'operation', session: 's', id: 'x', at: last.at, seq: 9, current: 99, message: 'late' }).outcome,
        'late',
      );
      assert.equal(index.find('x'), before);

      // Progress of a server for an invocation that its host has ended.
      const own = setup();
      const hosted = createReporter({ ...own.options, id: 'hosted' });
      const { transport } = tapped(own, { reporterFor: () => hosted });
      await transport.send(call(1));
      end(hosted);
      const sent = own.events.length;
      transport.deliver(progress(tokenOf(transport.sent[0]), 5), result(1));
      assert.deepEqual([own.events.length, records(own.events).get('hosted')?.state], [sent, state]);
    });
  }

  it('cancellation of a turn ends what is in it, and what those report afterwards is late', async () => {
    const { options, report, events } = setup();
    const abort = new AbortController();
    const late: unknown[] = [];
    const tool = wrapTool(async (_input: undefined, _context: Call, reporter) => {
      await new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve(), { once: true }));
      late.push(reporter.update({ current: 1 }));
      return 'finished all the same';
    }, report);
    const turn = createReporter({ ...options, id: 'turn', signal: abort.signal });
    const work = turn.track(() => Promise.all([tool(undefined, { callId: 'a' }), tool(undefined, { callId: 'b' })]));
    abort.abort('user');
    assert.deepEqual(await work, ['finished all the same', 'finished all the same']);
    assert.deepEqual(late, ['late', 'late']);
    assert.deepEqual(
      [...records(events).values()].map(({ id, state, reason }) => [id, state, reason]),
      [
        ['turn', 'cancelled', 'user'],
        ['a', 'cancelled', 'user'],
        ['b', 'cancelled', 'user'],
      ],
    );
  });

  it('streaming and non-streaming agent runs expose the same events: native, MCP and nested, event by event', async () => {
    async function story(streaming: boolean): Promise<unknown> {
      const own = setup();
      const { transport } = tapped(own, { reporterFor: () => currentReporter() });
      const mcp = wrapTool(async (_input: undefined, { callId }: Call) => {
        await transport.send(call(callId));
        const request = transport.sent.find(({ id }) => id === callId);
        transport.deliver(progress(tokenOf(request), 1, { total: 2 }), progress(tokenOf(request), 2, { total: 2 }), result(callId));
      }, own.report);
      const native = wrapTool(async (_input: undefined, { callId }: Call, reporter) => {
        reporter.update({ current: 1, total: 3 });
        await mcp(undefined, { callId: `${callId}.mcp` });
        reporter.update({ current: 3 });
      }, own.report);
      const turn = createReporter({ ...own.options, id: 'turn' });
      const steps = [() => native(undefined, { callId: 'n1' }), () => mcp(undefined, { callId: 'm1' })];
      if (streaming) {
        const stream = trackStream(turn, async function* () {
          for (const step of steps) {
            yield 'text';
            await step();
          }
        });
        for await (const part of stream) assert.equal(part, 'text');
      } else {
        await track(turn, async () => {
          for (const step of steps) await step();
        });
      }
      return own.events;
    }
    assert.deepEqual(await story(true), await story(false));
  });

  it('progress observation does not alter the tool result or control flow, also when the sink throws or hangs', async () => {
    const broken = [
      () => {
        throw new Error('sink');
      },
      () => Promise.reject(new Error('sink')),
      () => new Promise(() => {}),
    ].map((send): Sink => ({ send: send as Sink['send'], flush: () => new Promise(() => {}), close: () => new Promise(() => {}) }));
    for (const sink of broken) {
      const output = { files: [1, 2] };
      const error = new Error('own');
      const order: string[] = [];
      const tool = wrapTool(
        async (fails: boolean, _context: undefined, reporter) => {
          order.push('before');
          reporter.update({ current: 1 });
          await Promise.resolve();
          order.push('after');
          if (fails) throw error;
          return output;
        },
        { sink, session: 's', throttleMs: 0 },
      );
      assert.equal(await tool(false), output);
      await assert.rejects(tool(true), (thrown) => thrown === error);
      assert.deepEqual([output, order], [{ files: [1, 2] }, ['before', 'after', 'before', 'after']]);
      // An MCP call through a tap whose sink fails gets its response too.
      const { transport, passed } = tapped({ ...setup(), options: { ...setup().options, sink: sink as never } });
      await transport.send(call(1));
      transport.deliver(progress(tokenOf(transport.sent[0]), 1), result(1));
      assert.deepEqual(passed, [result(1)]);
    }
  });

  it('progress is observation of the host alone: nothing of it is in what a model sees', async () => {
    const own = setup();
    const { transport, passed } = tapped(own);
    await transport.send(call(1));
    transport.deliver(progress(tokenOf(transport.sent[0]), 1, { message: 'secret of the host' }));
    transport.deliver(result(1, { content: [{ type: 'text', text: 'answer' }] }));
    assert.deepEqual(passed, [result(1, { content: [{ type: 'text', text: 'answer' }] })]);
    assert.equal(
      own.events.some(({ message }) => message === 'secret of the host'),
      true,
    );
  });
});

/** What a stream of frames of that shape leads to: the record, and what became of each. */
function read(...frames: readonly object[]) {
  const index = new SessionIndex('s');
  const outcomes = frames.map((frame) => {
    const decoded = toolProgress.decode(frame, { session: 's', at: 1000 });
    return decoded.ok ? decoded.events.map((event) => index.apply(event).outcome).join() : `refused ${decoded.issues[0]?.path}`;
  });
  return { outcomes, find: (id: Id) => index.find(id) };
}

describe('conformance', () => {
  const at = (sequence: unknown, more: object = {}, id: Id = 'c'): object => ({ internal_call_id: id, sequence, ...more });

  it('R1: sequences 1, 2, 3 are three updates, the last wins', () => {
    const { outcomes, find } = read(at(1, { message: 'a' }), at(2, { message: 'b' }), at(3, { message: 'c' }));
    assert.deepEqual([outcomes, find('c')?.message], [['applied', 'applied', 'applied'], 'c']);
  });

  it('R2: sequences 1, 3, 2 discard 2', () => {
    const { outcomes, find } = read(at(1, { completed: 1 }), at(3, { completed: 3 }), at(2, { completed: 2 }));
    assert.deepEqual([outcomes, find('c')?.current], [['applied', 'applied', 'stale'], 3]);
  });

  it('R3: the second of two equal sequences is discarded, whatever it says', () => {
    const { outcomes, find } = read(at(2, { message: 'first' }), at(2, { message: 'second' }));
    assert.deepEqual([outcomes, find('c')?.message], [['applied', 'duplicate'], 'first']);
  });

  it('R4: two calls of one tool with interleaved sequences are two states', () => {
    const { outcomes, find } = read(
      at(1, { completed: 1 }, 'a'),
      at(1, { completed: 10 }, 'b'),
      at(2, { completed: 20 }, 'b'),
      at(2, { completed: 2 }, 'a'),
    );
    assert.deepEqual([new Set(outcomes), find('a')?.current, find('b')?.current], [new Set(['applied']), 2, 20]);
  });

  it('R5: a call inside its parent leaves the parent untouched and names it', () => {
    const { options, events } = setup();
    const parent = createReporter({ ...options, id: 'p', tool: { name: 'scan', origin: 'native' } });
    parent.update({ current: 1 });
    const child = parent.child({ id: 'c', tool: { name: 'scan', origin: 'native' } });
    child.update({ current: 50 });
    child.fail('no');
    const byId = records(events);
    assert.deepEqual(
      [byId.get('p')?.current, byId.get('p')?.state, byId.get('c')?.parent, byId.get('c')?.state],
      [1, 'running', 'p', 'failed'],
    );
  });

  it('R6 to R8: 42 of 100 is 42 %, a count without a total has no percent, a message alone neither', () => {
    const { find } = read(at(1, { completed: 42, total: 100 }, 'a'), at(1, { completed: 8_388_608 }, 'b'), at(1, { message: 'x' }, 'c'));
    const shown = (id: Id): unknown[] => {
      const operation = find(id) as Operation;
      return [percent(operation), amount(operation)];
    };
    assert.deepEqual(
      [shown('a'), shown('b'), shown('c')],
      [
        [42, '42 of 100'],
        [undefined, '8,388,608'],
        [undefined, undefined],
      ],
    );
  });

  it('R9: too much is drawn as all, what is no number is left out, a total of 0 or less is unknown, and a reporter refuses what is none', () => {
    const { find } = read(
      at(1, { completed: 150, total: 100 }, 'over'),
      at(1, { completed: Number.NaN, total: 10 }, 'nan'),
      at(1, { completed: Number.POSITIVE_INFINITY }, 'inf'),
      at(1, { completed: 5, total: 0 }, 'zero'),
      at(1, { completed: 5, total: -3 }, 'negative'),
    );
    const shown = (id: Id): unknown[] => [find(id)?.current, find(id)?.total, percent(find(id) as Operation)];
    assert.deepEqual(['over', 'nan', 'inf', 'zero', 'negative'].map(shown), [
      [150, 100, 100],
      [undefined, 10, undefined],
      [undefined, undefined, undefined],
      [5, undefined, undefined],
      [5, undefined, undefined],
    ]);
    const { options, events } = setup();
    const reporter = createReporter(options);
    for (const patch of [{ current: Number.NaN }, { current: Number.POSITIVE_INFINITY }, { total: 0 }, { total: -1 }])
      assert.equal(reporter.update(patch), 'invalid');
    assert.equal(events.length, 1);
  });

  it('R10: an update after each end changes nothing and is counted', () => {
    for (const end of ['complete', 'fail', 'deny', 'cancel'] as const) {
      const { options, events } = setup();
      const reporter = createReporter({ ...options, id: 'c' });
      reporter[end]();
      const index = indexOf(events);
      const state = index.find('c');
      const decoded = toolProgress.decode(at(9, { completed: 9 }), { session: 's', at: 2000 });
      assert.ok(decoded.ok);
      assert.equal(index.apply(decoded.events[0] as ProgressEvent).outcome, 'late');
      assert.deepEqual([index.find('c'), index.outcomes.late], [state, 1]);
    }
  });

  it('R11: an end before any progress is an end without a made-up 100 %', () => {
    for (const end of ['complete', 'fail', 'cancel'] as const) {
      const { options, events } = setup();
      createReporter({ ...options, id: 'c' })[end]();
      const operation = records(events).get('c') as Operation;
      assert.deepEqual(
        [operation.current, operation.total, operation.fraction, amount(operation)],
        [undefined, undefined, undefined, undefined],
      );
      if (end !== 'complete') assert.equal(percent(operation), undefined);
    }
  });

  it('R12: progress for a token that nobody issued, or that has ended, is dropped and counted', async () => {
    const own = setup();
    const { transport, tap } = tapped(own);
    await transport.send(call(1));
    const token = tokenOf(transport.sent[0]);
    transport.deliver(progress('nobody', 1), result(1));
    const told = own.events.length;
    transport.deliver(progress(token, 2));
    assert.deepEqual([own.events.length, told, tap.counts.unknownToken], [2, 2, 1]);
    assert.equal(tap.counts.retiredToken, 1);
  });

  it('R13 and R14: 7 and "7" are two tokens, and what else stands in the caller’s _meta stays', async () => {
    const own = setup();
    const { transport } = tapped(own);
    await transport.send(call(1, { progressToken: 7, trace: 'a' }));
    await transport.send(call(2, { progressToken: '7', trace: { deep: [1] } }));
    await transport.send(call(3, { trace: 'c' }));
    const metas = transport.sent.map(({ params }) => params?.['_meta'] as Record<string, unknown>);
    assert.deepEqual(metas.slice(0, 2), [
      { progressToken: 7, trace: 'a' },
      { progressToken: '7', trace: { deep: [1] } },
    ]);
    assert.equal(metas[2]?.['trace'], 'c');
    assert.notEqual(metas[2]?.['progressToken'], undefined);
    transport.deliver(progress('7', 2), progress(7, 1));
    assert.deepEqual(
      [...records(own.events).values()].map(({ current }) => current),
      [1, 2, undefined],
    );
  });

  it('R15: an amount that falls while the sequence rises is taken as it is', () => {
    const { outcomes, find } = read(at(1, { completed: 80, total: 100 }), at(2, { completed: 40, total: 100 }));
    assert.deepEqual([outcomes, find('c')?.current], [['applied', 'applied'], 40]);
  });

  it('R16: a sequence above 2^53 is refused rather than rounded, as a number and as text', () => {
    const { outcomes } = read(at(2 ** 53, {}), at('9007199254740993', {}), at('9007199254740991', {}));
    assert.deepEqual(outcomes, ['refused /sequence', 'refused /sequence', 'applied']);
  });

  it('R17: the same events one by one and all at once lead to the same state', () => {
    const { options, events } = setup();
    const reporter = createReporter({ ...options, id: 'c' });
    for (let current = 1; current <= 20; current += 1) reporter.update({ current, total: 20 });
    reporter.wait('lock');
    reporter.complete();
    const one = indexOf(events);
    // Half of it live, then all of it again, as after a reconnect.
    const again = indexOf([...events.slice(0, 10), ...events]);
    assert.deepEqual(again.find('c'), one.find('c'));
    assert.deepEqual([again.outcomes.applied, again.outcomes.duplicate + again.outcomes.stale], [events.length, 10]);
    // And from one answer that holds what a batch led to.
    const whole = new SessionIndex('s');
    whole.load(one.snapshot(1000, 'epoch', events.length));
    assert.deepEqual(whole.find('c'), one.find('c'));
  });
});
