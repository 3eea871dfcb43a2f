import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { ClientConnection, SessionUpdate } from '@agentclientprotocol/sdk';
import { acp } from '@sitrep/schema/dialect/acp';
import type { Dialect } from '@sitrep/schema/dialect';
import { writtenUpdates } from './acp/scripts.ts';
import { startAgent } from './acp/wire.ts';
import type { Wire } from './acp/wire.ts';
import { recorder } from './record.ts';

const came = recorder('acp', { peer: '@agentclientprotocol/sdk 2.4.0, version 1', transport: 'a child process, lines of JSON-RPC' });

describe('ACP, first version, through the library of its own', () => {
  let wire: Wire;
  let connection: ClientConnection;
  let updates: SessionUpdate[] = [];
  let arrived = (): void => {};

  before(async () => {
    wire = startAgent('agent-v1.ts', acp as Dialect<unknown>);
    connection = client({ name: 'editor' })
      .onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update);
        arrived();
      })
      .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: 'selected', optionId: 'no' } }))
      .connect(ndJsonStream(wire.output, wire.input));
    await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
    await connection.agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] });
  });
  after(async () => {
    connection.close();
    await wire.close();
  });

  /** One turn. Answers why it stopped and what the library had handed on by then. */
  async function turn(text: string): Promise<{ stopReason: string; seen: SessionUpdate[] }> {
    updates = [];
    const { stopReason } = await connection.agent.request(methods.agent.session.prompt, {
      sessionId: 'acp-1',
      prompt: [{ type: 'text', text }],
    });
    return { stopReason, seen: updates };
  }

  const one = (id: string) => {
    const found = [...wire.index.operations.values()].filter((operation) => operation.id === id);
    assert.equal(found.length, 1, id);
    return found[0] as (typeof found)[0];
  };
  const statuses = (seen: readonly SessionUpdate[]): string =>
    seen.map((update) => ('status' in update ? String(update.status) : update.sessionUpdate)).join(', ');
  const texts = (seen: readonly SessionUpdate[]): string =>
    seen
      .flatMap((update) => ('content' in update && Array.isArray(update.content) ? update.content : []))
      .map((item) => (item.type === 'content' && item.content.type === 'text' ? item.content.text : item.type))
      .join(', ');

  it('hands on a burst in one read with the end of its turn', async () => {
    const { seen, stopReason } = await turn('burst');
    const { state, current, total, unit, tool } = one('burst');
    assert.deepEqual(
      { state, current, total, unit, tool },
      { state: 'completed', current: 4, total: 4, unit: 'files', tool: { name: 'make', origin: 'native' } },
    );
    assert.equal(stopReason, 'end_turn');
    came('burst', {
      sent: 'a call, three amounts, its end, and the result of the turn, none awaited',
      peer: `${seen.length} of 5 updates before the result; amounts as text: ${texts(seen)}`,
      ours: `${state}, ${current} of ${total} ${unit}`,
    });
  });
  it('hands on what comes after an end; ours stays as it ended', async () => {
    const { seen } = await turn('late');
    const { state, title } = one('late');
    came('late', {
      sent: 'completed, then in_progress with another title',
      peer: `status ${statuses(seen)}`,
      ours: `${state}, "${title}"`,
    });
    assert.equal(state, 'completed');
    assert.ok(wire.index.outcomes.late > 0);
  });
  it('carries amounts that repeat and fall', async () => {
    const { seen } = await turn('amounts');
    const { current, total, state } = one('amounts');
    came('amounts', {
      sent: '20, 20, 80, 40 of 100',
      peer: `texts ${texts(seen)}`,
      ours: `${current} of ${total}; ${state} when its turn ended`,
    });
    assert.equal(current, 40);
  });
  it('keeps two calls alike apart', async () => {
    const { seen } = await turn('concurrent');
    const [a, b] = [one('same-a'), one('same-b')];
    came('concurrent', {
      sent: 'two calls of bash, the second completed, then the first failed',
      peer: seen.flatMap((update) => ('toolCallId' in update ? [`${update.toolCallId} ${String(update.status)}`] : [])).join(', '),
      ours: `same-a ${a.state} (${a.error?.message}), same-b ${b.state}`,
    });
  });
  it('carries what is three deep', async () => {
    const { seen } = await turn('nested');
    const { parent } = one('inner');
    came('nested', {
      sent: 'a subagent, a search in it, a grep in that',
      peer: `${new Set(seen.flatMap((update) => ('toolCallId' in update ? [update.toolCallId] : []))).size} calls beside each other`,
      ours: `inner in ${String(parent)} in ${String(one('middle').parent)}`,
    });
    assert.equal(one('outer').kind, 'subagent');
  });
  it('lets a call complete that was asked to stop', async () => {
    const begun = new Promise<void>((resolve) => (arrived = resolve));
    const ended = turn('cancel-completed');
    await begun;
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: 'acp-1' });
    const { stopReason, seen } = await ended;
    const { state, cancelRequested } = one('stopped');
    const run = [...wire.index.runs.values()].at(-1);
    assert.equal(cancelRequested, true);
    came('cancel-completed', {
      sent: 'a cancel, then completed, and the turn stopped as cancelled',
      peer: `status ${statuses(seen)}; stop reason ${stopReason}`,
      ours: `${state}, asked to cancel; its run ${run?.state}`,
    });
  });
  it('tells a call that was not allowed', async () => {
    const { seen } = await turn('denied');
    const theirs = one('delete');
    assert.equal(theirs.state, 'denied');
    const { seen: said } = await turn('denied-by-us');
    const ours = one('ours');
    assert.deepEqual(ours.error, { message: 'not in this folder' });
    assert.equal(one('given-up').state, 'cancelled');
    // The first version has no word for either, and its library would take an unknown one away.
    assert.deepEqual(
      said.flatMap((update) => ('status' in update ? [update.status] : [])),
      ['in_progress', 'failed', 'failed'],
    );
    came('denied', {
      sent: 'a permission that was rejected; and a denial of ours',
      peer: `status ${statuses(seen)}; of ours ${statuses(said)}, "${texts(said)}"`,
      ours: `${theirs.state}; ${ours.state} (${ours.error?.message})`,
    });
  });
  it('drops words of a newer peer in its library, and keeps them in our records', async () => {
    const { seen } = await turn('unknown-state');
    const { state, native } = one('newer');
    const plan = seen.find((update) => update.sessionUpdate === 'plan');
    assert.equal(native?.state, 'cancelled');
    came('unknown-state', {
      sent: 'status "cancelled" for a call and for one of three steps',
      peer: `status ${statuses(seen.slice(0, 2))}; ${plan?.sessionUpdate === 'plan' ? plan.entries.length : 0} of 3 steps`,
      ours: `${state}, word "${native?.state}"; steps ${wire.index.card.card?.plan?.map(({ status }) => status).join(', ')}`,
    });
  });
  it('makes nothing up for a silent call', async () => {
    const { seen } = await turn('silence');
    const { state, current, total, fraction, message } = one('silent');
    assert.deepEqual([current, total, fraction, message], [undefined, undefined, undefined, undefined]);
    came('silence', { sent: 'a call and its end', peer: `status ${statuses(seen)}; no text`, ours: `${state}, no amount, no message` });
    assert.equal(texts(seen), '');
  });
  it('carries a whole card, and the session', async () => {
    const { seen } = await turn('card');
    assert.deepEqual(wire.index.card.card, {
      plan: [
        { step: 'Read', status: 'completed' },
        { step: 'Ask', status: 'cancelled' },
        { step: 'Write', status: 'in_progress' },
      ],
      markdown: 'Half **way**.',
    });
    const [plan, info] = seen;
    assert.ok(plan?.sessionUpdate === 'plan');
    assert.deepEqual(
      plan.entries.map(({ status }) => status),
      ['completed', 'pending', 'in_progress'],
    );
    assert.ok(info?.sessionUpdate === 'session_info_update' && info.title === 'Fix the build');
    assert.deepEqual([wire.index.title, wire.index.usage], ['Fix the build', { tokens: 1200 }]);
  });
  it('hands on every shape we write, unchanged', async () => {
    const { seen } = await turn('written');
    assert.deepEqual(seen, writtenUpdates('acp'));
  });
  it('replays everything to a client that comes back, and nothing is doubled', async () => {
    came('resume-cursor', { none: 'session/load always replays from the start' });
    const states = () => [...wire.index.operations.values()].map(({ id, state }) => `${String(id)} ${state}`);
    const held = states();
    wire.forget();
    updates = [];
    await connection.agent.request(methods.agent.session.load, { sessionId: 'acp-1', cwd: '/', mcpServers: [] });
    assert.deepEqual(states().slice(0, held.length), held);
    const doubled = states().slice(held.length);
    came('resume-none', {
      sent: 'session/load on the same connection',
      peer: `all ${updates.length} updates again`,
      ours: `nothing of ours changed; ${doubled.length === 0 ? 'none' : doubled.join(', ')} doubled`,
    });
  });
});
