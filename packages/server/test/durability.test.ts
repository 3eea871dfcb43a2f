import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { startServe } from './cli-support.ts';
import { http, operation, post, put, stream } from './support.ts';

const ROUNDS = 12;

function storeFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-kill-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'sitrep.db');
}

describe('a gateway that is killed', () => {
  it(`loses nothing that it acknowledged, over ${ROUNDS} kills under load`, { timeout: 120_000 }, async (t) => {
    const file = storeFile(t);
    const acknowledged = new Map<string, number>();
    let revision = 0;
    let epoch: string | undefined;
    let cursor: string | undefined;
    const count = { sent: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cli, url } = await startServe(t, ['--port', '0', '--store', file]);
      const snapshot = (await http(`${url}/v1/sessions/s`)).body;
      for (const [id, current] of acknowledged) {
        const found = snapshot.operations.find((candidate: { id: string }) => candidate.id === id);
        assert.ok(found && found.current >= current, `round ${round}: ${id} was acknowledged at ${current}, is ${found?.current}`);
      }
      assert.ok(snapshot.revision >= revision, `round ${round}: card revision ${snapshot.revision} after ${revision}`);
      if (snapshot.revision > 0) assert.equal(snapshot.card.markdown, `note ${snapshot.revision}`);
      if (epoch !== undefined) assert.equal(snapshot.epoch, epoch, 'the history goes on, and so does its epoch');
      epoch = snapshot.epoch;
      if (cursor !== undefined) {
        const reader = stream(t, `${url}/v1/sessions/s/stream`, { 'last-event-id': cursor });
        assert.notEqual((await reader.next()).event, 'resync', 'an acknowledged position can be resumed');
        reader.close();
      }
      revision = snapshot.revision;

      const load = { on: true };
      const producer = async (name: string): Promise<void> => {
        while (load.on) {
          const events = Array.from({ length: 20 }, () => operation(name, { current: ++count.sent, state: 'running' }));
          const answer = await post(`${url}/v1/sessions/s/events`, events).catch(() => undefined);
          if (answer?.status !== 200) return;
          acknowledged.set(name, events.at(-1)?.['current' as never] as unknown as number);
          cursor = answer.body.cursor;
        }
      };
      const writer = async (): Promise<void> => {
        while (load.on) {
          const answer = await put(`${url}/v1/sessions/s/card`, { markdown: `note ${revision + 1}` }).catch(() => undefined);
          if (answer?.status !== 200) return;
          revision = answer.body.revision;
        }
      };
      const producers = [producer('a'), producer('b'), producer('c'), writer()];
      // Different moments of a commit: the load decides, not a fixed time.
      const target = count.sent + 400 + round * 37;
      while (count.sent < target) await new Promise((resolve) => setImmediate(resolve));
      cli.child.kill('SIGKILL');
      await cli.ended;
      load.on = false;
      await Promise.all(producers);
    }
    assert.ok(count.sent > ROUNDS * 400);
    assert.ok(revision > 0);
  });

  it('comes back with card, revision, title, runs and tombstones', async (t) => {
    const file = storeFile(t);
    const first = await startServe(t, ['--port', '0', '--store', file]);
    await put(`${first.url}/v1/sessions/s/card`, { markdown: 'a' });
    await put(`${first.url}/v1/sessions/s/card`, {});
    await put(`${first.url}/v1/sessions/s/card`, { plan: [{ step: 'only', status: 'in_progress' }] });
    await post(`${first.url}/v1/sessions/s/events`, [
      { type: 'session', title: 'Kept', usage: { tokens: 12 } },
      { type: 'run', run: 'r', state: 'running' },
      operation('x', { run: 'r', state: 'running', ext: { 'a.b': [1, { c: null }] } }),
      operation('gone', { state: 'running' }),
      { type: 'operation.clear', id: 'gone' },
    ]);
    const before = (await http(`${first.url}/v1/sessions/s`)).body;
    first.cli.child.kill('SIGKILL');
    await first.cli.ended;
    const second = await startServe(t, ['--port', '0', '--store', file]);
    const after = (await http(`${second.url}/v1/sessions/s`)).body;
    assert.deepEqual({ ...after, at: 0 }, { ...before, at: 0 });
    assert.equal(after.revision, 3);
    assert.equal(after.title, 'Kept');
    const { body } = await post(`${second.url}/v1/sessions/s/events`, operation('gone', { message: 'late' }));
    assert.equal(body.results[0].outcome, 'late');
    assert.equal((await put(`${second.url}/v1/sessions/s/card`, {})).body.revision, 4);
    assert.deepEqual(
      (await http(`${second.url}/v1/sessions`)).body.sessions.map(({ session, title }: Record<string, string>) => [session, title]),
      [['s', 'Kept']],
    );
  });
});
