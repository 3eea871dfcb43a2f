/**
 * What a page costs while nothing arrives: many cards at work without amounts, so that their bars move by themselves.
 * No frame loop runs beside them: it would make frames that nobody asked for.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { counters, launch, openTab, serveCards } from '../browser.ts';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import type { Metric, Table } from '../report.ts';

const OURS = 'ours: <tool-progress>';
const CASES = [
  { name: 'plain DOM, margin animated', file: 'vanilla' },
  { name: OURS, file: 'ours' },
  { name: 'Shoelace details + bar + badge', file: 'shoelace' },
  { name: 'Web Awesome details + bar + badge', file: 'webawesome' },
];
const METRICS: readonly Metric[] = [
  { key: 'cpu', label: 'main thread per second', unit: 'ms', better: 'less' },
  { key: 'styles', label: 'style passes per second', unit: 'count', better: 'less' },
  { key: 'layouts', label: 'layouts per second', unit: 'count', better: 'less' },
];

async function measure(browser: Browser, url: string, count: number, ms: number): Promise<Record<string, number>> {
  const tab = await openTab(browser, url);
  try {
    await tab.page.evaluate((n) => window.mountCards(n, 'indeterminate'), count);
    await wait(400);
    const start = performance.now();
    const before = await counters(tab.session);
    await wait(ms);
    const after = await counters(tab.session);
    const seconds = (performance.now() - start) / 1000;
    const perSecond = (name: string) => (after(name) - before(name)) / seconds;
    return { cpu: perSecond('TaskDuration') * 1000, styles: perSecond('RecalcStyleCount'), layouts: perSecond('LayoutCount') };
  } finally {
    await tab.close();
  }
}

export const item: Item = {
  name: 'idle',
  about: 'many cards at work while nothing arrives',
  async run({ quick, progress }) {
    const served = await serveCards(CASES.map(({ file }) => file));
    const browser = await launch();
    try {
      const tables: Table[] = [];
      for (const count of [10, 100, 1000]) {
        const [rounds, ms] = quick ? [1, 600] : [3, 1200];
        const values = CASES.map(({ name, file }) => ({ name, file, list: [] as Record<string, number>[] }));
        for (let round = 0; round < rounds; round++) {
          for (const { name, file, list } of turned(values, round)) {
            progress(`${count} cards, round ${round + 1}: ${name}`);
            list.push(await measure(browser, `${served.url}/${file}`, count, ms));
          }
        }
        const rows = values.map(({ name, list }) => ({
          name,
          samples: Object.fromEntries(METRICS.map(({ key }) => [key, list.map((one) => one[key]!)])),
        }));
        tables.push({ title: `${count} cards at work without amounts, no updates`, metrics: METRICS, ours: [OURS], rows });
      }
      return { tables, versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
