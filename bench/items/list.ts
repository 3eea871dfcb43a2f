/**
 * What many operations cost in one list: until it is painted, for one changed row, and while it is scrolled, beside a plain Lit list
 * that draws every row. Times of the first paint and of changes are CPU time of the page's main thread, which other processes disturb least.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { bundlePage, counters, launch, openTab, page, serve, type Answer } from '../browser.ts';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import type { Metric } from '../report.ts';

const CASES = [
  { name: 'ours: 100 operations', file: 'ours', count: 100 },
  { name: 'ours: 10,000 operations', file: 'ours', count: 10_000 },
  { name: 'Lit, every row: 100', file: 'lit', count: 100 },
  { name: 'Lit, every row: 10,000', file: 'lit', count: 10_000 },
] as const;
const METRICS: readonly Metric[] = [
  { key: 'first', label: 'main thread until painted', unit: 'ms', better: 'less' },
  { key: 'paint', label: 'until painted', unit: 'ms', better: 'less' },
  { key: 'cpu', label: 'main thread per update', unit: 'us', better: 'less' },
  { key: 'busy', label: 'main thread per second at 100 updates/s', unit: 'ms', better: 'less' },
  { key: 'fps', label: 'frames/s while scrolled', unit: 'fps', better: 'more' },
  { key: 'nodes', label: 'nodes', unit: 'count', better: 'less' },
];
const RATE = 100;

type Values = Record<string, number>;

async function measure(browser: Browser, url: string, count: number, ms: number): Promise<Values> {
  const tab = await openTab(browser, url);
  try {
    await tab.page.evaluate((n) => window.prepareList(n), count);
    const empty = await counters(tab.session);
    const paint = await tab.page.evaluate(() => window.mountList());
    const full = await counters(tab.session);
    await wait(200);
    const before = await counters(tab.session);
    const fed = await tab.page.evaluate((options) => window.feedList(options), { rate: RATE, ms });
    const after = await counters(tab.session);
    const spent = after('TaskDuration') - before('TaskDuration');
    const scrolled = await tab.page.evaluate((time) => window.scrollList(time), ms);
    return {
      first: (full('TaskDuration') - empty('TaskDuration')) * 1e3,
      paint,
      cpu: (spent * 1e6) / Math.max(1, fed.updates),
      busy: (spent * 1e6) / fed.ms,
      fps: (scrolled.frames / scrolled.ms) * 1000,
      nodes: full('Nodes') - empty('Nodes'),
    };
  } finally {
    await tab.close();
  }
}

export const item: Item = {
  name: 'list',
  about: 'thousands of operations in one list',
  async run({ quick, progress }) {
    const answers: Record<string, Answer> = {};
    for (const file of ['ours', 'lit']) {
      answers[`/${file}`] = page(`/${file}.js`, { body: '<div id="root"></div>' });
      const script = await bundlePage('pages/list-page.ts', { 'lists-under-test': `pages/lists/${file}.ts` });
      answers[`/${file}.js`] = { body: script, type: 'text/javascript' };
    }
    const served = await serve(answers);
    const browser = await launch();
    try {
      const values = new Map<string, Values[]>(CASES.map(({ name }) => [name, []]));
      const failed = new Map<string, string>();
      const [rounds, ms] = quick ? [2, 800] : [5, 1500];
      // The first page of a browser pays for what later ones find ready.
      await measure(browser, `${served.url}/ours`, 100, 100);
      for (let round = 0; round < rounds; round++) {
        for (const { name, file, count } of turned(CASES, round)) {
          progress(`round ${round + 1}: ${name}`);
          try {
            values.get(name)!.push(await measure(browser, `${served.url}/${file}`, count, ms));
          } catch (error) {
            failed.set(name, (error as Error).message);
          }
        }
      }
      const rows = [...values].map(([name, list]) => ({
        name,
        samples: Object.fromEntries(METRICS.map(({ key }) => [key, list.map((one) => one[key]!)])),
        failed: failed.get(name),
      }));
      return {
        tables: [
          {
            title: `one list, ${RATE} updates/s among all rows`,
            note: 'The bar: 10,000 operations are painted in at most 1.5 times the time of 100.',
            metrics: METRICS,
            limit: CASES[0].name,
            ours: [CASES[0].name, CASES[1].name],
            rows,
          },
        ],
        versions: { chromium: browser.version() },
      };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
