import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { http, operation, post, put, serve, stream } from './support.ts';

const EVENTS = '/v1/sessions/s/events';
const SNAPSHOT = '/v1/sessions/s';

describe('?dialect=', () => {
  it('report-progress takes the frame with a call id, and reports of one call are one operation', async (t) => {
    const { url } = await serve(t);
    const frame = (current: number, status = 'running', callId: string | null = 'call-1') => ({
      callId,
      title: 'Building project',
      current,
      total: 100,
      status,
      message: '',
    });
    const { status, body } = await post(`${url}${EVENTS}?dialect=report-progress`, [frame(5), frame(42), frame(100, 'completed')]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'applied', 'applied'],
    );
    const { operations } = (await http(url + SNAPSHOT)).body;
    assert.equal(operations.length, 1);
    assert.deepEqual(
      [operations[0].id, operations[0].state, operations[0].current, operations[0].total],
      ['call-1', 'completed', 100, 100],
    );
  });

  it('report-progress without a call id takes ?id= and ?parent=, else says what to add', async (t) => {
    const { url } = await serve(t);
    const frame = { title: 'Building', current: 5, total: 100 };
    await post(`${url}${EVENTS}?dialect=report-progress&id=build&parent=p&run=r`, [frame, { ...frame, current: 6 }]);
    const [built] = (await http(url + SNAPSHOT)).body.operations;
    assert.deepEqual([built.id, built.parent, built.run, built.current], ['build', 'p', 'r', 6]);
    const refused = (await post(`${url}${EVENTS}?dialect=report-progress`, frame)).body.results[0];
    assert.equal(refused.outcome, 'invalid');
    assert.equal(refused.issues[0].path, '/callId');
    assert.match(refused.issues[0].message, /\?id=/);
  });

  it('progress updates one entry per id in place', async (t) => {
    const { url } = await serve(t);
    await post(`${url}${EVENTS}?dialect=progress`, { id: 'compile-1', status: 'running', title: 'Compiling', progress: 0.65 });
    await post(`${url}${EVENTS}?dialect=progress`, { id: 'compile-1', status: 'waiting', title: 'Waiting for the linker' });
    const [compiling] = (await http(url + SNAPSHOT)).body.operations;
    assert.deepEqual([compiling.id, compiling.state, compiling.title], ['compile-1', 'waiting', 'Waiting for the linker']);
  });

  it('tool-progress keeps the order of its sequence', async (t) => {
    const { url } = await serve(t);
    const frame = (sequence: number, completed: number) => ({
      internal_call_id: 'i1',
      sequence,
      completed,
      total: 100,
      message: `${completed}`,
    });
    const { body } = await post(`${url}${EVENTS}?dialect=tool-progress`, [frame(1, 10), frame(3, 42), frame(2, 20), frame(3, 50)]);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'applied', 'stale', 'duplicate'],
    );
    assert.equal((await http(url + SNAPSHOT)).body.operations[0].current, 42);
  });

  it('mcp moves an operation that was announced, with its token as id, 0 and text included', async (t) => {
    const { url } = await serve(t);
    await post(url + EVENTS, [operation(0, { title: 'zero' }), operation('0', { title: 'text' })]);
    const frame = (progressToken: unknown, progress: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress, total: 4 },
    });
    const { body } = await post(`${url}${EVENTS}?dialect=mcp`, [frame(0, 1), frame('0', 2)]);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'applied'],
    );
    assert.deepEqual(
      (await http(url + SNAPSHOT)).body.operations.map(({ title, current }: Record<string, unknown>) => [title, current]),
      [
        ['zero', 1],
        ['text', 2],
      ],
    );
  });

  it('mcp drops progress for a token that nobody announced, says so, and goes on', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}${SNAPSHOT}/stream`);
    await reader.next();
    const frame = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'tool-call-4', progress: 1 } };
    const { status, body } = await post(`${url}${EVENTS}?dialect=mcp`, frame);
    assert.equal(status, 200);
    assert.equal(body.results[0].outcome, 'unknown');
    assert.match(body.results[0].issues[0].message, /announce.*\?id=/is);
    assert.deepEqual((await http(url + SNAPSHOT)).body.operations, []);
    assert.equal((await post(`${url}${EVENTS}?dialect=mcp&id=mine`, frame)).body.results[0].outcome, 'applied');
    assert.equal((await reader.next()).data.id, 'mine');
  });

  it('progress-card takes the input of the tool and gives it the next revision', async (t) => {
    const { url } = await serve(t);
    await put(`${url}${SNAPSHOT}/card`, { markdown: 'one' });
    const { body } = await post(`${url}${EVENTS}?dialect=progress-card`, [
      { plan: [{ step: 'a', status: 'in_progress' }] },
      { markdown: 'three' },
    ]);
    assert.deepEqual(
      body.results.map(({ outcome }: { outcome: string }) => outcome),
      ['applied', 'applied'],
    );
    const snapshot = (await http(url + SNAPSHOT)).body;
    assert.deepEqual([snapshot.revision, snapshot.card], [3, { markdown: 'three' }]);
  });

  it('says what was mended in a frame beside its outcome', async (t) => {
    const { url } = await serve(t);
    const { body } = await post(`${url}${EVENTS}?dialect=report-progress`, {
      callId: 'c',
      title: 't'.repeat(300),
      current: 1,
      total: 2,
      status: 'paused',
    });
    assert.equal(body.results[0].outcome, 'applied');
    assert.deepEqual(body.results[0].issues.map(({ path }: { path: string }) => path).sort(), ['/status', '/title']);
  });

  it('refuses bad frames one by one and stores nothing of them', async (t) => {
    const { url } = await serve(t);
    for (const [dialect, bad] of [
      ['report-progress', [null, 7, [], {}, { callId: 'c', current: 1, total: 2 }]],
      ['progress', [null, {}, { id: 'x' }, { id: 7, status: {} }]],
      ['tool-progress', [{}, { internal_call_id: '' }, { internal_call_id: 'i', sequence: 2 ** 60 }]],
      [
        'mcp',
        [
          {},
          { method: 'notifications/progress' },
          { method: 'notifications/progress', params: { progressToken: {}, progress: 1 } },
          { method: 'ping' },
        ],
      ],
      ['progress-card', [null, { markdown: null }, { sessionKey: 'other', revision: 1, updatedAt: 1, markdown: 'x' }, { plan: 'x' }]],
    ] as const) {
      const { status, body } = await post(`${url}${EVENTS}?dialect=${dialect}`, bad);
      assert.equal(status, 200);
      for (const [n, result] of body.results.entries()) {
        assert.ok(['invalid', 'unknown'].includes(result.outcome), `${dialect} ${JSON.stringify(bad[n])}`);
        assert.ok(result.issues[0].message.length > 10);
      }
    }
    assert.equal((await http(url + SNAPSHOT)).body.seq, 0);
  });

  it('refuses a name that is none, and lists the names', async (t) => {
    const { url } = await serve(t);
    for (const name of ['', 'toString', '__proto__', 'MCP']) {
      const { status, body } = await post(`${url}${EVENTS}?dialect=${name}`, {});
      assert.equal(status, 400, name);
      assert.equal(body.error.code, 'unknown_dialect');
      assert.match(body.error.message, /report-progress, progress, tool-progress, progress-card, mcp/);
    }
  });

  it('remembers a peer that says things piece by piece from one request to the next, each session for itself', async (t) => {
    const { url } = await serve(t);
    const update = (fields: object) => ({
      jsonrpc: '2.0',
      method: 'session/update',
      params: { sessionId: 'peer-1', update: { toolCallId: 'call-1', ...fields } },
    });
    const started = update({ sessionUpdate: 'tool_call', title: 'Reading', status: 'in_progress' });
    const ended = update({ sessionUpdate: 'tool_call_update', status: 'completed' });
    const said = async (session: string, frame: object) =>
      (await post(`${url}/v1/sessions/${session}/events?dialect=acp`, frame)).body.results[0].outcome as string;
    assert.equal(await said('s', started), 'applied');
    assert.equal(await said('other', ended), 'unknown', 'nobody announced this call here');
    assert.equal(await said('s', ended), 'applied');
    const [call] = (await http(url + SNAPSHOT)).body.operations;
    assert.deepEqual([call.title, call.state], ['Reading', 'completed']);
  });

  it('goes on with what stands when a session was out of memory between two frames', async (t) => {
    for (const [dialect, file, from] of [
      ['codex', 'recorded-approval', 6],
      ['opencode', 'recorded-ask', 6],
      ['codex-exec', 'recorded-turn', 3],
      ['claude', 'tool-calls', 2],
    ] as const) {
      const fixture = new URL(`../../schema/fixtures/${dialect}/${file}.json`, import.meta.url);
      const frames = (JSON.parse(readFileSync(fixture, 'utf8')) as { input: readonly unknown[] }).input;
      const { gateway } = await serve(t, { idleSessions: 1 });
      const read = async (session: string, forgets: boolean) => {
        await gateway.publish(session, frames.slice(0, from), { dialect });
        for (const frame of frames.slice(from)) {
          if (forgets) await gateway.publish('another', [{ type: 'session', title: 'x' }]);
          await gateway.publish(session, [frame], { dialect });
        }
        const { operations, runs, card } = await gateway.snapshot(session);
        return {
          operations: operations.map(({ id, run, state, attempt }) => [id, run, state, attempt]),
          runs: runs.map(({ state }) => state),
          card,
        };
      };
      assert.deepEqual(await read('forgotten', true), await read('kept', false), `${dialect}/${file}`);
    }
  });

  it('says what of a frame could not be used', async (t) => {
    const { url } = await serve(t);
    const content = [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }];
    const { body } = await post(`${url}${EVENTS}?dialect=claude`, { type: 'user', session_id: 'a', message: { role: 'user', content } });
    assert.equal(body.results[0].outcome, 'unknown');
    assert.equal(body.results[0].issues[0].path, '/tool_use_id');
    assert.deepEqual((await http(url + SNAPSHOT)).body.operations, []);
  });
});
