import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, until } from './site.ts';
import type { Site } from './site.ts';

/** Seconds the browser stands still. The figure of the docs is taken with 30. */
const SLEEP_S = Number(process.env['SITREP_SLEEP_S'] ?? 3);
/** Nothing is judged by the clock of a machine that has other work; what is broken never comes at all. */
const CEILING = 40_000;

const WAYS = ['sse', 'websocket', 'event-source', 'shared'] as const;
const open = (site: Site, via: string, more = '') => site.open(`life-page?via=${via}${more}`);

async function write(site: Site, from: number, to: number): Promise<void> {
  for (let current = from; current <= to; current += 1)
    await site.gateway.publish('s', [{ type: 'operation', id: 'a', state: 'running', current }]);
}

const shows = (page: Page, seq: number) => page.evaluate((at) => window.life.shows(at), seq);

/** Positions never fall and none comes twice; a hole is bridged by a snapshot or what stands for the events in it. */
async function assertForward(page: Page): Promise<void> {
  const seen = await page.evaluate(() => window.life.seen);
  for (const [n, seq] of seen.entries()) assert.ok(n === 0 || seq >= seen[n - 1]!, `${seen[n - 1]} and then ${seq}`);
}

function told(t: TestContext, what: string, ms: number): void {
  t.diagnostic(`${what}: the truth ${Math.round(ms)} ms later`);
  assert.ok(ms < CEILING, `${ms} ms`);
}

/** All processes of a browser. */
function tree(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const found = [pid];
  for (const parent of found) found.push(...pairs.filter(([, of]) => of === parent).map(([child]) => child));
  return found;
}

describe('a page that comes back ends in the truth', () => {
  for (const via of WAYS) {
    it(`out of the back button's cache, read by ${via}`, { timeout: 240_000 }, async (t) => {
      await using site = await openSite(['life-page'], { without: ['--disable-back-forward-cache'] });
      const notes: {
        readonly seq: number;
        readonly persisted: boolean;
        readonly ms: number;
        readonly birth: number;
        readonly seen: number[];
      }[] = [];
      site.gateway.app.get('/away', (c) => c.html('<!doctype html><title>away</title>'));
      site.gateway.app.post('/note', async (c) => {
        notes.push(await c.req.json());
        return c.body(null, 204);
      });
      const page = await open(site, via, '&note');
      await write(site, 1, 3);
      const { birth } = await until(() => notes.find(({ seq }) => seq === 3), 'it shows what is', CEILING);
      await page.goto(`${site.url}/away`);
      await write(site, 4, 40);
      // The driver loses sight of a page that is put aside, so the page itself tells of its return.
      await page.goBack({ waitUntil: 'commit', timeout: CEILING }).catch(() => undefined);
      const back = await until(() => notes.find(({ seq }) => seq === 40), 'it shows what is now', CEILING);
      assert.equal(back.birth === birth, back.persisted);
      told(t, back.persisted ? `${via}, the same page` : `${via}, which this browser does not keep, a page loaded anew`, back.ms);
      await write(site, 41, 45);
      const last = await until(() => notes.find(({ seq }) => seq === 45), 'it goes on', CEILING);
      for (const [n, seq] of last.seen.entries()) assert.ok(n === 0 || seq >= last.seen[n - 1]!, `${last.seen[n - 1]} and then ${seq}`);
      await until(() => site.gateway.clients === 1, 'one connection is left', CEILING);
    });

    it(`after it was frozen, read by ${via}`, { timeout: 240_000 }, async (t) => {
      await using site = await openSite(['life-page']);
      const page = await open(site, via);
      await write(site, 1, 3);
      await shows(page, 3);
      const session = await site.context.newCDPSession(page);
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      await write(site, 4, 40);
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      told(t, via, await shows(page, 40));
      await assertForward(page);
      await until(() => site.gateway.clients === 1, 'one connection is left', CEILING);
    });

    it(`after its clock jumped both ways, read by ${via}`, { timeout: 240_000 }, async (t) => {
      await using site = await openSite(['life-page']);
      const page = await open(site, via);
      await write(site, 1, 3);
      await shows(page, 3);
      let at = 3;
      for (const hours of [2, -5, 3]) {
        await page.evaluate((by) => {
          const now = Date.now.bind(Date);
          Date.now = () => now() + by * 3_600_000;
        }, hours);
        await write(site, at + 1, at + 20);
        at += 20;
        await shows(page, at);
        // The link breaks right after: what is dead must not be kept because of the clock.
        site.gateway.endStreams({ end: false });
        await write(site, at + 1, at + 5);
        at += 5;
        const from = await page.evaluate(() => performance.now());
        told(t, `${via}, ${hours} h, the link broken`, await page.evaluate(([seq, since]) => window.life.shows(seq!, since), [at, from]));
      }
      await assertForward(page);
    });
  }

  it(`after the whole browser stood still for ${SLEEP_S} s`, { timeout: 100_000 + SLEEP_S * 2_000 }, async (t) => {
    await using site = await openSite(['life-page']);
    const pages: Page[] = [];
    for (const via of WAYS) pages.push(await open(site, via));
    await write(site, 1, 3);
    for (const page of pages) await shows(page, 3);
    const processes = tree(site.pid);
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    try {
      await write(site, 4, 40);
      await new Promise((resolve) => setTimeout(resolve, SLEEP_S * 1_000));
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
    const began = performance.now();
    await Promise.all(
      pages.map(async (page, n) => {
        await page.evaluate((seq) => window.life.shows(seq, 0), 40);
        told(t, WAYS[n]!, performance.now() - began);
        await assertForward(page);
      }),
    );
  });
});

/** A way to the gateway on which, from a moment on, nothing comes any more, though nobody closed it. */
async function mutable(target: string): Promise<{ readonly url: string; mute(): void; unmute(): void; close(): Promise<void> }> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let muted = false;
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.on('close', () => far.destroy()).on('data', (bytes) => muted || far.write(bytes));
    far.on('close', () => muted || near.destroy()).on('data', (bytes) => muted || near.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mute: () => void (muted = true),
    unmute: () => void (muted = false),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Milliseconds between heartbeats here: of the 15 s that are usual. */
const BEAT = 1_000;

describe('a link that is dead', () => {
  it('is shown as stale soon after a heartbeat and a half, and the truth soon after it is back', { timeout: 240_000 }, async (t) => {
    await using site = await openSite(['life-page'], { heartbeatMs: BEAT });
    const way = await mutable(site.url);
    try {
      const ways = ['sse', 'websocket', 'event-source'] as const;
      const pages: Page[] = [];
      for (const via of ways) {
        const page = await site.context.newPage();
        await page.goto(`${way.url}/life-page?via=${via}&quiet=${BEAT * 1.5}`);
        pages.push(page);
      }
      await write(site, 1, 3);
      for (const page of pages) await shows(page, 3);
      // Heartbeats have to be known before their absence says anything.
      for (const page of pages) await until(() => page.evaluate(() => window.life.state().connection === 'live'), 'live');
      await new Promise((resolve) => setTimeout(resolve, BEAT * 3));
      const died = performance.now();
      way.mute();
      await write(site, 4, 9);
      await Promise.all(
        pages.map(async (page, n) => {
          await until(
            () => page.evaluate(() => window.life.state().connection !== 'live' && window.life.state().connection !== 'resumed'),
            'stale',
            CEILING,
          );
          const ms = performance.now() - died;
          t.diagnostic(`${ways[n]}: stale after ${(ms / BEAT).toFixed(1)} heartbeats`);
          assert.equal(await page.evaluate(() => window.life.state().seq), 3);
        }),
      );
      way.unmute();
      const back = performance.now();
      await Promise.all(
        pages.map(async (page, n) => {
          await page.evaluate((seq) => window.life.shows(seq, 0), 9);
          told(t, `${ways[n]}, the link back`, performance.now() - back);
        }),
      );
    } finally {
      await way.close();
    }
  });
});
