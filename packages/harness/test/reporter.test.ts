import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCallbackSink, createMemorySink } from '@sitrep/harness/sink';
import { createReporter } from '@sitrep/harness/reporter';
import type { ReporterOptions } from '@sitrep/harness/reporter';
import type { Diagnostic } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';
import { ManualClock } from './support/manual-clock.ts';

function setup(options: Partial<ReporterOptions> = {}) {
  const clock = new ManualClock();
  const sink = createMemorySink();
  const diagnostics: Diagnostic[] = [];
  const reporter = createReporter({
    sink,
    session: 's',
    id: 'call-1',
    clock,
    throttleMs: 0,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  return { clock, sink, diagnostics, reporter, events: sink.events as readonly OperationEvent[] };
}

describe('a reporter', () => {
  it('sends a started event with the id of the invocation and what names it', () => {
    const { events, clock } = setup({
      run: 'r',
      title: 'Hash files',
      kind: 'tool',
      tool: { name: 'hash', origin: 'native' },
      parent: 'p',
      unit: 'files',
      total: 3,
    });
    assert.deepEqual(events, [
      {
        type: 'operation',
        session: 's',
        id: 'call-1',
        run: 'r',
        attempt: 1,
        seq: 1,
        at: clock.now(),
        state: 'running',
        title: 'Hash files',
        kind: 'tool',
        tool: { name: 'hash', origin: 'native' },
        parent: 'p',
        unit: 'files',
        total: 3,
      },
    ]);
  });

  it('can begin pending and is running from its first update on', () => {
    const { reporter, events } = setup({ state: 'pending' });
    reporter.update({ current: 1 });
    assert.deepEqual(
      events.map(({ state }) => state),
      ['pending', 'running'],
    );
  });

  it('numbers what it sends from 1 without gaps, refused and late calls included', () => {
    const { reporter, events } = setup();
    reporter.update({ current: 1 });
    reporter.update({ current: Number.NaN });
    reporter.update({ current: 2 });
    reporter.complete();
    reporter.update({ current: 3 });
    assert.deepEqual(
      events.map(({ seq }) => seq),
      [1, 2, 3, 4],
    );
  });

  it('takes an empty id, run or parent for none, so that the work is seen', () => {
    const { events, reporter } = setup({ id: '', run: '', parent: '', title: 'Scan' });
    const { id, run, parent, title } = events[0] as OperationEvent;
    assert.deepEqual([id, run, parent, title], [reporter.id, undefined, undefined, 'Scan']);
    assert.match(String(reporter.id), /./);
    assert.deepEqual([reporter.retry().id, reporter.child({ run: '' }).run], [reporter.id, undefined]);
  });

  it('mints an id of its own when it is given none', () => {
    const sink = createMemorySink();
    const ids = Array.from({ length: 100 }, () => createReporter({ sink, session: 's' }).id);
    assert.equal(new Set(ids).size, 100);
  });

  it('keeps an id exactly, its JSON type and 0 included', () => {
    assert.equal(setup({ id: 0 }).events[0]?.id, 0);
    assert.equal(setup({ id: '0' }).events[0]?.id, '0');
  });

  it('takes counts, counts without a total, and messages alone, and invents no percentage', () => {
    const { reporter, events } = setup();
    reporter.update({ current: 42, total: 100, unit: 'files' });
    reporter.update({ current: 8_388_608, total: null, unit: 'bytes' });
    reporter.update({ message: 'Linking' });
    reporter.complete();
    const [, counted, open, said, done] = events;
    assert.equal(counted?.total, 100);
    assert.equal(open?.total, null);
    assert.deepEqual([said?.message, said && 'current' in said, said && 'fraction' in said], ['Linking', false, false]);
    assert.deepEqual([done?.state, done && 'current' in done, done && 'fraction' in done], ['completed', false, false]);
  });

  for (const [name, patch, path] of [
    ['NaN', { current: Number.NaN }, '/current'],
    ['percent for a fraction', { fraction: 42 }, '/fraction'],
    ['a negative fraction', { fraction: -0.5 }, '/fraction'],
    ['Infinity', { total: Number.POSITIVE_INFINITY }, '/total'],
    ['a total of 0', { current: 1, total: 0 }, '/total'],
    ['a negative total', { total: -5 }, '/total'],
    ['a fraction that is not finite', { fraction: Number.NEGATIVE_INFINITY }, '/fraction'],
    ['text for a number', { current: '42' as unknown as number }, '/current'],
  ] as const) {
    it(`refuses ${name} and says so without sending anything`, () => {
      const { reporter, events, diagnostics } = setup();
      assert.equal(reporter.update(patch), 'invalid');
      assert.equal(events.length, 1);
      assert.equal(diagnostics[0]?.code, 'invalid');
      assert.equal(diagnostics[0]?.path, path);
    });
  }

  it('blocks on a question that is given as a text, as on a kind', () => {
    const { reporter, events } = setup();
    assert.equal(reporter.block('Which branch?'), 'sent');
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.blockedOn], ['blocked', { kind: 'question', prompt: 'Which branch?' }]);
    reporter.block('auth');
    assert.deepEqual(events.at(-1)?.blockedOn, { kind: 'auth' });
    reporter.block(' ');
    assert.deepEqual(events.at(-1)?.blockedOn, { kind: 'other' });
  });

  it('shortens texts that are too long on a code point instead of refusing the update', () => {
    const { reporter, events } = setup({ title: '🧪'.repeat(500) });
    assert.equal(reporter.update({ message: 'x'.repeat(5000) }), 'sent');
    assert.ok([...(events[0]?.title ?? '')].length <= 120);
    assert.ok(!/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/.test(events[0]?.title ?? ''));
    assert.ok([...(events[1]?.message ?? '')].length <= 500);
    assert.ok((events[1]?.message ?? '').length > 400);
  });

  it('cleans escape sequences out of texts, long ones included', () => {
    const { reporter, events } = setup();
    reporter.update({ message: '\u001b[31mred\u001b[0m' });
    reporter.update({ message: '\u001b[31mx'.repeat(1000) });
    assert.equal(events[1]?.message, 'red');
    assert.doesNotMatch(events[2]?.message ?? '[31m', /\[31m/);
    assert.ok(!events[2]?.message?.includes('\u001b'));
  });

  it('starts all the same when what names it is refused', () => {
    const { events, diagnostics } = setup({ total: -1, parent: 'p' });
    assert.deepEqual([events[0]?.state, events[0]?.parent, events[0]?.seq], ['running', 'p', 1]);
    assert.equal(diagnostics[0]?.path, '/total');
  });

  it('moves between machine waits, human waits and work', () => {
    const { reporter, events } = setup();
    assert.equal(reporter.wait('compile'), 'sent');
    reporter.update({ message: '34 s elapsed' });
    assert.equal(reporter.state, 'waiting');
    reporter.resume();
    reporter.block({ kind: 'permission', prompt: 'Write to /etc?' });
    reporter.resume();
    assert.deepEqual(
      events.map(({ state }) => state),
      ['running', 'waiting', undefined, 'running', 'blocked', 'running'],
    );
    assert.deepEqual(events[1]?.waitingOn, { text: 'compile' });
    assert.deepEqual(events[4]?.blockedOn, { kind: 'permission', prompt: 'Write to /etc?' });
  });

  it('refuses a final state in update, which has its own calls', () => {
    const { reporter, events } = setup();
    assert.equal(reporter.update({ state: 'completed' as 'running' }), 'invalid');
    assert.equal(events.length, 1);
  });

  it('takes no field of the event head from a patch', () => {
    const { reporter, events } = setup();
    reporter.update({ current: 1, seq: 99, id: 'other', session: 'other' } as object);
    assert.deepEqual([events[1]?.seq, events[1]?.id, events[1]?.session], [2, 'call-1', 's']);
  });
});

describe('the end of an invocation', () => {
  const ends = {
    completed: (reporter: ReturnType<typeof setup>['reporter']) => reporter.complete(),
    failed: (reporter: ReturnType<typeof setup>['reporter']) => reporter.fail(new Error('no space left')),
    cancelled: (reporter: ReturnType<typeof setup>['reporter']) => reporter.cancel('user'),
    denied: (reporter: ReturnType<typeof setup>['reporter']) => reporter.deny('policy'),
    interrupted: (reporter: ReturnType<typeof setup>['reporter']) => reporter.interrupt('crash'),
  };
  for (const [state, end] of Object.entries(ends)) {
    it(`${state}: every later call is late, sends nothing and is counted`, () => {
      const { reporter, events, diagnostics } = setup();
      reporter.update({ current: 1, total: 2 });
      assert.equal(end(reporter), 'sent');
      const late = [
        reporter.update({ current: 2 }),
        reporter.update({ current: Number.NaN }),
        reporter.wait(),
        reporter.block(),
        reporter.resume(),
        ...Object.values(ends).map((again) => again(reporter)),
      ];
      assert.deepEqual(new Set(late), new Set(['late']));
      assert.equal(reporter.counts.late, late.length);
      assert.equal(diagnostics.filter(({ code }) => code === 'late').length, late.length);
      assert.equal(events.length, 3);
      assert.equal(events.at(-1)?.state, state);
      assert.equal(reporter.state, state);
    });
  }

  it('can come before any progress and fabricates none', () => {
    const { reporter, events } = setup();
    reporter.complete();
    assert.deepEqual(Object.keys(events[1] ?? {}).sort(), ['at', 'attempt', 'id', 'seq', 'session', 'state', 'type']);
  });

  it('is reported even when its patch is refused', () => {
    const { reporter, events } = setup();
    assert.equal(reporter.complete({ total: Number.NaN }), 'invalid');
    assert.equal(events.at(-1)?.state, 'completed');
    assert.equal(reporter.ended, true);
  });

  it('keeps what is right of a start or an end that holds something wrong', () => {
    const { reporter, events } = setup({ title: 'Hash files', unit: 'files', total: Number.NaN, parent: 'p' });
    const { title, unit, total, parent, state } = events[0] as OperationEvent;
    assert.deepEqual([title, unit, total, parent, state], ['Hash files', 'files', undefined, 'p', 'running']);
    assert.equal(reporter.fail(new Error('disk full'), { message: 'at file 7', current: 7, total: 0 }), 'invalid');
    const { message, current, error } = events[1] as OperationEvent;
    assert.deepEqual([message, current, error], ['at file 7', 7, { message: 'disk full' }]);
  });

  it('can be taken apart', async () => {
    const { reporter, events } = setup({ throttleMs: 0 });
    const { update, wait, block, resume, track, child, retry } = reporter;
    assert.deepEqual([update({ current: 1 }), wait('lock'), block('auth'), resume()], ['sent', 'sent', 'sent', 'sent']);
    for (const end of ['complete', 'fail', 'cancel', 'deny', 'interrupt'] as const) {
      const { [end]: over } = child();
      assert.equal(over(), 'sent');
      assert.equal(over(), 'late');
    }
    assert.equal(await track(() => 'done'), 'done');
    assert.deepEqual([retry().attempt, events.at(-1)?.attempt], [2, 2]);
  });

  it('knows what the platform throws by its name', () => {
    const { reporter, events } = setup();
    reporter.fail(new DOMException('It took too long.', 'TimeoutError'));
    assert.deepEqual(events.at(-1)?.error, { message: 'It took too long.', code: 'TimeoutError' });
  });

  it('is cancelled for a reason that is a short text, for a timeout, and else because it was aborted', () => {
    const reasons: readonly (readonly [unknown, string])[] = [
      ['user', 'user'],
      [new DOMException('late', 'TimeoutError'), 'timeout'],
      [undefined, 'aborted'],
      [' ', 'aborted'],
      [7, 'aborted'],
      [new Error('why'), 'aborted'],
    ];
    for (const [reason, word] of reasons) {
      const { events } = setup({ signal: AbortSignal.abort(reason) });
      assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['cancelled', word]);
    }
  });

  it('takes a code or name that nobody can see for none', () => {
    for (const code of [' ', '\u001b[0m', '\u200b', '']) {
      const { reporter, events } = setup();
      assert.equal(reporter.fail({ message: 'disk full', code, name: code }), 'sent');
      assert.deepEqual(events.at(-1)?.error, { message: 'disk full' });
    }
  });

  it('keeps message and code of an error and never its stack', () => {
    const { reporter, events } = setup();
    reporter.fail(Object.assign(new Error('disk full'), { code: 'ENOSPC' }));
    assert.deepEqual(events.at(-1)?.error, { message: 'disk full', code: 'ENOSPC' });
    assert.doesNotMatch(JSON.stringify(events), /reporter\.test/);
  });

  for (const [name, thrown] of [
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['a frozen object', Object.freeze({})],
    ['a revoked proxy', revoked()],
  ] as const) {
    it(`failed takes ${name} for an error`, () => {
      const { reporter, events } = setup();
      assert.equal(reporter.fail(thrown), 'sent');
      assert.equal(events.at(-1)?.state, 'failed');
    });
  }

  it('comes at once when the signal aborts, with its reason', () => {
    const abort = new AbortController();
    const { reporter, events } = setup({ signal: abort.signal });
    abort.abort('user stopped it');
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.reason], ['cancelled', 'user stopped it']);
    assert.equal(reporter.complete(), 'late');
  });

  it('comes right after the start when the signal had aborted before', () => {
    const { events } = setup({ signal: AbortSignal.abort() });
    assert.deepEqual(
      events.map(({ state }) => state),
      ['running', 'cancelled'],
    );
    assert.equal(events[1]?.reason, 'aborted');
  });

  it('retry begins the next attempt afresh and makes the reporter before it late', () => {
    const { reporter, events } = setup({ title: 'Fetch' });
    reporter.update({ current: 5 });
    const second = reporter.retry();
    assert.equal(reporter.update({ current: 6 }), 'late');
    second.update({ current: 1 });
    second.complete();
    assert.deepEqual(
      events.map(({ attempt, seq, id }) => [id, attempt, seq]),
      [
        ['call-1', 1, 1],
        ['call-1', 1, 2],
        ['call-1', 2, 1],
        ['call-1', 2, 2],
        ['call-1', 2, 3],
      ],
    );
  });
});

describe('the throttle', () => {
  it('sends the first update at once, holds what follows, and sends the newest when its time comes', () => {
    const { reporter, events, clock } = setup({ throttleMs: 100 });
    assert.equal(reporter.update({ current: 1, message: 'a' }), 'sent');
    for (let current = 2; current <= 50; current += 1) assert.equal(reporter.update({ current }), 'held');
    assert.equal(events.length, 2);
    clock.advance(99);
    assert.equal(events.length, 2);
    clock.advance(1);
    assert.deepEqual([events.length, events[2]?.current, events[2]?.seq], [3, 50, 3]);
    clock.advance(1000);
    assert.equal(events.length, 3);
  });

  it('keeps every held field, the newest value of each', () => {
    const { reporter, events, clock } = setup({ throttleMs: 100 });
    reporter.update({ current: 1 });
    reporter.update({ message: 'a', current: 2 });
    reporter.update({ message: 'b' });
    reporter.update({ total: 9 });
    clock.advance(100);
    assert.deepEqual([events[2]?.current, events[2]?.message, events[2]?.total], [2, 'b', 9]);
  });

  it('never holds a change of state, which takes what was held along', () => {
    const { reporter, events, clock } = setup({ throttleMs: 100 });
    reporter.update({ current: 1 });
    reporter.update({ current: 2 });
    assert.equal(reporter.wait('lock'), 'sent');
    assert.deepEqual([events[2]?.state, events[2]?.current], ['waiting', 2]);
    reporter.update({ current: 3 });
    assert.equal(reporter.complete(), 'sent');
    assert.deepEqual([events[3]?.state, events[3]?.current], ['completed', 3]);
    clock.advance(1000);
    assert.equal(events.length, 4);
    assert.deepEqual(clock.pending, []);
  });

  it('holds the same wait told again with other words, and forgets it when the wait is over', () => {
    const { reporter, events, clock } = setup({ throttleMs: 100 });
    assert.equal(reporter.wait('1 s elapsed'), 'sent');
    assert.equal(reporter.wait('2 s elapsed'), 'sent');
    for (let seconds = 3; seconds < 9; seconds += 1) assert.equal(reporter.wait(`${seconds} s elapsed`, { current: seconds }), 'held');
    clock.advance(100);
    assert.deepEqual([events.length, events.at(-1)?.waitingOn], [4, { text: '8 s elapsed' }]);
    assert.equal(reporter.wait('9 s elapsed', { current: 9 }), 'held');
    assert.equal(reporter.resume(), 'sent');
    assert.deepEqual([events.at(-1)?.state, events.at(-1)?.waitingOn, events.at(-1)?.current], ['running', undefined, 9]);
  });

  it('sets no timer that would hold a process open', () => {
    const { reporter, clock } = setup({ throttleMs: 100 });
    reporter.update({ current: 1 });
    reporter.update({ current: 2 });
    assert.equal(clock.pending.length, 1);
    assert.equal(clock.holding, 0);
  });

  it('refuses a bad update without losing the good one that is held', () => {
    const { reporter, events, clock } = setup({ throttleMs: 100 });
    reporter.update({ current: 1 });
    reporter.update({ current: 2 });
    assert.equal(reporter.update({ current: Number.NaN }), 'invalid');
    clock.advance(100);
    assert.equal(events.at(-1)?.current, 2);
  });
});

describe('a reporter that is given no sink', () => {
  it('takes sink, session and what goes with them of the reporter around it', async () => {
    const { reporter, events, diagnostics } = setup({ run: 'r' });
    await reporter.track(async () => {
      await Promise.resolve();
      const inner = createReporter({ id: 'inner', title: 'Inner' });
      inner.update({ current: Number.NaN });
      inner.complete();
      createReporter({ id: 'other', session: 's2', parent: null }).complete();
    });
    assert.deepEqual(
      events.map(({ session, run, id, parent, state }) => [session, run, id, parent, state]),
      [
        ['s', 'r', 'call-1', undefined, 'running'],
        ['s', 'r', 'inner', 'call-1', 'running'],
        ['s', 'r', 'inner', undefined, 'completed'],
        ['s2', undefined, 'other', undefined, 'running'],
        ['s2', undefined, 'other', undefined, 'completed'],
        ['s', 'r', 'call-1', undefined, 'completed'],
      ],
    );
    assert.deepEqual(
      diagnostics.map(({ code, path }) => [code, path]),
      [['invalid', '/current']],
    );
  });

  it('is refused where none is current, with what to pass', () => {
    const sink = createMemorySink();
    const refused: readonly (readonly [options: unknown, message: RegExp])[] = [
      [undefined, /createReporter needs \{ sink, session \}, not undefined/],
      [{ session: 's' }, /needs a sink, such as createHttpSink/],
      [{ session: 's', sink: {} }, /a function send\(event\)/],
      [{ session: 's', sink: null }, /a function send\(event\)/],
      [{ sink }, /needs the session/],
    ];
    for (const [options, message] of refused) {
      assert.throws(() => createReporter(options as ReporterOptions), { name: 'TypeError', message });
    }
  });
});

describe('a key that means nothing', () => {
  it('is told once, with the one that may be meant, and costs only itself', () => {
    const { reporter, events, diagnostics } = setup({ titel: 'Hash', limits: undefined } as Partial<ReporterOptions>);
    const stray = { progress: 4, max: 3 } as Partial<ReporterOptions>;
    assert.equal(reporter.update(stray), 'invalid');
    assert.equal(reporter.update(stray), 'invalid');
    assert.equal(events.length, 1);
    assert.equal(reporter.update({ ...stray, message: 'a' }), 'sent');
    assert.equal(reporter.retry().complete(stray), 'sent');
    assert.deepEqual(
      diagnostics.map(({ message, path }) => [path, message]),
      [
        ['/titel', '"titel" is no option of a reporter and was left out.'],
        ['/progress', '"progress" is no field of a report and was left out; is current meant?'],
        ['/max', '"max" is no field of a report and was left out; is total meant?'],
      ],
    );
  });

  it('is told a bounded number of times, however many there are, and whatever it is called', () => {
    const { reporter, diagnostics } = setup();
    assert.equal(reporter.update({ ['__proto__']: 1, constructor: 1 } as never), 'invalid');
    for (let index = 0; index < 100; index++) reporter.update({ [`${index}${'x'.repeat(5000)}`]: 1 } as never);
    assert.equal(diagnostics.length, 20);
    assert.ok(diagnostics.every(({ message }) => message.length < 200 && !message.includes('function')));
  });
});

describe('a name that is refused', () => {
  it('is told once, not at every call', () => {
    const { reporter, events, diagnostics } = setup({ session: 'x'.repeat(5000) });
    reporter.update({ current: 1 });
    reporter.update({ current: 2 });
    reporter.complete();
    assert.deepEqual(events, []);
    assert.deepEqual(
      diagnostics.filter(({ code }) => code === 'invalid').map(({ path }) => path),
      ['/session'],
    );
  });
});

describe('a sink that fails', () => {
  it('is told to the reporter with what it threw or rejected with, a callback as well', async () => {
    const failing = [
      { ...createMemorySink(), send: () => assert.fail('disk full') },
      createCallbackSink(() => assert.fail('disk full')),
      createCallbackSink(() => Promise.reject(new Error('disk full'))),
    ];
    for (const sink of failing) {
      const { reporter, diagnostics } = setup({ sink });
      assert.equal(reporter.complete(), 'sent');
      await sink.flush();
      await Promise.resolve();
      assert.deepEqual(
        diagnostics.map(({ code }) => code),
        ['sink_failed', 'sink_failed'],
      );
      assert.match(diagnostics[0]?.message ?? '', /\(disk full\); the work goes on without it/);
    }
  });

  it('does not let a caller of its own hear of a callback that throws, and tells the callback listener why', () => {
    const told: string[] = [];
    const sink = createCallbackSink(() => assert.fail('disk full'), { onDiagnostic: ({ message }) => void told.push(message) });
    sink.send({ type: 'operation', session: 's', id: 'a', at: 1, state: 'running' });
    assert.deepEqual(told, ['The sink callback failed (disk full); its event is lost to it.']);
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
