import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findBrowsers } from '../../../scripts/browsers.mjs';
import { openFirefox } from './engines/firefox.ts';
import type { Tab, Tabs } from './engines/tabs.ts';
import { openWebkit } from './engines/webkit.ts';
import { servePages, until } from './site.ts';
import type { Pages } from './site.ts';
import { assertSameLogs, writing } from './tab-log.ts';
import type { Log } from './tab-log.ts';

const TABS = 10;
const PATIENCE = { timeout: 240_000 };

const LOG =
  '(({ events, snapshots, diagnostics, leaders, state }) => ({ events, snapshots, diagnostics, leaders, ...state() }))(window.shared)';
const STATE = '(({ seq, connection }) => ({ seq, connection, leading: window.shared.leading }))(window.shared.state())';
interface State {
  readonly seq: number;
  readonly connection: string;
  readonly leading: boolean;
}

const states = (tabs: readonly Tab[]) => Promise.all(tabs.map((tab) => tab.evaluate<State>(STATE)));
const allPast = (tabs: readonly Tab[], seq: number) =>
  until(async () => (await states(tabs)).every((now) => now.connection === 'live' && now.seq > seq), `all are live and past ${seq}`);

async function leaderOf(tabs: readonly Tab[]): Promise<Tab> {
  return until(async () => tabs[(await states(tabs)).findIndex(({ leading }) => leading)], 'one tab leads');
}

async function openTabs(browser: Tabs, site: Pages, path: string, count: number): Promise<Tab[]> {
  return Promise.all(Array.from({ length: count }, () => browser.open(`${site.url}/${path}`)));
}

async function assertSame(tabs: readonly Tab[], last: number, beginnings?: number): Promise<void> {
  await until(async () => (await states(tabs)).every(({ seq }) => seq === last), `every tab is at ${last}`);
  assertSameLogs(await Promise.all(tabs.map((tab) => tab.evaluate<Log>(LOG))), last, beginnings);
}

const found = findBrowsers();
const engines = [
  ['Firefox', found.firefox, openFirefox],
  ['WebKit', found.webkit, openWebkit],
] as const;

for (const [name, binary, open] of engines) {
  // Chromium is asked more in a file of its own; what a machine cannot install is named by "npm run setup".
  if (binary === undefined) continue;
  describe(`many tabs of ${name}`, () => {
    it('share one connection, whoever is closed or leaves', PATIENCE, async (t) => {
      await using site = await servePages(['shared-page']);
      await using browser = await open(binary);
      t.diagnostic(browser.version);
      let tabs = await openTabs(browser, site, 'shared-page', TABS);
      const writer = writing(site);
      await allPast(tabs, 0);
      assert.equal(site.gateway.clients, 1);
      for (const how of ['close', 'leave', 'close'] as const) {
        const leader = await leaderOf(tabs);
        tabs = tabs.filter((tab) => tab !== leader);
        if (how === 'close') await leader.close();
        else await leader.start('location.href = "about:blank"');
        await leaderOf(tabs);
        await allPast(tabs, writer.written());
      }
      await assertSame(tabs, await writer.stop());
      await until(() => site.gateway.clients === 1, 'one connection is left');
    });

    it('hear from a SharedWorker, which has the one connection', PATIENCE, async () => {
      await using site = await servePages(['shared-page', 'shared-worker']);
      await using browser = await open(binary);
      let tabs = await openTabs(browser, site, 'shared-page?worker', 6);
      const writer = writing(site);
      await allPast(tabs, 0);
      assert.equal(site.gateway.clients, 1);
      assert.equal(
        (await states(tabs)).some(({ leading }) => leading),
        false,
      );
      for (const tab of tabs.slice(0, 3)) await tab.close();
      tabs = [...tabs.slice(3), ...(await openTabs(browser, site, 'shared-page?worker', 2))];
      await allPast(tabs, writer.written());
      // In WebKit it lived in the process of one of those that were closed; the next one cannot know what came in between.
      await assertSame(tabs, await writer.stop(), name === 'WebKit' ? 2 : 1);
      await until(() => site.gateway.clients === 1, 'one connection is left');
    });

    it('do without the worker whose script cannot be loaded', PATIENCE, async () => {
      await using site = await servePages(['shared-page']);
      await using browser = await open(binary);
      const tabs = await openTabs(browser, site, 'shared-page?worker', 4);
      const writer = writing(site);
      await allPast(tabs, 0);
      assert.equal(site.gateway.clients, 1);
      await assertSame(tabs, await writer.stop());
    });

    it('take the connection from a tab that hangs, and follow one who has it when it is back', PATIENCE, async () => {
      await using site = await servePages(['shared-page']);
      await using browser = await open(binary);
      const tabs = await openTabs(browser, site, 'shared-page?interval=500', 3);
      const writer = writing(site);
      await allPast(tabs, 0);
      const leader = await leaderOf(tabs);
      const others = tabs.filter((tab) => tab !== leader);
      await leader.start('for (const end = Date.now() + 5000; Date.now() < end;);');
      await leaderOf(others);
      await allPast(others, writer.written());
      await allPast(tabs, writer.written());
      await assertSame(tabs, await writer.stop());
      await until(() => site.gateway.clients === 1, 'the one that hung has let go');
      assert.equal((await states([leader]))[0]!.leading, false);
    });
  });
}
