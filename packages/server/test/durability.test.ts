import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import { startServe } from './cli-support.ts';
import { http, operation, post, put, stream } from './support.ts';

/** `SITREP_KILLS=1000 node --test packages/server/test/durability.test.ts` runs the full figure. */
const ROUNDS = Number(process.env['SITREP_KILLS'] ?? 20);

function storeFile(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-kill-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'sitrep.db');
}

/** What one writer does not know the answer to: it is sent again, with the key it had. */
interface Pending {
  readonly key: string;
  readonly body: unknown;
}

describe('a gateway that is killed', () => {
  it(
    `loses nothing that it acknowledged and does nothing twice, over ${ROUNDS} kills under load`,
    { timeout: ROUNDS * 15_000 },
    async (t) => {
      const file = storeFile(t);
      const acknowledged = new Map<string, number>();
      const pending = new Map<string, Pending>();
      const answered = new Map<string, { readonly key: string; readonly body: unknown; readonly text: string }>();
      const starts: number[] = [];
      const count = { sent: 0, batches: 0, cards: 0, resent: 0, replayed: 0 };
      let revision = 0;
      let epoch: string | undefined;
      let cursor: string | undefined;

      for (let round = 0; round < ROUNDS; round += 1) {
        const began = performance.now();
        const { cli, url } = await startServe(t, ['--port', '0', '--store', file]);
        starts.push(performance.now() - began);
        const events = `${url}/v1/sessions/s/events`;
        const card = `${url}/v1/sessions/s/card`;
        const snapshot = (await http(`${url}/v1/sessions/s`)).body;
        for (const [id, current] of acknowledged) {
          const found = snapshot.operations.find((candidate: { id: string }) => candidate.id === id);
          assert.ok(found && found.current >= current, `round ${round}: ${id} was acknowledged at ${current}, is ${found?.current}`);
        }
        assert.ok(snapshot.revision >= revision, `round ${round}: card revision ${snapshot.revision} after ${revision}`);
        if (snapshot.revision > 0) assert.match(snapshot.card.markdown, /^note \d+$/);
        if (epoch !== undefined) assert.equal(snapshot.epoch, epoch, 'the history goes on, and so does its epoch');
        if (snapshot.seq > 0) epoch = snapshot.epoch;
        if (cursor !== undefined) {
          const reader = stream(t, `${url}/v1/sessions/s/stream`, { 'last-event-id': cursor });
          assert.notEqual((await reader.next()).event, 'resync', 'an acknowledged position can be resumed');
          reader.close();
        }
        revision = snapshot.revision;

        // Answers that were given are given again, word for word.
        for (const { key, body, text } of answered.values()) {
          const again = await post(events, body, { 'idempotency-key': key });
          assert.deepEqual([again.headers['idempotency-replayed'], again.text], ['true', text], `round ${round}`);
          count.replayed += 1;
        }
        answered.clear();

        const load = { on: true };
        const producer = async (name: string): Promise<void> => {
          while (load.on) {
            const known = pending.get(name);
            if (known) count.resent += 1;
            const fresh = () => Array.from({ length: 20 }, () => operation(name, { current: ++count.sent, state: 'running' }));
            const sent = known ?? { key: randomUUID(), body: fresh() };
            pending.set(name, sent);
            const answer = await post(events, sent.body, { 'idempotency-key': sent.key }).catch(() => undefined);
            if (answer?.status !== 200) return;
            pending.delete(name);
            count.batches += 1;
            acknowledged.set(name, (sent.body as { current: number }[]).at(-1)?.current ?? 0);
            answered.set(name, { ...sent, text: answer.text });
            cursor = answer.body.cursor;
          }
        };
        const writer = async (): Promise<void> => {
          while (load.on) {
            const sent = pending.get('card') ?? { key: randomUUID(), body: { markdown: `note ${count.cards}` } };
            pending.set('card', sent);
            const answer = await put(card, sent.body, { 'idempotency-key': sent.key }).catch(() => undefined);
            if (answer?.status !== 200) return;
            pending.delete('card');
            count.cards += 1;
            revision = answer.body.revision;
          }
        };
        const producers = [producer('a'), producer('b'), producer('c'), writer()];
        // Different moments of a commit: the load decides, not a fixed time.
        const target = count.batches + 10 + (round % 37);
        while (count.batches < target) await new Promise((resolve) => setImmediate(resolve));
        cli.child.kill('SIGKILL');
        await cli.ended;
        load.on = false;
        await Promise.all(producers);
      }

      const { url } = await startServe(t, ['--port', '0', '--store', file]);
      for (const [name, { key, body }] of pending) {
        const isCard = name === 'card';
        const answer = await (isCard ? put : post)(`${url}/v1/sessions/s/${isCard ? 'card' : 'events'}`, body, { 'idempotency-key': key });
        assert.equal(answer.status, 200);
        if (isCard) count.cards += 1;
        else count.batches += 1;
      }
      const end = (await http(`${url}/v1/sessions/s`)).body;
      assert.equal(end.revision, count.cards, 'each card was written once');
      assert.equal(end.seq, 20 * count.batches + count.cards, 'each batch was stored once, and whole');
      starts.sort((x, y) => x - y);
      const ms = (n: number | undefined) => `${Math.round(n ?? 0)} ms`;
      t.diagnostic(
        `${ROUNDS} kills: ${count.batches * 20} events and ${count.cards} cards acknowledged, none lost, none twice; ` +
          `${count.resent} batches sent again, ${count.replayed} answers given again; ` +
          `from start to listening ${ms(starts[starts.length >> 1])} in the middle, ${ms(starts.at(-1))} at most`,
      );
    },
  );

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
