import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { http, put, serve, stream } from './support.ts';

const CARD = '/v1/sessions/s/card';
const step = (text: string, status = 'pending') => ({ step: text, status });

describe('PUT card', () => {
  it('answers the revision, the counts and the receipt', async (t) => {
    const { url } = await serve(t);
    const first = await put(`${url}${CARD}`, { plan: [step('a', 'completed'), step('b', 'in_progress'), step('c')] });
    assert.equal(first.status, 200);
    assert.deepEqual(first.body, { revision: 1, steps: { completed: 1, total: 3 }, receipt: 'Progress card updated (rev 1, 1/3 done)' });
    const second = await put(`${url}${CARD}`, { markdown: 'a note' });
    assert.deepEqual(second.body, { revision: 2, steps: null, receipt: 'Progress card updated (rev 2)' });
    const third = await put(`${url}${CARD}`, {});
    assert.deepEqual(third.body, { revision: 3, steps: null, receipt: 'Progress card cleared' });
  });

  it('replaces the whole card: a part that is left out is gone', async (t) => {
    const { url } = await serve(t);
    await put(`${url}${CARD}`, { plan: [step('a')], markdown: 'x' });
    await put(`${url}${CARD}`, { markdown: 'y' });
    const { body } = await http(`${url}/v1/sessions/s`);
    assert.deepEqual(body.card, { markdown: 'y' });
    assert.equal(body.revision, 2);
  });

  it('keeps the revision rising over a clear', async (t) => {
    const { url } = await serve(t);
    const revisions: number[] = [];
    for (const value of [{ markdown: 'a' }, { markdown: ' \n\t', plan: [] }, { markdown: 'b' }])
      revisions.push((await put(`${url}${CARD}`, value)).body.revision);
    assert.deepEqual(revisions, [1, 2, 3]);
  });

  it('writes nothing when a card that never was is cleared, and says cleared all the same', async (t) => {
    const { url } = await serve(t);
    const { status, body } = await put(`${url}${CARD}`, {});
    assert.equal(status, 200);
    assert.deepEqual(body, { revision: 0, steps: null, receipt: 'Progress card cleared' });
    assert.equal((await http(`${url}/v1/sessions`)).body.sessions.length, 0);
    assert.equal((await put(`${url}${CARD}`, { markdown: 'x' })).body.revision, 1);
  });

  it('refuses a write that expected another revision, with the card as it stands, and publishes nothing', async (t) => {
    const { url } = await serve(t);
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    await reader.next();
    await put(`${url}${CARD}`, { markdown: 'one' });
    assert.equal((await reader.next()).event, 'card');
    for (const value of [{ expectedRevision: 2 }, { markdown: 'two', expectedRevision: 0 }]) {
      const { status, body } = await put(`${url}${CARD}`, value);
      assert.equal(status, 409);
      assert.equal(body.error.code, 'conflict');
      assert.equal(body.revision, 1);
      assert.deepEqual(body.card, { markdown: 'one' });
    }
    assert.equal((await put(`${url}${CARD}`, { expectedRevision: 1 })).body.receipt, 'Progress card cleared');
    const cleared = await reader.next();
    assert.equal(cleared.data.card, null);
    assert.equal(cleared.data.revision, 2);
  });

  it('takes expectedRevision 0 for a first write only', async (t) => {
    const { url } = await serve(t);
    assert.equal((await put(`${url}${CARD}`, { markdown: 'a', expectedRevision: 0 })).status, 200);
    assert.equal((await put(`${url}${CARD}`, { markdown: 'b', expectedRevision: 0 })).status, 409);
  });

  it('lets exactly one of two racing writers win each revision', async (t) => {
    const { url } = await serve(t);
    const wins = new Map<number, string>();
    let conflicts = 0;
    const writer = async (name: string): Promise<void> => {
      let seen = 0;
      for (let n = 0; n < 60;) {
        const { status, body } = await put(`${url}${CARD}`, { markdown: `${name} ${n}`, expectedRevision: seen });
        seen = body.revision;
        if (status === 409) {
          conflicts += 1;
          continue;
        }
        assert.equal(status, 200);
        assert.equal(wins.has(body.revision), false, 'two winners of one revision');
        wins.set(body.revision, `${name} ${n}`);
        n += 1;
      }
    };
    await Promise.all([writer('a'), writer('b')]);
    assert.deepEqual(
      [...wins.keys()].sort((x, y) => x - y),
      Array.from({ length: 120 }, (_, n) => n + 1),
    );
    assert.ok(conflicts > 0, 'the writers never met');
    const { body } = await http(`${url}/v1/sessions/s`);
    assert.deepEqual(body.card, { markdown: wins.get(120) });
  });

  it('answers 422 with issues that name field and limit, and keeps the card', async (t) => {
    const { url } = await serve(t);
    await put(`${url}${CARD}`, { markdown: 'kept' });
    const bad: [unknown, string, RegExp][] = [
      [{ markdown: null }, '/markdown', /markdown/],
      [{ plan: null }, '/plan', /plan/],
      [{ plan: {} }, '/plan', /plan/],
      [{ markdown: 'a'.repeat(8193) }, '/markdown', /8,?192/],
      [{ markdown: 'é'.repeat(4097) }, '/markdown', /8,?192/],
      [{ plan: [step('é'.repeat(257))] }, '/plan/0/step', /512/],
      [{ plan: Array.from({ length: 51 }, () => step('x')) }, '/plan', /50/],
      [{ plan: [step('   ')] }, '/plan/0/step', /step/],
      [{ plan: [step('a', 'in_progress'), step('b', 'in_progress')] }, '/plan', /in_progress/],
      [{ plan: [step('a', 'failed')] }, '/plan/0/status', /status/],
      [{ plan: [{ ...step('a'), note: 1 }] }, '/plan/0/note', /note/],
      [{ markdwon: 'x' }, '/markdwon', /markdwon/],
      [{ markdown: 'x', expectedRevision: -1 }, '/expectedRevision', /expectedRevision/],
      [{ markdown: 'x', expectedRevision: '1' }, '/expectedRevision', /expectedRevision/],
      [[], '', /object/],
      [{ run: 'r' }, '/run', /run/],
      [7, '', /object/],
    ];
    for (const [value, path, message] of bad) {
      const { status, body } = await put(`${url}${CARD}`, value);
      assert.equal(status, 422, JSON.stringify(value).slice(0, 80));
      assert.equal(body.error.code, 'invalid_card');
      const found = body.issues.find((issue: { path: string }) => issue.path.startsWith(path));
      assert.ok(found, `${JSON.stringify(body.issues)} has no ${path}`);
      assert.match(found.message, message);
    }
    const { body } = await http(`${url}/v1/sessions/s`);
    assert.deepEqual([body.card, body.revision], [{ markdown: 'kept' }, 1]);
  });

  it('takes the largest card there may be', async (t) => {
    const { url } = await serve(t);
    const plan = Array.from({ length: 50 }, () => step('é'.repeat(256)));
    const { status, body } = await put(`${url}${CARD}`, { plan, markdown: 'é'.repeat(4096) });
    assert.equal(status, 200);
    assert.equal(body.receipt, 'Progress card updated (rev 1, 0/50 done)');
  });

  it('keeps the run a write belongs to', async (t) => {
    const { url, clock } = await serve(t);
    await put(`${url}${CARD}?run=r1`, { markdown: 'x' });
    const { body } = await http(`${url}/v1/sessions/s`);
    assert.equal(body.cardRun, 'r1');
    assert.equal(body.cardUpdatedAt, clock.now());
  });

  it('is not fooled by a body that is no object, with a run or without', async (t) => {
    const { url } = await serve(t);
    await put(`${url}${CARD}`, { markdown: 'kept' });
    for (const value of [[], null, '"x"', 7]) assert.equal((await put(`${url}${CARD}?run=r`, value)).status, 422);
    assert.equal((await put(`${url}${CARD}?run=`, {})).status, 400);
    assert.deepEqual((await http(`${url}/v1/sessions/s`)).body.card, { markdown: 'kept' });
  });

  it('answers in process as it does over HTTP', async (t) => {
    const { gateway } = await serve(t);
    assert.deepEqual(await gateway.put('s', { markdown: 'x' }), { ok: true, revision: 1, steps: null, cleared: false });
    assert.deepEqual(await gateway.put('s', { expectedRevision: 5 }), {
      ok: false,
      code: 'conflict',
      revision: 1,
      card: { markdown: 'x' },
    });
    const invalid = await gateway.put('s', { markdown: 7 } as never);
    assert.equal(invalid.ok === false && invalid.code, 'invalid');
    await gateway.close();
    const closed = await gateway.put('s', { markdown: 'x' });
    assert.equal(closed.ok === false && closed.code, 'unavailable');
  });
});
