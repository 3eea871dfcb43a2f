import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { LogLevel, WebClient } from '@slack/web-api';
import type { Diagnostic } from '@sitrep/harness';
import { createSlackSink } from '@sitrep/harness/slack';
import { slack } from '@sitrep/schema/dialect/slack';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createEncoder } from '@sitrep/schema/translate';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { recorder } from './record.ts';
import { startWorkspace } from './slack/workspace.ts';
import type { ShownMessage } from './slack/workspace.ts';

const came = recorder('slack', { peer: '@slack/web-api 8.2.0', transport: 'HTTP, a stand-in of the Web API' });
const workspace = await startWorkspace();
const client = new WebClient('xoxb-none', { slackApiUrl: workspace.url, logLevel: LogLevel.ERROR });
const SESSION = 'chat-1';

after(() => workspace.close());

function op(fields: Partial<OperationEvent> = {}): OperationEvent {
  return { type: 'operation', session: SESSION, run: 'r1', id: 'call-1', at: 1, ...fields };
}
const run = (state: 'running' | 'completed' | 'cancelled'): ProgressEvent => ({ type: 'run', session: SESSION, run: 'r1', state, at: 1 });

/** Sends a run's events through the sink and the client, and answers the message they became. */
async function streamed(events: readonly ProgressEvent[]): Promise<ShownMessage & { readonly ours: string }> {
  const told: Diagnostic[] = [];
  const index = new SessionIndex(SESSION);
  const known = workspace.messages.size;
  const sink = createSlackSink({
    client,
    session: SESSION,
    channel: 'C1',
    thread_ts: '1.1',
    intervalMs: 20,
    onDiagnostic: (each) => told.push(each),
  });
  for (const event of [run('running'), ...events]) {
    index.apply(event);
    sink.send(event);
    // Each on its own, so that every state is a request of its own.
    if (events.length < 10) await sink.flush();
  }
  const ours = recordsOf(index);
  sink.send(run('completed'));
  await sink.flush();
  const message = [...workspace.messages.values()][known];
  assert.ok(message, 'no message was started');
  assert.equal(message.streaming, false);
  assert.deepEqual(told, []);
  return Object.assign(message, { ours });
}

/** Our records before the run ended, and what was dropped. */
function recordsOf(index: SessionIndex): string {
  const all = [...index.operations.values()].map(({ id, state, current, total, parent, cancelRequested }) => {
    const amount = current === undefined ? '' : ` ${current}/${total ?? '?'}`;
    return `${JSON.stringify(id)}${parent === undefined ? '' : ` in ${JSON.stringify(parent)}`} ${state}${amount}${cancelRequested === true ? ', asked to cancel' : ''}`;
  });
  return all.join('; ') + (index.outcomes.late > 0 ? `; ${index.outcomes.late} late event dropped, and not sent` : '');
}

/** What stands behind the title. */
function saidOf(title: string): string | undefined {
  return / *: (.*)$/.exec(title)?.[1];
}

function shown(message: ShownMessage): string {
  return [...message.tasks]
    .map(([id, { title, status, output }]) => [`${id} ${status}`, saidOf(title), output].filter((part) => part !== undefined).join(', '))
    .join('; ');
}

describe("Slack's own client against its HTTP API", () => {
  it('writes a flood as a few requests, and the end of it', async () => {
    const message = await streamed([
      op({ state: 'running', title: 'Copy', total: 5000, current: 0 }),
      ...Array.from({ length: 5000 }, (_, index) => op({ current: index + 1 })),
      op({ state: 'completed', message: 'copied' }),
    ]);
    assert.equal(message.mode, 'plan');
    assert.ok(message.requests <= 3, `${message.requests} requests`);
    assert.equal(shown(message), 'call-1 complete, copied');
    came('burst', { sent: '5,000 updates and the end at once', peer: `at most three requests; ${shown(message)}`, ours: message.ours });
  });

  it('never writes what came after the end', async () => {
    const message = await streamed([
      op({ state: 'running', title: 'A' }),
      op({ state: 'failed', error: { message: 'no space' } }),
      op({ state: 'running', message: 'late' }),
    ]);
    assert.equal(shown(message), 'call-1 error, no space');
    came('late', { sent: 'running, failed, running', peer: shown(message), ours: message.ours });
  });

  it('says everything once, though Slack appends what it is told of a task', async () => {
    const message = await streamed([
      op({ state: 'running', title: 'Build', message: 'Compiling' }),
      op({ message: 'Linking', current: 1, total: 2 }),
      op({ state: 'blocked', blockedOn: { kind: 'permission', prompt: 'Allow it?' } }),
      op({ state: 'failed', error: { message: 'exit 2' } }),
      op({ attempt: 2, state: 'running' }),
      op({ attempt: 2, state: 'completed', message: 'Built' }),
    ]);
    assert.deepEqual(message.tasks.get('call-1'), { title: 'Build', status: 'complete', output: 'exit 2\nBuilt' });
  });

  it('writes amounts as text, falling ones as they are', async () => {
    const message = await streamed([op({ state: 'running', title: 'A', total: 10, current: 5 }), op({ current: 5 }), op({ current: 2 })]);
    assert.equal(message.requests, 3 + 1, 'start, one change, the end of the run, stop');
    came('amounts', { sent: '5, 5, 2 of 10', peer: '5/10, then 2/10', ours: message.ours });
  });

  it('keeps two identical operations apart, the type of the id included', async () => {
    const message = await streamed([
      op({ id: 7, state: 'running', title: 'Build' }),
      op({ id: '7', state: 'running', title: 'Build' }),
      op({ id: '7', state: 'completed' }),
      op({ id: 7, state: 'failed' }),
    ]);
    assert.equal(shown(message), '#7 error; 7 complete');
    came('concurrent', { sent: 'ids 7 and "7" with the same title; 7 fails, "7" completes', peer: shown(message), ours: message.ours });
  });

  it('shows what is nested side by side', async () => {
    const message = await streamed([
      op({ id: 'a', state: 'running', title: 'A' }),
      op({ id: 'b', parent: 'a', state: 'running', title: 'B' }),
      op({ id: 'c', parent: 'b', state: 'completed', title: 'C' }),
      op({ id: 'b', state: 'completed' }),
      op({ id: 'a', state: 'completed' }),
    ]);
    assert.deepEqual([...message.tasks.keys()], ['a', 'b', 'c']);
    came('nested', { sent: 'three operations, one inside the other', peer: shown(message), ours: message.ours });
  });

  it('is complete when the work finished in spite of a cancel', async () => {
    const message = await streamed([op({ state: 'running', title: 'A' }), op({ cancelRequested: true }), op({ state: 'completed' })]);
    assert.equal(shown(message), 'call-1 complete');
    came('cancel-completed', { sent: 'running, a request to cancel, completed', peer: shown(message), ours: message.ours });
  });

  it('says in words what was denied and cancelled', async () => {
    const message = await streamed([op({ state: 'denied', title: 'Delete' }), op({ id: 'call-2', state: 'cancelled', title: 'Deploy' })]);
    assert.equal(shown(message), 'call-1 error, denied; call-2 error, cancelled');
    came('denied', { sent: 'denied', peer: 'error, denied', ours: message.ours });
  });

  it('says nothing of work that says nothing, and closes it with its run', async () => {
    const message = await streamed([op({ state: 'running', title: 'A' })]);
    assert.equal(shown(message), 'call-1 error, interrupted');
    came('silence', {
      sent: 'running, then the end of the run',
      peer: 'in_progress, the title alone; then error, interrupted',
      ours: message.ours,
    });
  });

  it('waits as long as it is asked to, and loses nothing', async () => {
    const before = workspace.waits;
    workspace.limit(1);
    const message = await streamed([op({ state: 'running', title: 'A' }), op({ state: 'completed', message: 'done' })]);
    assert.equal(workspace.waits, before + 1);
    assert.equal(shown(message), 'call-1 complete, done');
  });

  it('shows the plan and the title of the session', async () => {
    const message = await streamed([
      { type: 'session', session: SESSION, title: 'Fix the build', at: 1 },
      { type: 'card', session: SESSION, run: 'r1', revision: 1, at: 1, card: { plan: [{ step: 'Read', status: 'in_progress' }] } },
      { type: 'card', session: SESSION, run: 'r1', revision: 2, at: 1, card: { plan: [{ step: 'Read', status: 'completed' }] } },
    ]);
    assert.equal(message.plan, 'Fix the build');
    assert.equal(shown(message), 'plan/1 complete');
  });

  it("takes the dialect's chunks in its streamer too", async () => {
    const streamer = client.chatStream({ channel: 'C1', thread_ts: '1.1', task_display_mode: 'timeline' });
    const encoder = createEncoder(slack, SESSION);
    await streamer.append({ chunks: [...encoder.encode(op({ state: 'running', title: 'Build' }))] });
    await streamer.append({ chunks: [...encoder.encode(op({ state: 'completed' }))] });
    await streamer.stop();
    const message = workspace.messages.get(streamer.ts ?? '');
    assert.ok(message);
    assert.equal(shown(message), 'call-1 complete');
  });

  it('tells of a channel that is refused, and goes on', async () => {
    const told: Diagnostic[] = [];
    const sink = createSlackSink({
      client,
      session: SESSION,
      channel: 'C404',
      thread_ts: '1.1',
      onDiagnostic: (each) => told.push(each),
    });
    sink.send(op({ state: 'running', title: 'A' }));
    await sink.close();
    assert.ok(told.length > 0 && told.every(({ code }) => code === 'sink_failed'));
  });

  it('tells us nothing that could be unknown or resumed', () => {
    came('unknown-state', { none: 'it is only written to' });
    came('resume-cursor', { none: 'a stream is appended to by its timestamp; nothing is read from it' });
    came('resume-none', { none: 'a message that is no longer streamed is never written again' });
  });
});
