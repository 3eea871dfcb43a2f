import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { post, put } from '../support.ts';
import { startService } from './service.ts';
import { KEYS, run } from './support.ts';

/** `SITREP_PUSH_KILLS=200 node --test packages/server/test/push/kills.test.ts` runs the full figure. */
const ROUNDS = Number(process.env['SITREP_PUSH_KILLS'] ?? 4);
const SESSIONS = 3;
const BROWSERS = ['phone', 'desk'];
/** Milliseconds the last one is waited for. */
const PATIENCE_MS = 60_000;

it(
  `a gateway that is killed tells of every end it acknowledged, over ${ROUNDS} kills, and of none under two names`,
  { timeout: 90_000 + ROUNDS * 15_000 },
  async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-push-kill-'));
    const service = await startService(t, KEYS.publicKey);
    const began = String(Date.now());
    const children: ChildProcess[] = [];
    t.after(() => {
      for (const child of children) child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
    });
    const start = async (): Promise<{ readonly url: string; readonly child: ChildProcess }> => {
      const args = [fileURLToPath(new URL('child.ts', import.meta.url)), join(directory, 'a.db'), service.url, JSON.stringify(KEYS), began];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const [url] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
      return { url, child };
    };

    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { url, child } = await start();
      if (round === 0)
        for (const name of BROWSERS) assert.equal((await put(`${url}/v1/push/subscriptions`, service.subscribe(name))).status, 200);
      const gone = once(child, 'exit');
      for (let n = 0; n < SESSIONS; n += 1) {
        const session = `chat-${round}-${n}`;
        const answer = await post(`${url}/v1/sessions/${session}/events`, [run('r', 'running'), run('r', 'completed')]).catch(
          () => undefined,
        );
        if (answer?.status === 200) acknowledged.push(session);
        // Now during the next write, now while it tells of this one, now in between.
        if (n === round % SESSIONS) setTimeout(() => child.kill('SIGKILL'), ((round * 37) % 10) * 20);
      }
      await gone;
    }
    await start();
    const told = (name: string): Set<string> =>
      new Set(
        service
          .taken(name)
          .filter(({ alert }) => alert)
          .map(({ session }) => session),
      );
    const deadline = Date.now() + PATIENCE_MS;
    const missing = (): string[] =>
      BROWSERS.flatMap((name) => acknowledged.filter((session) => !told(name).has(session)).map((session) => `${name} ${session}`));
    while (missing().length > 0) {
      assert.ok(Date.now() < deadline, `never told: ${missing().join(', ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    let repeats = 0;
    for (const name of BROWSERS) {
      const ids = new Map<string, string>();
      for (const { session, id, alert } of service.taken(name)) {
        if (!alert) continue;
        assert.equal(id, ids.get(session) ?? id, 'a repeat has the name of the first, by which the worker knows it');
        repeats += ids.has(session) ? 1 : 0;
        ids.set(session, id);
      }
    }
    assert.ok(repeats <= ROUNDS * BROWSERS.length * SESSIONS);
    t.diagnostic(
      `${ROUNDS} kills, ${acknowledged.length} ends acknowledged, ${service.received.length} messages, ${repeats} repeated under their own name`,
    );
  },
);
