import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';
import type { Operation } from '@sitrep/schema';
import type { Snapshot } from '@sitrep/schema/wire';
import { root } from '../structure/source-graph.ts';

/** One life of the live run: the program `npm start` runs, over a store of the test's own. */
interface Life {
  readonly url: string;
  readonly child: ChildProcess;
}

const home = mkdtempSync(join(tmpdir(), 'live-run-'));
const lives: Life[] = [];
after(() => {
  for (const { child } of lives) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

async function start(): Promise<Life> {
  const env = { ...process.env, PORT: '0', STORE: join(home, 'store.db'), FOLDER: join(root, 'packages/schema') };
  const child = spawn(process.execPath, ['examples/live-run/src/main.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  const url = await until(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0], 'the address is printed');
  lives.push({ url, child });
  return { url, child };
}

/** Looks until there is something to see, for more than a minute and a half. */
async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>, what: string): Promise<T> {
  for (let tries = 0; tries < 500; tries++) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await delay(200);
  }
  throw new Error(`It never came: ${what}`);
}

const snapshot = async (url: string) => (await (await fetch(`${url}/v1/sessions/live`)).json()) as Snapshot;
const named = (operations: readonly Operation[], title: string) => operations.filter((operation) => operation.title === title);
const LIVE = new Set(['pending', 'running', 'waiting', 'blocked', 'paused']);

describe('the live run', () => {
  it('shows real work on its page, outlives kill -9 with its card, and pretends nothing', { timeout: 240_000 }, async () => {
    const first = await start();
    const seen = await until(async () => {
      const { operations, card } = await snapshot(first.url);
      const calls = named(operations, 'Ask a public MCP server');
      const ready = calls.length === 2 && calls.every(({ current }) => (current ?? 0) > 0) && named(operations, 'Hash the files')[0]?.total;
      return ready && card?.plan ? { operations, card } : undefined;
    }, 'both MCP calls report and the files are hashed');

    const [one, two] = named(seen.operations, 'Ask a public MCP server');
    assert.notEqual(one!.id, two!.id);
    assert.deepEqual([one!.tool?.origin, one!.tool?.name, one!.total], ['mcp', two!.tool?.name, 24]);
    const [hash] = named(seen.operations, 'Hash the files');
    const [parent] = named(seen.operations, 'Check the folder');
    assert.deepEqual([hash!.unit, hash!.parent, hash!.tool?.origin], ['files', parent!.id, 'native']);
    assert.equal(named(seen.operations, 'Preview server')[0]!.state, 'waiting');
    const [early] = named(seen.operations, 'Publish too early');
    assert.deepEqual([early!.state, early!.error?.code], ['failed', 'ECONNREFUSED']);
    assert.equal(seen.card.plan!.filter(({ status }) => status === 'in_progress').length, 1);

    const posted = await fetch(`${first.url}/v1/sessions/live/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":"operation","id":"hello","state":"completed","title":"Hello from curl"}',
    });
    assert.equal(posted.status, 200);

    const browser = await chromium.launch({ executablePath: findBrowsers().chromium!, args: chromiumArgs });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(100_000);
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(first.url);
      await page.getByRole('button', { name: 'Hello from curl' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Ask a public MCP server' }).count(), 2);
      assert.ok((await page.getByRole('progressbar').count()) >= 3, 'bars are drawn');

      const before = await until(async () => {
        const { revision, epoch, operations } = await snapshot(first.url);
        return operations.some(({ state }) => state === 'running') && { revision, epoch };
      }, 'something runs');
      first.child.kill('SIGKILL');
      await once(first.child, 'exit');
      await page.getByText('Reconnecting').first().waitFor();

      const second = await start();
      const left = await until(async () => {
        const now = await snapshot(second.url);
        return now.runs.every(({ state }) => state !== 'running') && now;
      }, 'what was left is settled');
      assert.equal(left.epoch, before.epoch);
      assert.ok(left.revision >= before.revision && left.card?.plan, `revision ${left.revision} after ${before.revision}`);
      assert.deepEqual(
        left.operations.filter(({ state }) => LIVE.has(state)),
        [],
      );
      assert.ok(left.operations.some(({ state }) => state === 'interrupted'));

      await page.goto(second.url);
      await page.getByText('Interrupted').first().waitFor();
      await page.getByRole('button', { name: 'Run it again' }).click();
      await until(async () => (await snapshot(second.url)).runs.at(-1)?.state === 'running', 'another run has begun');
      assert.deepEqual(
        problems.filter((text) => !text.includes('ERR_')),
        [],
      );
    } finally {
      await browser.close();
    }
  });
});
