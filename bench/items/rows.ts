/**
 * What it costs to put up many rows with a body and to end them all: CPU time of the page's main thread until everything stands, which
 * waiting for a frame does not lengthen.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { counters, launch, openTab, serveCards } from '../browser.ts';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import type { Metric } from '../report.ts';

const COUNT = 500;
/** By then everyone has drawn everything. */
const SETTLED = 1500;
const OURS = 'ours: <tool-progress>';
const CASES = [
  { name: 'native details and progress', file: 'native-body' },
  { name: OURS, file: 'ours-body' },
  { name: "Carbon's chain-of-thought step", file: 'carbon-body' },
];
const METRICS: readonly Metric[] = [
  { key: 'create', label: 'put up', unit: 'ms', better: 'less' },
  { key: 'update', label: 'all ended', unit: 'ms', better: 'less' },
  { key: 'nodes', label: 'nodes per row', unit: 'count', better: 'less' },
];

async function measure(browser: Browser, url: string): Promise<Record<string, number>> {
  const tab = await openTab(browser, url);
  try {
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const before = await counters(tab.session);
      await work();
      await wait(SETTLED);
      return ((await counters(tab.session))('TaskDuration') - before('TaskDuration')) * 1000;
    };
    const nodes = (await counters(tab.session))('Nodes');
    const create = await timed(() => tab.page.evaluate((n) => window.mountCards(n, 'counting'), COUNT));
    const made = (await counters(tab.session))('Nodes') - nodes;
    const update = await timed(() => tab.page.evaluate((n) => window.endCards(n), COUNT));
    return { create, update, nodes: made / COUNT };
  } finally {
    await tab.close();
  }
}

export const item: Item = {
  name: 'rows',
  about: 'rows with a body, put up and ended',
  async run({ quick, progress }) {
    const served = await serveCards(CASES.map(({ file }) => file));
    const browser = await launch();
    try {
      const values = CASES.map(({ name, file }) => ({ name, file, list: [] as Record<string, number>[] }));
      for (let round = 0; round < (quick ? 1 : 5); round++) {
        for (const { name, file, list } of turned(values, round)) {
          progress(`round ${round + 1}: ${name}`);
          list.push(await measure(browser, `${served.url}/${file}`));
        }
      }
      const rows = values.map(({ name, list }) => ({
        name,
        samples: Object.fromEntries(METRICS.map(({ key }) => [key, list.map((one) => one[key]!)])),
      }));
      const tables = [{ title: `${COUNT} rows with a body`, metrics: METRICS, limit: CASES[0]!.name, ours: [OURS], rows }];
      return { tables, versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
