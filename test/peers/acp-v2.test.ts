import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk/experimental/v2';
import type { ClientConnection } from '@agentclientprotocol/sdk/experimental/v2';
import { acpV2 } from '@sitrep/schema/dialect/acp-v2';
import type { Dialect } from '@sitrep/schema/dialect';
import { writtenUpdates } from './acp/scripts.ts';
import { startAgent } from './acp/wire.ts';
import type { Wire } from './acp/wire.ts';
import { recorder } from './record.ts';

const came = recorder('acp-v2', {
  peer: '@agentclientprotocol/sdk 2.4.0, draft of version 2',
  transport: 'a child process, lines of JSON-RPC',
});

/** An update as the library hands it on; its own type is a union too wide to be of use here. */
type Update = Readonly<Record<string, unknown>>;

describe("ACP, the second version's draft, through the library of its own", () => {
  let wire: Wire;
  let connection: ClientConnection;
  let updates: Update[] = [];
  let arrived: (update: Update) => void = () => {};

  before(async () => {
    wire = startAgent('agent-v2.ts', acpV2 as Dialect<unknown>);
    connection = client({ name: 'editor' })
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update as Update);
        arrived(params.update as Update);
      })
      .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: 'selected' as const, optionId: 'no' } }))
      .connect(ndJsonStream(wire.output, wire.input));
    await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, info: { name: 'editor', version: '1' } });
    await connection.agent.request(methods.agent.session.new, { cwd: '/' });
  });
  after(async () => {
    connection.close();
    await wire.close();
  });

  /** The next update that fits. */
  function next(fits: (update: Update) => boolean): Promise<Update> {
    return new Promise((resolve) => {
      arrived = (update) => fits(update) && resolve(update);
    });
  }

  /** One turn, which ends when the session is idle again: what the library handed on of its calls and its plan. */
  async function turn(text: string): Promise<{ stopReason: unknown; seen: Update[] }> {
    updates = [];
    const idle = next((update) => update['state'] === 'idle');
    await connection.agent.request(methods.agent.session.prompt, { sessionId: 'acp-2', prompt: [{ type: 'text', text }] });
    const { stopReason } = await idle;
    return { stopReason, seen: updates.filter((update) => update['sessionUpdate'] !== 'state_update') };
  }

  const one = (id: string) => {
    const found = [...wire.index.operations.values()].filter((operation) => operation.id === id);
    assert.equal(found.length, 1, id);
    return found[0] as (typeof found)[0];
  };
  const statuses = (seen: readonly Update[]): string => seen.map((update) => String(update['status'] ?? 'no status')).join(', ');
  const texts = (seen: readonly Update[]): string =>
    seen
      .flatMap((update) => (Array.isArray(update['content']) ? (update['content'] as { content?: { text?: string } }[]) : []))
      .map((item) => item.content?.text)
      .join(', ');

  it('hands on a burst in one read with the end of its turn', async () => {
    const { seen } = await turn('burst');
    const { state, current, total, unit } = one('burst');
    assert.equal([...wire.index.runs.values()].at(-1)?.state, 'completed');
    came('burst', {
      sent: 'a call, three amounts, its end, and the idle state, none awaited',
      peer: `${seen.length} of 5 updates before the idle state; amounts as text: ${texts(seen)}`,
      ours: `${state}, ${current} of ${total} ${unit}`,
    });
  });
  it('hands on what comes after an end; ours stays as it ended', async () => {
    const { seen } = await turn('late');
    const { state, title } = one('late');
    assert.equal(state, 'completed');
    came('late', {
      sent: 'completed, then in_progress with another title',
      peer: `status ${statuses(seen)}`,
      ours: `${state}, "${title}"`,
    });
  });
  it('carries amounts that repeat and fall', async () => {
    const { seen } = await turn('amounts');
    const { current, total, state } = one('amounts');
    assert.equal(current, 40);
    came('amounts', {
      sent: '20, 20, 80, 40 of 100',
      peer: `texts ${texts(seen)}`,
      ours: `${current} of ${total}; ${state} when its turn ended`,
    });
  });
  it('keeps two calls alike apart', async () => {
    const { seen } = await turn('concurrent');
    const [a, b] = [one('same-a'), one('same-b')];
    came('concurrent', {
      sent: 'two calls of bash, the second completed, then the first failed',
      peer: seen.map((update) => `${String(update['toolCallId'])} ${String(update['status'])}`).join(', '),
      ours: `same-a ${a.state} (${a.error?.message}), same-b ${b.state}`,
    });
  });
  it('carries what is three deep', async () => {
    const { seen } = await turn('nested');
    came('nested', {
      sent: 'a subagent, a search in it, a grep in that',
      peer: `${new Set(seen.map((update) => update['toolCallId'])).size} calls beside each other`,
      ours: `inner in ${String(one('inner').parent)} in ${String(one('middle').parent)}`,
    });
  });
  it('lets a call complete that was asked to stop', async () => {
    const ended = turn('cancel-completed');
    const idle = arrived;
    await new Promise<void>((resolve) => {
      arrived = (update) => (update['toolCallId'] === 'stopped' ? resolve() : idle(update));
    });
    arrived = idle;
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: 'acp-2' });
    const { stopReason, seen } = await ended;
    const { state, cancelRequested } = one('stopped');
    assert.equal(cancelRequested, true);
    came('cancel-completed', {
      sent: 'a cancel, then completed, and the session idle as cancelled',
      peer: `status ${statuses(seen)}; stop reason ${String(stopReason)}`,
      ours: `${state}, asked to cancel; its run ${[...wire.index.runs.values()].at(-1)?.state}`,
    });
  });
  it('tells a call that was not allowed', async () => {
    const { seen } = await turn('denied');
    const theirs = one('delete');
    assert.equal(theirs.state, 'denied');
    const { seen: said } = await turn('denied-by-us');
    const ours = one('ours');
    assert.deepEqual([ours.state, ours.error, one('given-up').state], ['denied', { message: 'not in this folder' }, 'cancelled']);
    came('denied', {
      sent: 'a permission that was rejected; and a denial of ours',
      peer: `status ${statuses(seen)}; of ours ${statuses(said)}, "${texts(said)}"`,
      ours: `${theirs.state}; ${ours.state} (${ours.error?.message})`,
    });
  });
  it('hands on words of its own kind, which our records keep', async () => {
    const { seen } = await turn('unknown-state');
    const { state, native } = one('newer');
    assert.equal(native?.state, '_dreaming');
    const plan = seen.find((update) => update['sessionUpdate'] === 'plan_update')?.['plan'] as { entries: unknown[] };
    came('unknown-state', {
      sent: 'status "_dreaming" for a call and for one of three steps',
      peer: `status ${statuses(seen.slice(0, 2))}; ${plan.entries.length} of 3 steps`,
      ours: `${state}, word "${native?.state}"; steps ${wire.index.card.card?.plan?.map(({ status }) => status).join(', ')}`,
    });
  });
  it('makes nothing up for a silent call', async () => {
    const { seen } = await turn('silence');
    const { state, current, total, fraction, message } = one('silent');
    assert.deepEqual([current, total, fraction, message, texts(seen)], [undefined, undefined, undefined, undefined, '']);
    came('silence', { sent: 'a call and its end', peer: `status ${statuses(seen)}; no text`, ours: `${state}, no amount, no message` });
  });
  it('carries a whole card, and the session', async () => {
    const { seen } = await turn('card');
    assert.equal(wire.index.card.card?.markdown, 'Half **way**.');
    const [update] = seen as [Update];
    const { entries } = update['plan'] as { entries: { status: string }[] };
    assert.deepEqual(
      entries.map(({ status }) => status),
      ['completed', 'cancelled', 'in_progress'],
    );
    assert.deepEqual([wire.index.title, wire.index.usage], ['Fix the build', { tokens: 1200 }]);
  });
  it('hands on every shape we write, unchanged', async () => {
    const { seen } = await turn('written');
    assert.deepEqual(seen, writtenUpdates('acp-v2'));
  });
  it('replays what a client that comes back asks for, and nothing is doubled', async () => {
    const states = () => [...wire.index.operations.values(), ...wire.index.runs.values()].map(({ state }) => state);
    const held = states();
    const resume = async (more: object): Promise<number> => {
      wire.forget();
      updates = [];
      const idle = next((update) => update['state'] === 'idle');
      await connection.agent.request(methods.agent.session.resume, { sessionId: 'acp-2', cwd: '/', ...more });
      await idle;
      assert.deepEqual(states(), held);
      return updates.length;
    };
    const all = await resume({ replayFrom: { type: 'start' } });
    const without = await resume({});
    came('resume-none', {
      sent: 'session/resume with replayFrom start',
      peer: `${all - 1} updates again, and the state of the session`,
      ours: 'nothing changed, nothing doubled',
    });
    came('resume-cursor', {
      sent: 'session/resume without replayFrom: the draft has no cursor between its start and now',
      peer: `${without - 1} updates again, and the state of the session`,
      ours: 'nothing changed',
    });
  });
});
