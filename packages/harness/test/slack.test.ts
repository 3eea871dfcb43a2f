import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '@sitrep/harness';
import { createSlackSink } from '@sitrep/harness/slack';
import type { SlackAppend, SlackClient, SlackSinkOptions, SlackStart } from '@sitrep/harness/slack';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { ManualClock, settle } from './support/manual-clock.ts';

interface Request {
  method: 'start' | 'append' | 'stop';
  args: SlackStart | SlackAppend;
}

/** Answers as the real one does, and fails where it is told to. */
class Client implements SlackClient {
  readonly requests: Request[] = [];
  failures = 0;
  hold: Promise<void> | undefined;
  #streams = 0;

  async #answer<T>(method: Request['method'], args: Request['args'], answer: T): Promise<T> {
    this.requests.push({ method, args });
    await this.hold;
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('internal_error');
    }
    return answer;
  }

  readonly chat = {
    startStream: (args: SlackStart) => this.#answer('start', args, { ok: true, ts: `ts-${++this.#streams}` }),
    appendStream: (args: SlackAppend) => this.#answer('append', args, { ok: true }),
    stopStream: (args: SlackAppend) => this.#answer('stop', args, { ok: true }),
  };

  get last(): Request | undefined {
    return this.requests.at(-1);
  }

  get methods(): string[] {
    return this.requests.map(({ method }) => method);
  }
}

function slackSink(options: Partial<SlackSinkOptions> = {}) {
  const clock = new ManualClock();
  const client = new Client();
  const told: Diagnostic[] = [];
  const sink = createSlackSink({
    client,
    session: 'chat-1',
    channel: 'C1',
    thread_ts: '1.1',
    clock,
    onDiagnostic: (each) => told.push(each),
    ...options,
  });
  async function pass(ms = 0): Promise<void> {
    clock.advance(ms);
    await settle();
  }
  return { clock, client, sink, told, pass };
}

function op(fields: Partial<OperationEvent> = {}): OperationEvent {
  return { type: 'operation', session: 'chat-1', run: 'r1', id: 'call-1', at: 1, ...fields };
}

function run(state: 'running' | 'completed' | 'failed', name = 'r1'): ProgressEvent {
  return { type: 'run', session: 'chat-1', run: name, state, at: 1 };
}

describe('a Slack sink', () => {
  it('streams a run as one message, and stops it when the run ends', async () => {
    const { sink, client, pass } = slackSink({ recipient_team_id: 'T1' });
    sink.send({ type: 'session', session: 'chat-1', title: 'Fix the build', at: 1 });
    sink.send(run('running'));
    await pass();
    assert.equal(client.requests.length, 0, 'nothing to show yet');
    sink.send(op({ state: 'running', title: 'Build' }));
    await pass();
    assert.deepEqual(client.requests, [
      {
        method: 'start',
        args: {
          channel: 'C1',
          thread_ts: '1.1',
          recipient_team_id: 'T1',
          task_display_mode: 'plan',
          chunks: [
            { type: 'plan_update', title: 'Fix the build' },
            { type: 'task_update', id: 'call-1', title: 'Build', status: 'in_progress' },
          ],
        },
      },
    ]);
    sink.send(op({ id: 'call-2', state: 'running', title: 'Test' }));
    await pass(1000);
    sink.send(op({ state: 'completed', message: 'Built' }));
    sink.send(run('failed'));
    await sink.flush();
    assert.deepEqual(client.methods, ['start', 'append', 'append', 'stop']);
    assert.deepEqual(client.requests[2]?.args, {
      channel: 'C1',
      ts: 'ts-1',
      chunks: [
        { type: 'task_update', id: 'call-1', title: 'Build', status: 'complete', output: 'Built' },
        { type: 'task_update', id: 'call-2', title: 'Test', status: 'error', output: 'interrupted' },
      ],
    });
    assert.deepEqual(client.requests[3]?.args, { channel: 'C1', ts: 'ts-1' });
  });

  it('makes one request of a flood, and keeps to its pace', async () => {
    const { sink, client, pass } = slackSink();
    sink.send(op({ state: 'running', title: 'Copy', total: 10_000, current: 0 }));
    await pass();
    for (let second = 0; second < 3; second++) {
      for (let step = 1; step <= 1000; step++) sink.send(op({ current: second * 1000 + step }));
      await pass(1000);
    }
    assert.deepEqual(client.methods, ['start', 'append', 'append', 'append']);
    assert.deepEqual(client.last?.args.chunks, [{ type: 'task_update', id: 'call-1', title: 'Copy: 3000/10000', status: 'in_progress' }]);
  });

  it('has one request under way at a time, so that waiting for a limit holds all back', async () => {
    const { sink, client, pass } = slackSink();
    let go = (): void => {};
    client.hold = new Promise((resolve) => (go = resolve));
    sink.send(op({ state: 'running', title: 'A' }));
    await pass();
    for (let second = 0; second < 30; second++) {
      sink.send(op({ message: `line ${second}` }));
      await pass(1000);
    }
    assert.deepEqual(client.methods, ['start']);
    client.hold = undefined;
    go();
    await settle();
    await pass(1000);
    assert.deepEqual(client.methods, ['start', 'append']);
    assert.equal(client.last?.args.chunks?.length, 1);
  });

  it('tries again what failed, with what has come since', async () => {
    const { sink, client, told, pass } = slackSink();
    client.failures = 1;
    sink.send(op({ state: 'running', title: 'A' }));
    await pass();
    sink.send(op({ message: 'now' }));
    await pass(1000);
    assert.deepEqual(client.methods, ['start', 'start']);
    assert.deepEqual(client.last?.args.chunks, [{ type: 'task_update', id: 'call-1', title: 'A: now', status: 'in_progress' }]);
    assert.deepEqual(
      told.map(({ code }) => code),
      ['sink_failed'],
    );
  });

  it('gives a stream up after three failures, and begins the next run anew', async () => {
    const { sink, client, pass } = slackSink();
    client.failures = 3;
    sink.send(op({ state: 'running', title: 'A' }));
    for (let second = 0; second < 10; second++) await pass(1000);
    assert.deepEqual(client.methods, ['start', 'start', 'start']);
    sink.send(op({ message: 'lost' }));
    sink.send(run('completed'));
    sink.send(op({ run: 'r2', state: 'running', title: 'B' }));
    await pass(1000);
    assert.deepEqual(client.methods, ['start', 'start', 'start', 'start']);
  });

  it('begins with the plan of its own run, not with that of another', async () => {
    const { sink, client, pass } = slackSink();
    const plan = [{ step: 'Read', status: 'in_progress' as const }];
    sink.send({ type: 'card', session: 'chat-1', run: 'r1', revision: 1, at: 1, card: { plan } });
    await pass();
    sink.send(run('completed'));
    await sink.flush();
    sink.send(op({ run: 'r2', state: 'running', title: 'B' }));
    await pass();
    sink.send({ type: 'card', session: 'chat-1', run: 'r2', revision: 2, at: 1, card: { plan } });
    await pass(1000);
    assert.deepEqual(
      client.requests.map(({ method, args }) => [method, ...(args.chunks ?? []).map((chunk) => ('id' in chunk ? chunk.id : chunk.title))]),
      [['start', 'Plan', 'plan/1'], ['stop'], ['start', 'call-1'], ['append', 'Plan', 'plan/1']],
    );
  });

  it('stops the stream of work that belongs to no run when nothing of it goes on', async () => {
    const { sink, client, pass } = slackSink();
    const alone = (fields: Partial<OperationEvent>): OperationEvent => ({
      type: 'operation',
      session: 'chat-1',
      id: 'a',
      at: 1,
      ...fields,
    });
    sink.send(alone({ state: 'running', title: 'A' }));
    sink.send(alone({ id: 'b', state: 'running', title: 'B' }));
    sink.send(alone({ state: 'completed' }));
    await pass();
    sink.send(alone({ id: 'b', state: 'completed' }));
    await sink.flush();
    assert.deepEqual(client.methods, ['start', 'append', 'stop']);
  });

  it('says each end once, one after another, however the chunks are merged while they wait', async () => {
    const { sink, client, pass } = slackSink();
    sink.send(op({ state: 'running', title: 'A' }));
    await pass();
    sink.send(op({ state: 'failed', error: { message: 'exit 2' } }));
    sink.send(op({ attempt: 2, state: 'running' }));
    client.failures = 1;
    await pass(1000);
    sink.send(op({ attempt: 2, state: 'completed', message: 'Built' }));
    await pass(1000);
    assert.deepEqual(client.last?.args.chunks, [
      { type: 'task_update', id: 'call-1', title: 'A', status: 'complete', output: 'exit 2\nBuilt' },
    ]);
    sink.send(op({ attempt: 2, state: 'completed', endedAt: 9 }));
    await pass(1000);
    assert.deepEqual(client.methods, ['start', 'append', 'append']);
  });

  it('stops the stream of work that belongs to no run when the last of it is cleared', async () => {
    const { sink, client, pass } = slackSink();
    sink.send({ type: 'operation', session: 'chat-1', id: 'a', at: 1, state: 'running', title: 'A' });
    await pass();
    sink.send({ type: 'operation.clear', session: 'chat-1', id: 'a', at: 2 });
    await sink.flush();
    assert.deepEqual(client.methods, ['start', 'append', 'stop']);
    assert.deepEqual(client.requests[1]?.args.chunks, [{ type: 'task_update', id: 'a', title: 'A: cleared', status: 'error' }]);
  });

  it('never starts a stream for late events, other sessions and values that are none', async () => {
    const { sink, client, pass } = slackSink();
    sink.send(run('completed'));
    sink.send(op({ state: 'running' }));
    sink.send(op({ session: 'chat-2', state: 'running' }));
    sink.send(null as never);
    await pass(5000);
    assert.deepEqual(client.methods, []);
  });

  it('stops what is open when it is closed, and sends nothing afterwards', async () => {
    const { sink, client, clock, pass } = slackSink();
    sink.send(op({ state: 'running', title: 'A' }));
    await sink.close();
    sink.send(op({ message: 'late' }));
    await pass(5000);
    assert.deepEqual(client.methods, ['start', 'stop']);
    assert.deepEqual(clock.pending, []);
  });

  it('does not wait for ever for a client that does not answer', async () => {
    const { sink, client, clock, told } = slackSink();
    client.hold = new Promise(() => {});
    sink.send(op({ state: 'running', title: 'A' }));
    const closed = sink.close();
    await settle();
    assert.equal(clock.holding, 1, 'a process that waits is held open');
    clock.advance(10_000);
    await closed;
    assert.deepEqual(
      told.map(({ code }) => code),
      ['flush_timeout'],
    );
  });

  it('begins one more message for every 50 tasks, and moves each task where it is', async () => {
    const { sink, client } = slackSink();
    sink.send({ type: 'session', session: 'chat-1', title: 'Many', at: 1 });
    for (let id = 0; id < 120; id++) sink.send(op({ id, state: 'running', title: `T${id}` }));
    await sink.flush();
    // The title of each is one of its chunks.
    assert.deepEqual(client.requests.map(({ method, args }) => [method, args.chunks?.length]).toSorted(), [
      ['append', 1],
      ['append', 1],
      ['start', 21],
      ['start', 50],
      ['start', 50],
    ]);
    client.requests.length = 0;
    sink.send(op({ id: 3, state: 'completed' }));
    sink.send(op({ id: 119, state: 'completed' }));
    await sink.flush();
    const moved = client.requests.map(({ args }) => ['ts' in args && args.ts, args.chunks?.map((chunk) => 'id' in chunk && chunk.id)]);
    assert.deepEqual(moved, [
      ['ts-1', ['#3']],
      ['ts-3', ['#119']],
    ]);
    client.requests.length = 0;
    sink.send(run('completed'));
    await sink.flush();
    assert.deepEqual(client.methods.filter((method) => method === 'stop').length, 3);
  });
});
