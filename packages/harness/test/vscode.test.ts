import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReporter } from '@sitrep/harness';
import type { Diagnostic } from '@sitrep/harness';
import { createVsCodeProgressSink, createVsCodeSink, signalOf } from '@sitrep/harness/vscode';
import type { VsCodeSinkOptions } from '@sitrep/harness/vscode';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { Editor, TokenSource } from './support/editor.ts';
import { ManualClock, settle } from './support/manual-clock.ts';

function editor(options: Partial<VsCodeSinkOptions> = {}) {
  const clock = new ManualClock();
  const window = new Editor();
  const sink = createVsCodeSink({ window, session: 'chat-1', clock, throttleMs: 0, ...options });
  return { clock, window, sink };
}

function op(fields: Partial<OperationEvent> = {}): OperationEvent {
  return { type: 'operation', session: 'chat-1', id: 'call-1', at: 1, ...fields };
}

describe("a session in the editor's progress", () => {
  it('is one progress for an operation, from its first move to its end', async () => {
    const { sink, window } = editor();
    sink.send(op({ state: 'pending', title: 'Build' }));
    assert.equal(window.shown.length, 0);
    sink.send(op({ state: 'running', current: 1, total: 4, unit: 'files', message: 'a.ts' }));
    await settle();
    sink.send(op({ current: 3, message: 'c.ts' }));
    const [shown] = window.shown;
    assert.ok(shown);
    assert.deepEqual(shown.options, { location: 15, title: 'Build', cancellable: false });
    assert.deepEqual(shown.reports, [
      { message: 'a.ts · 1 of 4 files', increment: 25 },
      { message: 'c.ts · 3 of 4 files', increment: 50 },
    ]);
    assert.equal(shown.settled, undefined);
    sink.send(op({ state: 'completed' }));
    await settle();
    assert.equal(shown.settled, 'resolved');
    assert.equal(shown.sum, 75, 'nothing is made up at the end');
  });

  it('never goes back, never goes over 100, and has no increment without an amount', async () => {
    const { sink, window } = editor();
    sink.send(op({ state: 'running', title: 'Copy' }));
    await settle();
    const [shown] = window.shown;
    assert.ok(shown);
    assert.equal(shown.isEndless, true);
    for (const current of [80, 40, 60, 90, 250, 100]) sink.send(op({ current, total: 100 }));
    assert.equal(shown.isEndless, false);
    assert.ok(shown.reports.every(({ increment }) => increment === undefined || increment > 0));
    assert.equal(shown.sum, 100);
    sink.send(op({ current: null, total: null, message: 'cleaning up' }));
    assert.deepEqual(shown.reports.at(-1), { message: 'cleaning up' });
  });

  it('adds up to what is done however small the steps are', async () => {
    const { sink, window } = editor();
    sink.send(op({ state: 'running', current: 0, total: 997 }));
    await settle();
    for (let current = 1; current <= 997; current++) sink.send(op({ current }));
    assert.equal(window.shown[0]?.sum, 100);
  });

  it('shows what was inside something that is over by itself, and no longer tells of what is cleared', async () => {
    const { sink, window } = editor();
    sink.send(op({ id: 'p', state: 'running', title: 'Task' }));
    sink.send(op({ id: 'c', parent: 'p', state: 'running', title: 'Call' }));
    sink.send(op({ id: 'd', parent: 'p', state: 'running', title: 'Other' }));
    await settle();
    sink.send({ type: 'operation.clear', session: 'chat-1', id: 'd', at: 2 });
    assert.deepEqual(window.shown[0]?.reports.at(-1), { message: 'Call' });
    sink.send(op({ id: 'p', state: 'completed' }));
    await settle();
    assert.deepEqual(
      window.shown.map(({ options, settled }) => [options.title, settled]),
      [
        ['Task', 'resolved'],
        ['Call', undefined],
      ],
    );
  });

  it('is told with what it is inside of, also where that turns up later', async () => {
    const { sink, window } = editor();
    sink.send(op({ id: 'c', parent: 'p', state: 'running', title: 'Call' }));
    await settle();
    sink.send(op({ id: 'p', state: 'running', title: 'Task' }));
    await settle();
    assert.deepEqual(
      window.shown.map(({ options, settled, reports }) => [options.title, settled, reports.at(-1)?.message]),
      [
        ['Call', 'resolved', undefined],
        ['Task', undefined, 'Call'],
      ],
    );
  });

  it('has one of its own for each of several, told apart by id and run', async () => {
    const { sink, window } = editor();
    sink.send(op({ id: 7, state: 'running', title: 'A', current: 1, total: 2 }));
    sink.send(op({ id: '7', state: 'running', title: 'A', current: 1, total: 4 }));
    sink.send(op({ id: 7, run: 'r2', state: 'running', title: 'A' }));
    await settle();
    assert.deepEqual(
      window.shown.map(({ sum }) => sum),
      [50, 25, 0],
    );
    sink.send(op({ id: '7', state: 'failed' }));
    await settle();
    assert.deepEqual(
      window.shown.map(({ settled }) => settled),
      [undefined, 'resolved', undefined],
    );
  });

  it('shows no background work, and tells what goes on inside a shown operation with it', async () => {
    const { sink, window } = editor();
    sink.send(op({ id: 'bg', ambient: true, state: 'running' }));
    sink.send(op({ id: 'a', state: 'running', title: 'Refactor' }));
    await settle();
    sink.send(op({ id: 'b', parent: 'a', state: 'running', title: 'Search' }));
    sink.send(op({ id: 'c', parent: 'b', state: 'running', title: 'Read', message: 'auth.ts', at: 2 }));
    sink.send(op({ id: 'c', state: 'completed', at: 3 }));
    sink.send(
      op({ id: 'd', parent: 'b', state: 'blocked', title: 'Run', blockedOn: { kind: 'permission', prompt: 'rm -r dist?' }, at: 4 }),
    );
    sink.send(op({ id: 'a', message: 'half way', at: 5 }));
    sink.send(op({ id: 'd', state: 'completed', at: 6 }));
    assert.equal(window.shown.length, 1);
    assert.deepEqual(
      window.shown[0]?.reports.map(({ message }) => message),
      ['Search', 'Read: auth.ts', 'Search', 'Run: needs you: rm -r dist?', 'half way'],
    );
  });

  it('survives operations that are inside each other', async () => {
    const { sink, window } = editor();
    sink.send(op({ id: 'a', parent: 'b', state: 'running' }));
    sink.send(op({ id: 'b', parent: 'a', state: 'running' }));
    sink.send(op({ id: 'b', message: 'x' }));
    await settle();
    assert.equal(window.shown.length, 1);
  });

  it('shows a few at once and the next when one has ended', async () => {
    const { sink, window } = editor({ maxShown: 2 });
    for (const id of ['a', 'b', 'c']) sink.send(op({ id, state: 'running', title: id }));
    assert.equal(window.shown.length, 2);
    sink.send(op({ id: 'a', state: 'completed' }));
    await settle();
    assert.deepEqual(
      window.shown.map(({ options }) => options.title),
      ['a', 'b', 'c'],
    );
  });

  it('says what it needs of a person, and that it waits', async () => {
    const { sink, window } = editor();
    sink.send(op({ state: 'blocked', title: 'Deploy', blockedOn: { kind: 'permission', prompt: 'Deploy now?' } }));
    await settle();
    sink.send(op({ state: 'waiting', waitingOn: { text: 'the queue' } }));
    assert.deepEqual(window.shown[0]?.reports, [{ message: 'needs you: Deploy now?' }, { message: 'the queue' }]);
  });

  it('passes a cancel on, and goes on until the operation itself ends', async () => {
    const cancelled: unknown[] = [];
    const ended: string[] = [];
    const { sink, window } = editor({ onCancel: ({ id }) => cancelled.push(id), onEnd: ({ state }) => ended.push(state) });
    sink.send(op({ state: 'running', title: 'Build', cancellable: true }));
    await settle();
    const [shown] = window.shown;
    assert.equal(shown?.options.cancellable, true);
    shown?.token.cancel();
    assert.deepEqual(cancelled, ['call-1']);
    assert.equal(shown?.settled, undefined);
    sink.send(op({ state: 'completed' }));
    await settle();
    assert.equal(shown?.settled, 'resolved');
    assert.deepEqual(ended, ['completed']);
    assert.equal(shown?.token.listeners, 0);
  });

  it('survives callbacks that reject, and tells', async () => {
    const told: string[] = [];
    const fail = (): Promise<never> => Promise.reject(new Error('own'));
    const { sink, window } = editor({ onCancel: fail, onEnd: fail, onDiagnostic: ({ message }) => told.push(message) });
    sink.send(op({ state: 'running', cancellable: true }));
    await settle();
    window.shown[0]?.token.cancel();
    sink.send(op({ state: 'completed' }));
    await settle();
    assert.equal(told.length, 2);
    assert.match(told.join(), /callback for a cancel.*callback for an end/);
  });

  it('ends with its run, with a clear and with the sink', async () => {
    const { sink, window } = editor();
    const run = (state: 'running' | 'failed'): ProgressEvent => ({ type: 'run', session: 'chat-1', run: 'r1', state, at: 1 });
    sink.send(run('running'));
    sink.send(op({ id: 'a', run: 'r1', state: 'running' }));
    sink.send(op({ id: 'b', state: 'running' }));
    sink.send(op({ id: 'c', state: 'running' }));
    sink.send(run('failed'));
    sink.send({ type: 'operation.clear', session: 'chat-1', id: 'b', at: 2 });
    await sink.close();
    await settle();
    assert.deepEqual(
      window.shown.map(({ settled }) => settled),
      ['resolved', 'resolved', 'resolved'],
    );
  });

  it('is over at once when the operation ended before the editor began', async () => {
    const { sink, window } = editor();
    sink.send(op({ state: 'running', title: 'Quick' }));
    sink.send(op({ state: 'completed' }));
    await settle();
    assert.equal(window.shown[0]?.settled, 'resolved');
    assert.deepEqual(window.shown[0]?.reports, []);
  });

  it('holds reports back and draws the newest', async () => {
    const { sink, window, clock } = editor({ throttleMs: 100 });
    sink.send(op({ state: 'running', current: 0, total: 100_000 }));
    await settle();
    for (let current = 1; current <= 50_000; current += 100) sink.send(op({ current }));
    assert.equal(window.shown[0]?.reports.length, 1);
    clock.advance(100);
    assert.deepEqual(window.shown[0]?.reports.length, 2);
    assert.equal(window.shown[0]?.sum, 49);
  });

  it('survives an editor and callbacks that throw', async () => {
    const told: Diagnostic[] = [];
    const { sink, window } = editor({
      onDiagnostic: (each) => told.push(each),
      onEnd: () => {
        throw new Error('mine');
      },
    });
    window.fails = true;
    sink.send(op({ id: 'a', state: 'running' }));
    window.fails = false;
    sink.send(op({ id: 'b', state: 'running' }));
    await settle();
    sink.send(op({ id: 'b', state: 'completed' }));
    sink.send(null as never);
    assert.equal(window.shown.length, 1);
    assert.deepEqual(new Set(told.map(({ code }) => code)), new Set(['sink_failed']));
  });
});

describe("one operation in an extension's own progress", () => {
  it('is drawn by a reporter, without what is nested in it', async () => {
    const window = new Editor();
    const clock = new ManualClock();
    await window.withProgress({ location: 15, title: 'Build' }, (progress) =>
      createReporter({ sink: createVsCodeProgressSink(progress), session: 's', title: 'Build', clock, throttleMs: 0 }).track(
        async (reporter) => {
          reporter.update({ current: 1, total: 2 });
          reporter.child({ title: 'inner' }).update({ current: 9, total: 10 });
          reporter.update({ current: 2, message: 'linking' });
        },
      ),
    );
    assert.deepEqual(window.shown[0]?.reports, [
      { message: '1 of 2', increment: 50 },
      { message: 'linking · 2 of 2', increment: 50 },
    ]);
  });

  it('is cancelled by the token', async () => {
    const window = new Editor();
    const session = 's';
    const done = window.withProgress({ location: 15, cancellable: true }, (progress, token) => {
      const reporter = createReporter({ sink: createVsCodeProgressSink(progress), session, signal: signalOf(token) });
      return new Promise<string>((resolve) => reporter.signal?.addEventListener('abort', () => resolve(reporter.state)));
    });
    await settle();
    window.shown[0]?.token.cancel();
    assert.equal(await done, 'cancelled');
  });

  it('is aborted already when the token was cancelled before', () => {
    const token = new TokenSource();
    token.cancel();
    assert.equal(signalOf(token).aborted, true);
  });
});
