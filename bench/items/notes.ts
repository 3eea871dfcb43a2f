/** A Markdown note of 8 KB in Chromium: from the text to the finished layout, first and after each kind of change. */
import { bundlePage, launch, page, serve } from '../browser.ts';
import type { Item } from '../item.ts';
import { TIME, timeRows } from '../report.ts';

export const item: Item = {
  name: 'notes',
  about: 'a Markdown note of 8 KB in a page, until it is laid out',
  async run({ quick, progress }) {
    progress('bundling');
    const script = await bundlePage('pages/notes-page.ts');
    const served = await serve({ '/': page('/page.js', { body: '<main></main>' }), '/page.js': { body: script, type: 'text/javascript' } });
    const browser = await launch();
    try {
      const tab = await browser.newPage();
      await tab.goto(served.url);
      progress('measuring');
      const measured = await tab.evaluate((options) => window.measureNotes(options), { rounds: quick ? 7 : 25 });
      const tables = measured.map(({ title, samples }) => ({
        title: `a note of 8 KB: ${title}`,
        metrics: [TIME],
        limit: 'ready HTML, innerHTML',
        ours: ['ours'],
        rows: timeRows(samples),
      }));
      return { tables, versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
