import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHttpCardWriter, createMemoryCardWriter, createMemorySink, createReporter, progressTools } from '@sitrep/harness';
import type { CardWriter, Diagnostic, Reporter, ReporterOptions } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';

function throwing(base: object, key: string): never {
  return Object.defineProperty({ ...base }, key, {
    enumerable: true,
    get() {
      throw new Error('not to be read');
    },
  }) as never;
}

function revoked(): never {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy as never;
}

function setup(options: Partial<ReporterOptions> = {}) {
  const sink = createMemorySink();
  const diagnostics: Diagnostic[] = [];
  const reporter = createReporter({
    sink,
    session: 's',
    id: 'a',
    throttleMs: 0,
    onDiagnostic: (each) => diagnostics.push(each),
    ...options,
  });
  return { sink, diagnostics, reporter, events: sink.events as readonly OperationEvent[] };
}

describe('a reporter given what throws when it is read', () => {
  const calls: Record<string, (reporter: Reporter, patch: never) => unknown> = {
    update: (reporter, patch) => reporter.update(patch),
    resume: (reporter, patch) => reporter.resume(patch),
    wait: (reporter, patch) => reporter.wait('tsc', patch),
    block: (reporter, patch) => reporter.block('question', patch),
    'wait on it': (reporter, patch) => reporter.wait(patch),
    'block on it': (reporter, patch) => reporter.block(patch),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`answers ${name} with invalid, tells, and goes on`, () => {
      for (const patch of [revoked(), throwing({}, 'title'), throwing({ kind: 'auth' }, 'prompt'), throwing({}, 'text')]) {
        const { reporter, diagnostics, events } = setup();
        const answer = call(reporter, patch);
        if (answer === 'sent') continue; // A key that this call does not read.
        assert.equal(answer, 'invalid');
        assert.equal(diagnostics.at(-1)?.code, 'invalid');
        assert.equal(events.length, 1);
        assert.equal(reporter.update({ current: 1 }), 'sent');
      }
    });
  }
  for (const end of ['complete', 'fail', 'cancel', 'deny', 'interrupt'] as const) {
    it(`ends all the same with ${end}, without what could not be read`, () => {
      const { reporter, events } = setup();
      const patch = throwing({ message: 'kept out' }, 'current');
      assert.equal(end === 'complete' ? reporter.complete(patch) : reporter[end]('because', patch), 'invalid');
      assert.equal(reporter.ended, true);
      assert.equal(events.length, 2);
      const { state, error, reason, message } = events[1] as OperationEvent;
      assert.equal(state, reporter.state);
      assert.equal(message, undefined);
      if (end === 'fail') assert.deepEqual(error, { message: 'because' });
      else if (end !== 'complete') assert.equal(reason, 'because');
      assert.equal(reporter.update(patch), 'late');
    });
  }
  it('begins a child and the next attempt without it', () => {
    const { reporter, events } = setup();
    reporter.child(throwing({ id: 'b' }, 'title'));
    reporter.child(null as never);
    assert.equal(reporter.retry(throwing({}, 'title')).attempt, 2);
    assert.deepEqual(
      events.map((event) => event.parent),
      [undefined, 'a', 'a', undefined],
    );
  });
  it('ignores a signal that is none', () => {
    for (const signal of [{}, { aborted: false }, { aborted: false, addEventListener() {} }]) {
      const { reporter } = setup({ signal: signal as never });
      assert.equal(reporter.complete(), 'sent');
    }
  });
  it('holds nothing where no timer can be had', () => {
    const clock = {
      now: () => 1,
      after: () => {
        throw new Error('no timers');
      },
    };
    const { reporter, events } = setup({ clock, throttleMs: 100 });
    assert.deepEqual([reporter.update({ current: 1 }), reporter.update({ current: 2 })], ['sent', 'sent']);
    assert.deepEqual(
      events.map(({ current }) => current),
      [undefined, 1, 2],
    );
  });
  it('survives a clock that throws', () => {
    const clock = {
      now: () => {
        throw new Error('no time');
      },
      after: () => () => {},
    };
    const { reporter, events } = setup({ clock });
    assert.equal(reporter.update({ current: 1 }), 'invalid');
    assert.equal(reporter.complete(), 'invalid');
    assert.equal(reporter.ended, true);
    assert.equal(events.length, 0);
  });
});

describe('a reporter', () => {
  it('reports values as they were when it was told, whatever becomes of the objects', () => {
    const { reporter, events } = setup();
    const usage = { tokens: 1, cost: { amount: 1, currency: 'EUR' } };
    const on = { text: 'tsc' };
    reporter.update({ usage });
    reporter.wait(on);
    usage.tokens = 2;
    usage.cost.amount = 2;
    on.text = 'changed';
    assert.deepEqual(events[1]?.usage, { tokens: 1, cost: { amount: 1, currency: 'EUR' } });
    assert.deepEqual(events[2]?.waitingOn, { text: 'tsc' });
  });
  it('begins a new attempt each time, also when one reporter retries twice', () => {
    const { reporter, events } = setup();
    const second = reporter.retry();
    const third = reporter.retry();
    assert.equal(second.retry().attempt, 4);
    assert.equal(third.attempt, 3);
    assert.deepEqual(
      events.map((event) => [event.attempt, event.seq]),
      [
        [1, 1],
        [2, 1],
        [3, 1],
        [4, 1],
      ],
    );
  });
  it('has ended after an end that could not be sent, and lets go of its signal', () => {
    const { reporter, events, diagnostics } = setup({ id: 'x'.repeat(300) });
    assert.equal(reporter.complete(), 'invalid');
    assert.equal(reporter.ended, true);
    assert.equal(reporter.update({ current: 1 }), 'late');
    assert.equal(events.length, 0);
    assert.equal(diagnostics[0]?.path, '/id');
  });
  it('says what was thrown where that is no error', async () => {
    const messages: unknown[] = [];
    for (const thrown of [42, 0, false, 10n, Symbol('why'), null, '', '\u200b', { message: '\u200b' }, { message: ' \u202e' }]) {
      const { reporter, events } = setup();
      await assert.rejects(
        reporter.track(() => {
          throw thrown;
        }),
        (error) => Object.is(error, thrown),
      );
      messages.push(events[1]?.error?.message);
    }
    const nothing = 'Failed without a message.';
    assert.deepEqual(messages, ['42', '0', 'false', '10', 'Symbol(why)', nothing, nothing, nothing, nothing, nothing]);
  });
});

describe('the tools given what throws when it is read', () => {
  const input = { title: 'T', current: 1, total: 2, id: 'a', status: 'running', progress: 0.5, plan: [], markdown: 'm' };
  for (const tool of Object.values(progressTools)) {
    it(`${tool.name} refuses it`, async () => {
      const sink = createMemorySink();
      const cards = createMemoryCardWriter();
      const fields = Object.keys(tool.inputSchema['properties'] as object);
      const own = Object.fromEntries(Object.entries(input).filter(([key]) => fields.includes(key)));
      for (const value of [revoked(), ...fields.map((key) => throwing(own, key))]) {
        const answer = await tool.handle(value, { session: 's', sink, cards });
        assert.equal(answer.isError, true);
        assert.match(answer.text, /refused the input/);
      }
      assert.equal(sink.events.length, 0);
      assert.equal(cards.get('s').revision, 0);
    });
  }
  for (const [name, answer] of Object.entries({ nothing: undefined, null: null, 'an empty object': {}, text: 'ok' })) {
    it(`progress_card takes ${name} from a writer for no confirmation`, async () => {
      const cards = { put: () => Promise.resolve(answer) } as unknown as CardWriter;
      const { structured, isError } = await progressTools.progress_card.handle({ markdown: 'm' }, { session: 's', cards });
      assert.deepEqual({ structured, isError }, { structured: { error: { code: 'unavailable' } }, isError: true });
    });
  }
});

describe('card writers given what is no card write', () => {
  const http = createHttpCardWriter({ url: 'http://gateway', fetch: () => Promise.resolve(Response.json({ revision: 1 })) });
  const bodies = [null, undefined, 'text', [], revoked(), throwing({}, 'plan'), throwing({}, 'run')];
  it('answer invalid in memory', async () => {
    for (const body of bodies) {
      const result = await createMemoryCardWriter().put('s', body as never);
      assert.ok(!result.ok && result.code === 'invalid' && result.issues.length > 0);
    }
  });
  it('answer as data over HTTP', async () => {
    for (const body of bodies.slice(4)) assert.equal((await http.put('s', body as never)).ok, false);
    for (const body of bodies) await http.put('s', body as never);
  });
  it('keep the card as it was written, whatever becomes of the plan', async () => {
    const seen: unknown[] = [];
    const sink = { ...createMemorySink(), send: (event: unknown) => void seen.push(event) };
    const cards = createMemoryCardWriter({ sink });
    const plan: { step: string; status: 'pending' | 'completed' }[] = [{ step: 'a', status: 'pending' }];
    await cards.put('s', { plan });
    plan[0] = { step: 'a', status: 'completed' };
    plan.push({ step: 'b', status: 'pending' });
    const first = { plan: [{ step: 'a', status: 'pending' }] };
    assert.deepEqual(cards.get('s').card, first);
    assert.deepEqual((seen[0] as { card: unknown }).card, first);
  });
  it('refuse a run that names none', async () => {
    for (const run of ['', 7, 'x'.repeat(257), null]) {
      const result = await createMemoryCardWriter().put('s', { markdown: 'm', run } as never);
      assert.deepEqual(result, {
        ok: false,
        code: 'invalid',
        issues: [{ path: '/run', code: 'type', message: 'run must be text of 1 to 256 characters.' }],
      });
    }
  });
});
