import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Role, StreamResponse, TaskState } from '@a2a-js/sdk';
import type { Task } from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from '@a2a-js/sdk/client';
import type { Client } from '@a2a-js/sdk/client';
import { a2a, A2A_EVENT_KEY } from '@sitrep/schema/dialect/a2a';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';
import { serve } from './a2a/server.ts';
import type { Server } from './a2a/server.ts';
import { tappedFetch } from './a2a/tapped-fetch.ts';
import type { Tapped } from './a2a/tapped-fetch.ts';
import { recorder } from './record.ts';

const came = recorder('a2a', { peer: '@a2a-js/sdk 1.3.0', transport: 'JSON-RPC over HTTP, streamed' });
const PLAN = [
  { step: 'Read', status: 'completed' as const },
  { step: 'Write', status: 'in_progress' as const },
];

describe('A2A through a server and a client of its own', () => {
  let server: Server;
  let client: Client;
  let ours: Tapped;

  before(async () => {
    server = await serve({
      burst({ tell }) {
        tell({ state: 'running', title: 'Compile' });
        for (let current = 1; current <= 3; current += 1) tell({ current, total: 4, unit: 'files' });
        tell({ state: 'completed', current: 4 });
      },
      late({ tell, say }) {
        tell({ state: 'completed', title: 'Test' });
        say(TaskState.TASK_STATE_WORKING);
      },
      amounts({ tell }) {
        tell({ state: 'running', title: 'Copy', total: 100, current: 20 });
        for (const current of [20, 80, 40]) tell({ current });
        tell({ state: 'failed', error: { message: 'disk full' } });
      },
      nested({ tell, taskId }) {
        tell({ state: 'running', title: 'Review' });
        tell({ id: 'middle', parent: taskId, state: 'running', title: 'Search' });
        tell({ id: 'inner', parent: 'middle', state: 'running', title: 'grep' });
        tell({ id: 'inner', state: 'failed', error: { message: 'no match' } });
        tell({ id: 'middle', state: 'completed' });
        tell({ state: 'completed' });
      },
      async 'cancel-completed'({ tell, goes }) {
        tell({ state: 'running', title: 'Deploy', cancellable: true });
        await goes;
        tell({ state: 'completed' });
      },
      denied({ tell }) {
        tell({ state: 'denied', title: 'Delete', error: { message: 'not in this folder' } });
      },
      async 'unknown-state'({ say, goes }) {
        say(99);
        await goes;
        say(TaskState.TASK_STATE_COMPLETED);
      },
      silence({ say }) {
        say(TaskState.TASK_STATE_WORKING);
        say(TaskState.TASK_STATE_COMPLETED);
      },
      async resume({ tell, card, goes }) {
        tell({ state: 'running', title: 'Build', current: 41, total: 82, unit: 'files' });
        card({ revision: 3, card: { plan: PLAN, markdown: 'Half **way**.' } });
        await goes;
        tell({ current: 82 });
        tell({ state: 'completed' });
      },
      ask({ tell }) {
        tell({ state: 'blocked', title: 'Push', blockedOn: { kind: 'permission', prompt: 'Push to main?' } });
      },
    });
  });
  after(() => server.close());

  /** A conversation of its own, with our records beside it. */
  async function converse(): Promise<void> {
    ours = tappedFetch(a2a as Dialect<unknown>);
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl: ours.fetch })],
    });
    client = await new ClientFactory(options).createFromUrl(server.url);
  }

  function stream(text: string): AsyncGenerator<StreamResponse, void, undefined> {
    return client.sendMessageStream({
      tenant: '',
      message: {
        messageId: `ask-${text}`,
        contextId: '',
        taskId: '',
        role: Role.ROLE_USER,
        parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: undefined,
      metadata: undefined,
    });
  }

  /** All that one message leads to, as the client's library hands it on. */
  async function play(text: string): Promise<StreamResponse[]> {
    const seen: StreamResponse[] = [];
    for await (const frame of stream(text)) seen.push(frame);
    return seen;
  }

  const wordOf = (state: number | undefined): string => (TaskState[state ?? 0] ?? String(state)).replace('TASK_STATE_', '');
  const states = (seen: readonly StreamResponse[]): string =>
    seen
      .flatMap(({ payload }) =>
        payload?.$case === 'task' || payload?.$case === 'statusUpdate' ? [wordOf(payload.value.status?.state)] : [],
      )
      .join(', ');
  const texts = (seen: readonly StreamResponse[]): string =>
    seen
      .flatMap(({ payload }) => (payload?.$case === 'statusUpdate' ? (payload.value.status?.message?.parts ?? []) : []))
      .flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
      .join(', ');
  const taskIn = ([first]: readonly StreamResponse[]): Task => {
    assert.ok(first?.payload?.$case === 'task');
    return first.payload.value;
  };
  const one = (id: string) => {
    const found = ours.index.find(id);
    assert.ok(found, id);
    return found;
  };

  it('streams a burst', async () => {
    await converse();
    const seen = await play('burst');
    const { state, current, total, unit, title } = one(taskIn(seen).id);
    assert.deepEqual([title, ours.noted], ['Compile', []]);
    // What the library hands on is as good as what came over the wire.
    const handed = new SessionIndex('chat-1');
    const decoder = createDecoder(a2a as Dialect<unknown>, { session: 'chat-1' });
    for (const frame of seen) {
      const decoded = decoder.decode(frame, 2_000_000);
      for (const event of decoded.ok ? decoded.events : []) handed.apply(event);
    }
    assert.deepEqual(handed.find(taskIn(seen).id), one(taskIn(seen).id));
    came('burst', {
      sent: 'the task, its start, three amounts and its end, none awaited',
      peer: `${states(seen)}; texts ${texts(seen)}`,
      ours: `${state}, ${current} of ${total} ${unit}`,
    });
  });
  it('ends the stream with the task', async () => {
    await converse();
    const seen = await play('late');
    const { id } = taskIn(seen);
    const stored = await client.getTask({ tenant: '', id, historyLength: undefined });
    came('late', {
      sent: 'COMPLETED, then WORKING',
      peer: `${states(seen)}; stored as ${wordOf(stored.status?.state)}`,
      ours: one(id).state,
    });
    assert.equal(one(id).state, 'completed');
  });
  it('carries amounts that repeat and fall', async () => {
    await converse();
    const seen = await play('amounts');
    const { current, total, state, error } = one(taskIn(seen).id);
    came('amounts', {
      sent: '20, 20, 80, 40 of 100, failed',
      peer: `texts ${texts(seen)}`,
      ours: `${current} of ${total}, ${state} (${error?.message})`,
    });
  });
  it('keeps two tasks alike apart', async () => {
    await converse();
    const both = await Promise.all([play('burst'), play('amounts')]);
    const [a, b] = both.map((seen) => one(taskIn(seen).id).state);
    came('concurrent', {
      sent: 'two messages at once',
      peer: `two tasks: ${both.map((seen) => states(seen).split(', ').at(-1)).join(' and ')}`,
      ours: `${a} and ${b}`,
    });
    assert.equal(ours.index.operations.size, 2);
  });
  it('tells what is three deep as news of the task', async () => {
    await converse();
    const seen = await play('nested');
    const { id } = taskIn(seen);
    const inner = one('inner');
    assert.deepEqual([inner.parent, one('middle').parent, inner.error], ['middle', id, { message: 'no match' }]);
    came('nested', {
      sent: 'a task, a search in it, a grep in that, which failed',
      peer: `one task: ${states(seen)}; texts ${texts(seen)}`,
      ours: `inner ${inner.state} in middle in the task, which ${one(id).state}; middle ${one('middle').state}`,
    });
  });
  it('lets a task complete that was asked to stop', async () => {
    await converse();
    const frames = stream('cancel-completed');
    const first = (await frames.next()).value as StreamResponse;
    await frames.next();
    const { id } = taskIn([first]);
    const answer = await client.cancelTask({ tenant: '', id, metadata: undefined }).catch((error: unknown) => error as Error);
    for await (const frame of frames) assert.ok(frame);
    came('cancel-completed', {
      sent: 'CancelTask, then COMPLETED',
      peer: answer instanceof Error ? `CancelTask refused: ${answer.message.replaceAll(id, '<id>')}` : wordOf(answer.status?.state),
      ours: one(id).state,
    });
    assert.equal(one(id).state, 'completed');
  });
  it('tells a task that was not allowed', async () => {
    await converse();
    const seen = await play('denied');
    const { state, error } = one(taskIn(seen).id);
    came('denied', { sent: 'a denial of ours', peer: `${states(seen)}; text ${texts(seen)}`, ours: `${state} (${error?.message})` });
    const asked = await play('ask');
    assert.equal(states(asked), 'SUBMITTED, INPUT_REQUIRED');
    assert.deepEqual(one(taskIn(asked).id).blockedOn, { kind: 'permission', prompt: 'Push to main?' });
  });
  it('takes a state nobody knows for pending, never for success', async () => {
    await converse();
    const frames = stream('unknown-state');
    const first = (await frames.next()).value as StreamResponse;
    const second = (await frames.next()).value as StreamResponse;
    const held = one(taskIn([first]).id);
    came('unknown-state', {
      sent: 'state number 99 of a newer agent, then COMPLETED',
      peer: states([second]),
      ours: `${held.state}, word "${held.native?.state}"; then completed`,
    });
    server.go();
    for await (const frame of frames) assert.ok(frame);
    assert.equal(one(taskIn([first]).id).state, 'completed');
  });
  it('makes nothing up for a silent task', async () => {
    await converse();
    const seen = await play('silence');
    const { state, current, total, fraction, message } = one(taskIn(seen).id);
    assert.deepEqual([current, total, fraction, message], [undefined, undefined, undefined, undefined]);
    came('silence', { sent: 'WORKING and COMPLETED', peer: states(seen), ours: `${state}, no amount, no message` });
  });
  it('holds every shape we write, unchanged', () => {
    const folder = new URL('../../packages/schema/fixtures/a2a/', import.meta.url);
    const written = readdirSync(folder)
      .filter((file) => file.startsWith('out-'))
      .flatMap((file) => (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { encoded: object[] }).encoded);
    assert.ok(written.length > 15);
    for (const frame of written) assert.deepEqual(StreamResponse.toJSON(StreamResponse.fromJSON(frame)), frame);
  });
  it('gives a client that comes back the task as it stands, amounts and card included', async () => {
    await converse();
    const frames = stream('resume');
    const first = (await frames.next()).value as StreamResponse;
    const { id } = taskIn([first]);
    await frames.next();
    await frames.next();
    await frames.return();

    await converse();
    const stored = await client.getTask({ tenant: '', id, historyLength: undefined });
    assert.equal(stored.metadata?.[A2A_EVENT_KEY]?.current, 41);
    const { current, total, unit, state } = one(id);
    assert.deepEqual([current, total, unit, state], [41, 82, 'files', 'running']);
    assert.deepEqual(ours.index.card.card, { plan: PLAN, markdown: 'Half **way**.' });
    assert.equal(ours.index.card.revision, 3);

    await converse();
    const again = client.resubscribeTask({ tenant: '', id });
    const snapshot = (await again.next()).value as StreamResponse;
    const at = one(id).current;
    server.go();
    const rest: StreamResponse[] = [snapshot];
    for await (const frame of again) rest.push(frame);
    came('resume-cursor', { none: 'SubscribeToTask begins with the task as it stands; there is no cursor' });
    came('resume-none', {
      sent: 'SubscribeToTask after 41 of 82, then 82 and the end',
      peer: `${rest.map(({ payload }) => payload?.$case).join(', ')}; ${states(rest)}`,
      ours: `${at} of 82 from the stored task, then ${one(id).current} of 82, ${one(id).state}`,
    });
    assert.equal(one(id).state, 'completed');
    await assert.rejects(async () => {
      for await (const frame of client.resubscribeTask({ tenant: '', id })) assert.fail(JSON.stringify(frame));
    }, /terminal/i);
    assert.equal(one(id).state, 'completed');
  });
});
