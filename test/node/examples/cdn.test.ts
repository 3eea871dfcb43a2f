import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { startDemo } from '../../../examples/live-run/src/demo/demo.ts';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';
import { openFirefox } from '../browser/engines/firefox.ts';
import type { Tabs } from '../browser/engines/tabs.ts';
import { openWebkit } from '../browser/engines/webkit.ts';
import { until } from '../browser/site.ts';
import { root } from '../structure/source-graph.ts';
import { serveApps } from './built-app.ts';

async function openChromium(executablePath: string): Promise<Tabs> {
  const browser = await chromium.launch({ executablePath, args: chromiumArgs });
  return {
    version: browser.version(),
    async open(url) {
      const page = await browser.newPage();
      await page.goto(url);
      return {
        evaluate: (expression) => page.evaluate(expression),
        start: (statement) => page.evaluate(statement),
        close: () => page.close(),
      };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

const found = findBrowsers();
const engines = [
  ['Chromium', found.chromium, openChromium],
  ['Firefox', found.firefox, openFirefox],
  ['WebKit', found.webkit, openWebkit],
] as const;

const ENTRY = 'dist/cdn/sitrep.js';
const CARD = "document.querySelector('progress-card').shadowRoot";
const NOTE = `${CARD}.querySelector('strong')?.textContent`;
const ROWS = `[...${CARD}.querySelectorAll('tool-progress')]`;
const AMOUNT = `${ROWS}.map((row) => row.shadowRoot?.querySelector('[part=amount]')?.textContent ?? '').join()`;
const WORD = "document.querySelector('status-pill').shadowRoot?.querySelector('[part=label]')?.textContent";

describe('the file from a CDN', () => {
  for (const [name, binary, open] of engines) {
    if (binary === undefined) continue;
    it(`is all a page needs in ${name}: of another origin, under a strict policy, with integrity`, { timeout: 240_000 }, async (t) => {
      await using cdn = await startDemo();
      serveApps(cdn);
      await using demo = await startDemo();
      const reports: string[] = [];
      demo.gateway.app.post('/report', async (context) => {
        reports.push(await context.req.text());
        return context.body(null, 204);
      });
      const hash = createHash('sha384')
        .update(readFileSync(join(root, 'packages/elements', ENTRY)))
        .digest('base64');
      serveApps(demo, {
        cdn: `${cdn.url}/cdn/`,
        policy: `default-src 'none'; script-src 'self' ${cdn.url}; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html dompurify 'allow-duplicates'; report-uri /report`,
        change: (html) => html.replace(`${ENTRY}"`, `${ENTRY}" integrity="sha384-${hash}" crossorigin="anonymous"`),
      });
      demo.start('demo');
      await using browser = await open(binary);
      t.diagnostic(browser.version);
      const tab = await browser.open(`${demo.url}/app/plain-html/`);

      await until(async () => (await tab.evaluate<string>(NOTE)) === 'Green', 'the note is drawn, with the code for it');
      const first = await until(() => tab.evaluate<string>(AMOUNT), 'rows are drawn, with the code for them');
      await until(async () => (await tab.evaluate<string>(AMOUNT)) !== first, 'they move');
      const own = "document.querySelector('main tool-progress').shadowRoot?.querySelector('#title')?.textContent";
      await until(async () => (await tab.evaluate<string>(own)) === 'Write a letter', 'a record given before the code was there is shown');
      assert.equal(await tab.evaluate(WORD), 'needs you');
      await tab.start("document.documentElement.lang = 'de'");
      await until(async () => !['needs you', ''].includes((await tab.evaluate<string>(WORD)) ?? ''), 'the language is loaded');

      const loaded = await tab.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
      const code = loaded.filter((url) => url.endsWith('.js') && !url.endsWith('page.js'));
      assert.ok(code.length > 3 && code.every((url) => url.startsWith(`${cdn.url}/cdn/dist/cdn/`)), code.join('\n'));
      assert.equal(code.filter((url) => url.includes('sitrep.js')).length, 1, 'the entry is loaded once');

      // The same file by another address, as where a CDN redirects or a page adds a query.
      await tab.evaluate(`import('${cdn.url}/cdn/${ENTRY}?again').then(() => 1)`);
      const before = await tab.evaluate<string>(AMOUNT);
      await until(async () => (await tab.evaluate<string>(AMOUNT)) !== before, 'the page goes on');
      assert.deepEqual(reports, []);
    });
  }
});
