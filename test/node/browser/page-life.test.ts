import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, until } from './site.ts';
import type { Site } from './site.ts';

const state = (page: Page) => page.evaluate(() => ({ ...window.shared.state(), leading: window.shared.leading }));
const isAt = (page: Page, seq: number) =>
  until(async () => {
    const now = await state(page);
    return now.seq === seq && (now.connection === 'live' || now.connection === 'resumed');
  }, `the page shows ${seq}`);

async function write(site: Site, from: number, to: number): Promise<void> {
  for (let current = from; current <= to; current++)
    await site.gateway.publish('s', [{ type: 'operation', id: 'a', state: 'running', current }]);
}

/** Tells a page that it is frozen, as a browser does with one that is out of sight; gives what tells it that it runs again. */
async function freeze(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
  return () => page.evaluate(() => document.dispatchEvent(new Event('resume')));
}

async function assertWhole(page: Page, last: number): Promise<void> {
  const { events, snapshots } = await page.evaluate(() => ({ events: window.shared.events, snapshots: window.shared.snapshots }));
  const first = snapshots[0]! + 1;
  assert.deepEqual(
    events.map(([seq]) => seq),
    Array.from({ length: last - first + 1 }, (_, n) => first + n),
  );
}

describe('the life of a page', () => {
  it('goes on after a freeze with what happened meanwhile, asked of the server again', { timeout: 240_000 }, async () => {
    await using site = await openSite(['shared-page']);
    const page = await site.open('shared-page?own');
    await write(site, 1, 3);
    await isAt(page, 3);
    const thaw = await freeze(page);
    await write(site, 4, 40);
    await thaw();
    await isAt(page, 40);
    await assertWhole(page, 40);
    // It was reopened once, and nothing of the former connection stays.
    assert.equal(await page.evaluate(() => window.shared.opened), 2);
    await until(() => site.gateway.clients === 1, 'one connection is left');
  });

  it('lets another page lead while the one that led is frozen, and follows when it is back', { timeout: 240_000 }, async () => {
    await using site = await openSite(['shared-page']);
    const leader = await site.open('shared-page');
    await until(async () => (await state(leader)).leading, 'the first page leads');
    const other = await site.open('shared-page');
    await write(site, 1, 3);
    for (const page of [leader, other]) await isAt(page, 3);
    const thaw = await freeze(leader);
    await until(async () => (await state(other)).leading, 'the other page leads');
    await write(site, 4, 40);
    await isAt(other, 40);
    await thaw();
    await isAt(leader, 40);
    for (const page of [leader, other]) await assertWhole(page, 40);
    assert.equal((await state(leader)).leading, false);
    await until(() => site.gateway.clients === 1, 'one connection is left');
  });

  it('shows what is after the back button', { timeout: 240_000 }, async () => {
    await using site = await openSite(['shared-page']);
    const page = await site.open('shared-page');
    await write(site, 1, 3);
    await isAt(page, 3);
    await page.goto('about:blank');
    await until(() => site.gateway.clients === 0, 'a page that is left holds no connection');
    await write(site, 4, 40);
    await page.goBack();
    await isAt(page, 40);
    assert.equal(site.gateway.clients, 1);
  });
});
