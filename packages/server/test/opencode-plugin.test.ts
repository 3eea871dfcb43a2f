import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import * as plugin from '@sitrep/harness/opencode';
import { http, serve } from './support.ts';

interface BusEvent {
  readonly type: string;
  readonly properties: Record<string, unknown>;
}

function recorded(name: string): readonly BusEvent[] {
  const url = new URL(`../../schema/fixtures/opencode/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(url, 'utf8')) as { input: BusEvent[] }).input;
}

describe('the plugin for OpenCode', () => {
  it('brings a recorded turn to the gateway, subagents in the session of whoever started them', async (t) => {
    const { url } = await serve(t);
    const hooks = await plugin.sitrepPlugin({}, { url });
    for (const event of recorded('recorded-turn')) await hooks.event({ event });
    await hooks.dispose();
    const { sessions } = (await http(`${url}/v1/sessions`)).body;
    assert.deepEqual(
      sessions.map(({ session, title, activity }: Record<string, unknown>) => [session, title, activity]),
      [['ses_001', 'A title', 'done']],
    );
    const { body } = await http(`${url}/v1/sessions/ses_001`);
    assert.deepEqual(
      body.operations.map(({ id, state, parent }: Record<string, unknown>) => [id, state, parent]),
      [
        ['call_bash', 'completed', undefined],
        ['call_bad', 'failed', undefined],
        ['call_task', 'completed', undefined],
        ['ses_002', 'completed', 'call_task'],
        ['call_sub', 'completed', 'ses_002'],
      ],
    );
    assert.equal(body.revision, 2);
  });

  it('keeps sessions apart that run at the same time, and puts them into one where one is named', async (t) => {
    const { url } = await serve(t);
    const apart = await plugin.sitrepPlugin({}, { url });
    const together = await plugin.sitrepPlugin({}, { url, session: 'all' });
    const [first, second] = [recorded('recorded-ask'), recorded('recorded-reject')];
    const other = JSON.parse(JSON.stringify(second).replaceAll('ses_001', 'ses_900').replaceAll('msg_', 'msg_9')) as BusEvent[];
    for (let index = 0; index < Math.max(first.length, other.length); index++) {
      for (const event of [first[index], other[index]]) {
        if (event === undefined) continue;
        await apart.event({ event });
        await together.event({ event });
      }
    }
    await Promise.all([apart.dispose(), together.dispose()]);
    const states = async (session: string) =>
      (await http(`${url}/v1/sessions/${session}`)).body.operations.map(({ id, state }: Record<string, unknown>) => `${id} ${state}`);
    assert.deepEqual(await states('ses_001'), ['call_bash completed', 'call_q completed']);
    assert.deepEqual(await states('ses_900'), ['call_bash denied']);
    assert.deepEqual(await states('all'), ['call_bash completed', 'call_bash denied', 'call_q completed']);
  });

  it('writes lists above the card that stands, after it was started again and beside other writers', async (t) => {
    const { url, gateway } = await serve(t);
    await gateway.putCard('all', { markdown: 'Written by another' });
    await gateway.putCard('all', { markdown: 'Twice' });
    const list = (session: string, content: string) => ({
      event: { type: 'todo.updated', properties: { sessionID: session, todos: [{ content, status: 'cancelled', priority: 'low' }] } },
    });
    for (const [session, content] of [
      ['ses_1', 'First'],
      ['ses_2', 'Second'],
      ['ses_1', 'Third'],
    ] as const) {
      const hooks = await plugin.sitrepPlugin({}, { url, session: 'all' });
      await hooks.event(list(session, content));
      await hooks.dispose();
      const { card } = await gateway.snapshot('all');
      assert.deepEqual(card?.plan, [{ step: content, status: 'cancelled' }]);
    }
    assert.equal((await gateway.snapshot('all')).revision, 5);
  });

  it('keeps the decoder of a session that goes on while many others come and go', async (t) => {
    const { url, gateway } = await serve(t);
    const hooks = await plugin.sitrepPlugin({}, { url });
    const status = (session: string, type: string) => ({
      event: { type: 'session.status', properties: { sessionID: session, status: { type } } },
    });
    await hooks.event(status('ses_main', 'busy'));
    for (let n = 0; n < 100; n++) {
      await hooks.event(status(`ses_${n}`, 'busy'));
      await hooks.event(status('ses_main', 'busy'));
    }
    await hooks.event(status('ses_main', 'idle'));
    await hooks.dispose();
    assert.deepEqual(
      (await gateway.snapshot('ses_main')).runs.map(({ state }) => state),
      ['completed'],
    );
  });

  it('ends the turns that are under way when OpenCode lets it go', async (t) => {
    const { url, gateway } = await serve(t);
    const hooks = await plugin.sitrepPlugin({}, { url });
    for (const event of recorded('recorded-turn').slice(0, 16)) await hooks.event({ event });
    await hooks.dispose();
    const { runs, operations } = await gateway.snapshot('ses_001');
    assert.deepEqual(
      runs.map(({ state, reason }) => [state, reason]),
      [['interrupted', 'disposed']],
    );
    assert.ok(operations.every(({ state }) => state !== 'running' && state !== 'pending'));
  });

  it('waits at its end for a gateway that is slow and answers, for each of many sessions', async (t) => {
    const { url, gateway } = await serve(t);
    const slow = createServer((request, response) => {
      setTimeout(() => {
        const { method, headers, url: path } = request;
        const onward = forward(`${url}${path}`, { method, headers: { ...headers, host: new URL(url).host } }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        onward.on('error', () => response.destroy());
        request.pipe(onward);
      }, 30);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    t.after(() => slow.close());
    const hooks = await plugin.sitrepPlugin({}, { url: `http://127.0.0.1:${(slow.address() as AddressInfo).port}` });
    for (let n = 0; n < 60; n += 1)
      await hooks.event({ event: { type: 'session.status', properties: { sessionID: `ses_${n}`, status: { type: 'busy' } } } });
    await hooks.dispose();
    const runs = await Promise.all(Array.from({ length: 60 }, async (_, n) => (await gateway.snapshot(`ses_${n}`)).runs[0]?.state));
    assert.deepEqual(new Set(runs), new Set(['interrupted']));
  });

  it('survives events that are none and a gateway that is not there', async () => {
    const hooks = await plugin.sitrepPlugin({}, { url: 'http://127.0.0.1:1' });
    for (const event of [undefined, null, 7, {}, { type: 'session.idle' }, { properties: { sessionID: 7 } }]) await hooks.event({ event });
    for (const event of recorded('recorded-ask')) await hooks.event({ event });
    await hooks.dispose();
  });

  it('exports nothing but itself, since OpenCode takes every function of a module for a plugin', () => {
    assert.deepEqual(Object.keys(plugin), ['sitrepPlugin']);
  });
});
