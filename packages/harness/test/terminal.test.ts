import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createReporter } from '@sitrep/harness';
import type { Diagnostic } from '@sitrep/harness';
import { clearOnExit, createTerminalSink } from '@sitrep/harness/terminal';
import type { ExitHost, TerminalSinkOptions } from '@sitrep/harness/terminal';
import { OscParser } from '@sitrep/schema/dialect';
import { readStatus } from '@sitrep/schema/dialect/osc-status';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { ManualClock, settle } from './support/manual-clock.ts';

const bar = (state: number, percent = 0): string => `\u001b]9;4;${state};${percent}\u001b\\`;

function terminal(options: Partial<TerminalSinkOptions> = {}, isTTY = true) {
  const clock = new ManualClock();
  const writes: string[] = [];
  const output = { isTTY, write: (text: string): boolean => writes.push(text) > 0 };
  const sink = createTerminalSink({ session: 'chat-1', output, clock, ...options });
  /** Everything written since the last time. */
  const taken = (): string[] => writes.splice(0);
  return { clock, sink, taken, output };
}

function op(fields: Partial<OperationEvent> = {}): OperationEvent {
  return { type: 'operation', session: 'chat-1', id: 'call-1', at: 1, ...fields };
}

function run(state: 'running' | 'completed' | 'failed' | 'cancelled', name = 'r1'): ProgressEvent {
  return { type: 'run', session: 'chat-1', run: name, state, at: 1 };
}

/** The records a terminal keeps of what was written. */
function records(texts: readonly string[]): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { text } of new OscParser().push(texts.join(''))) {
    const read = readStatus(text);
    if (read?.kind !== 'report') continue;
    const { id, state } = read.report;
    if (state !== 'clear') kept.set(id, state);
    else for (const key of kept.keys()) if (id === '' || key === id || key.startsWith(`${id}/`)) kept.delete(key);
  }
  return kept;
}

describe('a terminal sink', () => {
  it('shows the bar of what goes on, keeps it for the whole run, and hides it at the end', () => {
    const { sink, taken, clock } = terminal();
    sink.send(run('running'));
    assert.deepEqual(taken(), [bar(3)]);
    sink.send(op({ run: 'r1', state: 'running', current: 1, total: 4 }));
    assert.deepEqual(taken(), [bar(1, 25)]);
    sink.send(op({ run: 'r1', current: 2 }));
    assert.deepEqual(taken(), [], 'an amount alone is held back');
    sink.send(op({ run: 'r1', current: 3 }));
    clock.advance(100);
    assert.deepEqual(taken(), [bar(1, 75)]);
    sink.send(op({ run: 'r1', state: 'blocked' }));
    assert.deepEqual(taken(), [bar(4, 75)], 'a state is not');
    sink.send(op({ run: 'r1', state: 'completed' }));
    sink.send(run('completed'));
    assert.deepEqual(taken(), [bar(3), bar(0)]);
    clock.advance(60_000);
    assert.deepEqual(taken(), [], 'nothing is repeated once nothing goes on');
  });

  it('repeats the bar within 15 s while it stands, also while other things are written', () => {
    const { sink, taken, clock } = terminal({ status: true });
    sink.send(op({ state: 'running', title: 'Build' }));
    taken();
    for (let second = 0; second < 60; second++) {
      sink.send(op({ message: `line ${second}` }));
      clock.advance(1000);
    }
    const bars = taken().filter((text) => text.includes(bar(3)));
    assert.ok(bars.length >= 4, `${bars.length} in a minute`);
    sink.send(op({ state: 'failed' }));
    taken();
    clock.advance(60_000);
    assert.deepEqual(taken(), [], 'an error is shown, not repeated');
  });

  it('never has a percentage from background work such as a gauge', () => {
    const { sink, taken } = terminal();
    sink.send(op({ id: 'context', ambient: true, state: 'running', current: 80, total: 100 }));
    assert.deepEqual(taken(), []);
    sink.send(op({ state: 'running' }));
    assert.deepEqual(taken(), [bar(3)]);
  });

  it('writes nothing where there is no terminal, unless it is forced', () => {
    const piped = terminal({}, false);
    piped.sink.send(op({ state: 'running' }));
    assert.equal(piped.sink.active, false);
    assert.deepEqual(piped.taken(), []);
    const forced = terminal({ force: true }, false);
    forced.sink.send(op({ state: 'running' }));
    assert.deepEqual(forced.taken(), [bar(3)]);
  });

  it('hides the bar when it is closed, and shows nothing afterwards', async () => {
    const { sink, taken, clock } = terminal();
    sink.send(op({ state: 'running', current: 1, total: 2 }));
    await sink.close();
    assert.deepEqual(taken(), [bar(1, 50), bar(0)]);
    sink.send(op({ current: 2 }));
    await sink.close();
    clock.advance(60_000);
    assert.deepEqual(taken(), []);
    assert.deepEqual(clock.pending, []);
  });

  it('passes over other sessions, late events and events that are none', () => {
    const { sink, taken } = terminal();
    sink.send(op({ session: 'chat-2', state: 'running' }));
    sink.send(op({ state: 'completed' }));
    sink.send(op({ state: 'running' }));
    sink.send(null as never);
    assert.deepEqual(taken(), []);
  });

  it('gives up an output that cannot be written to, and says so once', () => {
    const told: Diagnostic[] = [];
    const output = {
      isTTY: true,
      write(): never {
        throw new Error('EIO');
      },
    };
    const sink = createTerminalSink({ session: 'chat-1', output, clock: new ManualClock(), onDiagnostic: (each) => told.push(each) });
    sink.send(op({ state: 'running' }));
    sink.send(op({ state: 'blocked' }));
    assert.equal(sink.active, false);
    assert.deepEqual(
      told.map(({ code }) => code),
      ['sink_failed'],
    );
  });

  it('writes what goes together in one write of whole sequences', () => {
    const { sink, taken } = terminal({ status: true, notify: 'osc99', app: 'agent' });
    sink.send(run('running'));
    sink.send(op({ run: 'r1', state: 'blocked', title: 'Deploy', blockedOn: { kind: 'permission', prompt: 'Now?' } }));
    const writes = taken();
    assert.equal(writes.length, 2);
    for (const text of writes) {
      const pieces = new OscParser().push(text);
      assert.ok(pieces.every(({ osc }) => osc !== undefined));
      assert.equal(pieces.map((piece) => piece.text).join(''), text);
    }
    assert.ok(writes[1]?.startsWith(bar(4)));
    assert.ok(writes[1]?.includes('\u001b]99;i=sitrep-'));
  });
});

describe('the program status a terminal sink writes', () => {
  it('has a record for the program, its runs and its operations', async () => {
    const { sink, taken } = terminal({ status: true, app: 'agent', throttleMs: 0 });
    sink.send({ type: 'session', session: 'chat-1', title: 'Fix the build', at: 1 });
    sink.send(run('running'));
    sink.send(op({ run: 'r1', state: 'running', title: 'Build', current: 1, total: 2 }));
    const all = taken();
    assert.deepEqual([...records(all)].sort(), [
      ['', 'working'],
      ['run.r1', 'working'],
      ['run.r1/call-1', 'working'],
    ]);
    const roots = new OscParser().push(all.join('')).flatMap(({ text }) => {
      const read = readStatus(text);
      return read?.kind === 'report' && read.report.id === '' ? [read.report] : [];
    });
    const { app, title, progress } = roots.at(-1) ?? {};
    assert.deepEqual([app, title, progress], ['agent', 'Fix the build', 50]);
    sink.send(op({ run: 'r1', state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which?' } }));
    assert.equal(records(taken()).get(''), 'blocked');
    sink.send(op({ run: 'r1', state: 'completed' }));
    sink.send(run('failed'));
    all.push(...taken());
    assert.deepEqual([...records(all)].sort(), [
      ['', 'error'],
      ['run.r1', 'error'],
      ['run.r1/call-1', 'done'],
    ]);
    await sink.close();
    all.push(...taken());
    assert.deepEqual([...records(all)], [['', 'error']], 'how it went outlives the program, the rest does not');
  });

  it('is idle for a program that is left while it works', async () => {
    const { sink, taken } = terminal({ status: true });
    sink.send(op({ state: 'running', title: 'Build' }));
    await sink.close();
    assert.deepEqual([...records(taken())], [['', 'idle']]);
  });

  it('is merged by record while it is held back', () => {
    const { sink, taken, clock } = terminal({ status: true });
    sink.send(op({ state: 'running', title: 'Build' }));
    taken();
    for (let index = 0; index < 1000; index++) sink.send(op({ message: `line ${index}` }));
    clock.advance(100);
    const writes = taken();
    assert.equal(writes.length, 1);
    assert.equal(new OscParser().push(writes[0] ?? '').length, 1);
  });

  it('is at rest once what was blocked is cleared, or was only in the background', () => {
    const root = (texts: string[]): unknown =>
      new OscParser()
        .push(texts.join(''))
        .map(({ text }) => readStatus(text))
        .flatMap((read) => (read?.kind === 'report' && read.report.id === '' ? [read.report.state] : []));
    const { sink, taken, clock } = terminal({ status: true });
    sink.send(op({ state: 'blocked' }));
    sink.send({ type: 'operation.clear', session: 'chat-1', id: 'call-1', at: 2 });
    clock.advance(100);
    assert.deepEqual(root(taken()), ['blocked', 'idle']);
    sink.send(op({ id: 'b', ambient: true, state: 'blocked' }));
    clock.advance(100);
    sink.send(op({ id: 'b', state: 'completed' }));
    clock.advance(100);
    assert.deepEqual(root(taken()), ['blocked', 'idle']);
  });

  it('clears a record before what is reported again below it', () => {
    const { sink, taken } = terminal({ status: true });
    sink.send(op({ id: 'a', state: 'running' }));
    sink.send(op({ id: 'b', parent: 'a', state: 'running' }));
    sink.send({ type: 'operation.clear', session: 'chat-1', id: 'a', at: 2 });
    sink.send(op({ id: 'b', state: 'blocked' }));
    assert.deepEqual([...records(taken()).keys()].sort(), ['', 'a/b']);
  });
});

describe('clearing on exit', () => {
  class Host implements ExitHost {
    readonly pid = 7;
    readonly killed: string[] = [];
    readonly #listeners: [string, () => void][] = [];
    on(event: string, listener: () => void): void {
      this.#listeners.push([event, listener]);
    }
    off(event: string, listener: () => void): void {
      const at = this.#listeners.findIndex(([name, each]) => name === event && each === listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    }
    listenerCount(event: string): number {
      return this.#listeners.filter(([name]) => name === event).length;
    }
    kill(_pid: number, signal: string): void {
      this.killed.push(signal);
    }
    emit(event: string): void {
      for (const [name, listener] of this.#listeners.slice()) if (name === event) listener();
    }
  }

  it('hides the bar at exit and at a signal, and lets the signal end the process', () => {
    const host = new Host();
    const { sink, taken } = terminal();
    clearOnExit(sink, host);
    sink.send(op({ state: 'running' }));
    host.emit('SIGINT');
    assert.deepEqual(taken(), [bar(3), bar(0)]);
    assert.deepEqual(host.killed, ['SIGINT']);
    host.emit('exit');
    assert.deepEqual(taken(), []);
  });

  it('leaves the signal to whoever else listens, and can be taken back', () => {
    const host = new Host();
    const { sink, taken } = terminal();
    const undo = clearOnExit(sink, host);
    host.on('SIGTERM', () => {});
    sink.send(op({ state: 'running' }));
    host.emit('SIGTERM');
    assert.deepEqual(host.killed, []);
    assert.deepEqual(taken(), [bar(3), bar(0)]);
    undo();
    assert.equal(host.listenerCount('exit') + host.listenerCount('SIGINT') + host.listenerCount('SIGHUP'), 0);
  });

  it('hides the bars of two sinks, and still lets the signal end the process', async () => {
    const host = new Host();
    const [first, second] = [terminal(), terminal()];
    const undo = [clearOnExit(first.sink, host), clearOnExit(second.sink, host)];
    for (const { sink } of [first, second]) sink.send(op({ state: 'running' }));
    host.emit('SIGINT');
    await settle();
    assert.deepEqual(
      [first.taken(), second.taken()],
      [
        [bar(3), bar(0)],
        [bar(3), bar(0)],
      ],
    );
    assert.deepEqual(host.killed, ['SIGINT']);
    for (const each of undo) each();
    assert.equal(host.listenerCount('exit') + host.listenerCount('SIGINT') + host.listenerCount('SIGHUP'), 0);
  });

  it('listens again where somebody else decided to go on', async () => {
    const host = new Host();
    const { sink, taken } = terminal();
    clearOnExit(sink, host);
    host.on('SIGINT', () => {});
    for (let times = 0; times < 2; times++) {
      sink.send(op({ state: 'running', attempt: times + 1 }));
      host.emit('SIGINT');
      await settle();
    }
    assert.deepEqual(taken(), [bar(3), bar(0), bar(3), bar(0)]);
    assert.deepEqual(host.killed, []);
  });

  for (const when of ['before', 'after'])
    it(`does not keep one who ends the process only as the last who listens, there ${when} it, from doing so`, async () => {
      const waits = `
        const last = () => {
          if (process.listeners('SIGTERM').length > 1) return;
          process.off('SIGTERM', last);
          process.kill(process.pid, 'SIGTERM');
        };
        process.on('SIGTERM', last);`;
      const clears = `
        const sink = createTerminalSink({ session: 's', output: process.stdout, force: true });
        sink.send({ type: 'operation', session: 's', id: 'a', at: 1, state: 'running' });
        clearOnExit(sink, process);
        clearOnExit(createTerminalSink({ session: 't', output: process.stdout, force: true }), process);`;
      const parts = when === 'before' ? [waits, clears] : [clears, waits];
      const program = `import { clearOnExit, createTerminalSink } from '@sitrep/harness/terminal';${parts.join('')}
        setInterval(() => {}, 1000);
        process.stdout.write('ready');`;
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        cwd: new URL('..', import.meta.url),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (chunk.endsWith('ready')) child.kill('SIGTERM');
      });
      const killer = setTimeout(() => child.kill('SIGKILL'), 100_000);
      const [, signal] = (await once(child, 'close')) as [unknown, string];
      clearTimeout(killer);
      assert.equal(signal, 'SIGTERM');
      assert.equal(text, `${bar(3)}ready${bar(0)}`);
    });

  it('shows again what a reporter says afterwards', () => {
    const { sink, taken, clock } = terminal();
    const reporter = createReporter({ sink, session: 'chat-1', id: 'a', title: 'Build', clock });
    sink.clear();
    reporter.block('permission');
    assert.deepEqual(taken(), [bar(3), bar(0), bar(4)]);
    sink.clear();
    sink.send(op({ id: 'a', seq: 9, message: 'still here' }));
    assert.deepEqual(taken(), [bar(0), bar(4)]);
  });
});
