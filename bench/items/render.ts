/**
 * What it costs to keep many cards moving: each implementation alone in a fresh page, every card updated ten times a
 * second. Times are CPU time of the page's main thread, which other processes disturb least.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { counters, launch, openTab, serveCards } from '../browser.ts';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import type { Metric, Table } from '../report.ts';

const OURS = 'ours: <tool-progress>';
const CASES = [
  { name: 'vanilla, one write per frame', file: 'vanilla' },
  { name: OURS, file: 'ours' },
  { name: 'ours: <progress-card>', file: 'ours-card' },
  { name: 'Lit, one template', file: 'lit' },
  { name: 'React 19, store per card', file: 'react' },
  { name: 'Shoelace details + bar + badge', file: 'shoelace' },
  { name: 'Web Awesome details + bar + badge', file: 'webawesome' },
];
/** Who is asked for thousands: of the others a frame takes seconds. */
const MANY = ['vanilla', 'ours', 'lit'];
const METRICS: readonly Metric[] = [
  { key: 'cpu', label: 'main thread per update', unit: 'us', better: 'less' },
  { key: 'layout', label: 'of it style + layout', unit: 'us', better: 'less' },
  { key: 'frame', label: 'main thread per frame', unit: 'ms', better: 'less' },
  { key: 'fps', label: 'frames/s', unit: 'fps', better: 'more' },
  { key: 'paint', label: 'until painted', unit: 'ms', better: 'less' },
  { key: 'heap', label: 'heap per card', unit: 'B', better: 'less' },
  { key: 'nodes', label: 'nodes per card', unit: 'count', better: 'less' },
];
const RATE = 10;

type Values = Record<string, number>;

async function measure(browser: Browser, url: string, count: number, ms: number): Promise<Values> {
  const tab = await openTab(browser, url);
  const { page, session } = tab;
  try {
    await session.send('HeapProfiler.enable');
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const heapBefore = await heap();
    const nodesBefore = (await counters(session))('Nodes');
    const paint = await page.evaluate((n) => window.mountCards(n, 'counting'), count);
    await wait(150);
    const heapAfter = await heap();
    const before = await counters(session);
    const fed = await page.evaluate((options) => window.feedCards(options), { count, rate: RATE, ms });
    const after = await counters(session);
    const perUpdate = (name: string) => ((after(name) - before(name)) * 1e6) / fed.updates;
    return {
      cpu: perUpdate('TaskDuration'),
      layout: perUpdate('RecalcStyleDuration') + perUpdate('LayoutDuration'),
      frame: ((after('TaskDuration') - before('TaskDuration')) * 1000) / fed.frames,
      fps: (fed.frames / fed.ms) * 1000,
      paint,
      heap: (heapAfter - heapBefore) / count,
      nodes: (before('Nodes') - nodesBefore) / count,
    };
  } finally {
    await tab.close();
  }
}

export const item: Item = {
  name: 'render',
  about: 'many live cards in Chromium',
  async run({ quick, progress }) {
    const served = await serveCards(CASES.map(({ file }) => file));
    const browser = await launch();
    try {
      const tables: Table[] = [];
      for (const count of [100, 1000, 5000]) {
        const cases = count > 1000 ? CASES.filter(({ file }) => MANY.includes(file)) : CASES;
        const [rounds, ms] = quick ? [1, 700] : [3, 1000];
        const values = new Map<string, Values[]>(cases.map(({ name }) => [name, []]));
        const failed = new Map<string, string>();
        for (let round = 0; round < rounds; round++) {
          for (const { name, file } of turned(cases, round)) {
            progress(`${count} cards, round ${round + 1}: ${name}`);
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
        tables.push({
          title: `${count} live cards, ${RATE} updates/s each`,
          note: `× is the multiple of ours. All ${count * RATE} updates a second count, drawn or not.`,
          metrics: METRICS,
          limit: CASES[0]!.name,
          ours: [OURS],
          rows,
        });
      }
      return { tables, versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
