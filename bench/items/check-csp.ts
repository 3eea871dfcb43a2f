/**
 * The same checks in Chromium, with and without a policy that forbids code from text (`script-src 'self'`), as
 * dashboards, extensions and editors set it.
 */
import { bundlePage, launch, page, serve } from '../browser.ts';
import type { Item } from '../item.ts';
import { OURS_FULL, OURS_SHAPE } from '../ours.ts';
import { handWritten } from '../peers/hand-written.ts';
import { TIME, timeRows, type Table } from '../report.ts';

const PAGES = [
  { path: '/open', title: 'operation event in Chromium, no policy', csp: undefined },
  { path: '/strict', title: "operation event in Chromium, script-src 'self'", csp: "default-src 'none'; script-src 'self'" },
];

export const item: Item = {
  name: 'check-csp',
  about: 'the same in a page, with and without a strict content security policy',
  async run({ quick, progress }) {
    const script = await bundlePage('pages/check-page.ts');
    const answers = Object.fromEntries(PAGES.map(({ path, csp }) => [path, page('/page.js', csp === undefined ? {} : { csp })] as const));
    const served = await serve({ ...answers, '/page.js': { body: script, type: 'text/javascript' } });
    const browser = await launch();
    try {
      const tables: Table[] = [];
      for (const { path, title } of PAGES) {
        progress(title);
        const tab = await browser.newPage();
        await tab.goto(served.url + path);
        const rounds = quick ? { rounds: 5, batchMs: 4 } : { rounds: 21, batchMs: 12 };
        const { samples, failed } = await tab.evaluate((options) => window.measure(options), rounds);
        const gone = Object.entries(failed).map(([name, why]) => ({ name, samples: {}, failed: why }));
        tables.push({
          title,
          metrics: [TIME],
          limit: handWritten.name,
          ours: [OURS_SHAPE, OURS_FULL],
          rows: [...timeRows(samples), ...gone],
        });
        await tab.close();
      }
      return { tables, versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
