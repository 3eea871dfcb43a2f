import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { createGateway } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { openSite, until } from './site.ts';
import type { Site } from './site.ts';

const WAYS = ['sse', 'event-source', 'websocket'] as const;

async function write(gateway: Gateway, from: number, to: number): Promise<void> {
  for (let current = from; current <= to; current += 1)
    await gateway.publish('s', [{ type: 'operation', id: 'a', state: 'running', current }]);
}

/** A page of another site than the gateway's: to a browser `localhost` and `127.0.0.1` are two. */
const originOf = (site: Site): string => site.url.replace('127.0.0.1', 'localhost');

async function openAt(site: Site, via: string, at: string): Promise<Page> {
  const page = await site.context.newPage();
  await page.goto(`${originOf(site)}/life-page?via=${via}&at=${encodeURIComponent(at)}`);
  return page;
}

describe('a page of another origin', () => {
  for (const via of WAYS) {
    it(`that is listed reads by ${via}, and goes on from its position when the stream breaks`, { timeout: 240_000 }, async () => {
      await using site = await openSite(['life-page']);
      const asked: string[] = [];
      const gateway = createGateway({
        store: createMemoryStore(),
        allowedOrigins: [originOf(site)],
        log: () => undefined,
        onRequest: ({ method, status }) => asked.push(`${method} ${status}`),
      });
      try {
        const { url } = await gateway.listen({ port: 0 });
        await write(gateway, 1, 3);
        const page = await openAt(site, via, url);
        const shows = (seq: number) => page.evaluate((position) => window.life.shows(position), seq);
        await shows(3);
        await write(gateway, 4, 6);
        await shows(6);
        gateway.endStreams({ end: false });
        await until(() => gateway.clients === 0, 'the stream is broken off');
        await write(gateway, 7, 9);
        await shows(9);
        const seen = await page.evaluate(() => window.life.seen);
        assert.deepEqual(seen, [3, 4, 5, 6, 7, 8, 9], 'one snapshot, and everything after it once');
        // A browser asks first whether the header with the position may be sent.
        assert.equal(asked.includes('OPTIONS 204'), via === 'sse', asked.join(', '));
      } finally {
        await gateway.close();
      }
    });

    it(`that is not listed gets nothing by ${via}, and the operator is told how it would`, { timeout: 240_000 }, async () => {
      await using site = await openSite(['life-page']);
      const lines: string[] = [];
      const gateway = createGateway({ store: createMemoryStore(), log: (line) => lines.push(line) });
      try {
        const { url } = await gateway.listen({ port: 0 });
        await write(gateway, 1, 3);
        const page = await openAt(site, via, url);
        const told = `--allow-origin ${originOf(site)}`;
        await until(() => lines.some((line) => line.includes(told)), 'the log names the origin');
        await until(() => page.evaluate(() => window.life.state().connection !== 'connecting'), 'the page knows that it is not connected');
        const { seq, connection } = await page.evaluate(() => window.life.state());
        assert.equal(seq, 0);
        assert.ok(connection === 'reconnecting' || connection === 'lost', connection);
        assert.deepEqual(await page.evaluate(() => window.life.seen), []);
        assert.equal(gateway.clients, 0);
      } finally {
        await gateway.close();
      }
    });
  }
});
