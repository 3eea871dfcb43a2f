import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { startDemo } from '../../../examples/live-run/src/demo/demo.ts';
import type { Demo } from '../../../examples/live-run/src/demo/demo.ts';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';
import { until } from '../browser/site.ts';
import { AppCopy, command, folderOf, serveApps } from './built-app.ts';

const TSC = ['tsc', '--noEmit'] as const;
/** The applications, and what checks their types where a framework has types for tags. */
const APPS: Readonly<Record<string, readonly string[] | undefined>> = {
  react: TSC,
  'react-18': TSC,
  vue: ['vue-tsc', '--noEmit'],
  svelte: ['svelte-check'],
  solid: TSC,
  preact: TSC,
  lit: undefined,
  angular: undefined,
  'plain-html': undefined,
};

/** The amount that a row shows, as a number. */
const amount = (page: Page, row: string) =>
  page.evaluate((name) => {
    const all = (node: ParentNode): Element[] =>
      [...node.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
    const found = all(document).find(
      (one) => one.localName === 'tool-progress' && one.shadowRoot?.querySelector('#title')?.textContent === name,
    );
    return Number(
      /[\d,]+/.exec(found?.shadowRoot?.querySelector('[part=amount]')?.textContent ?? '')?.[0].replaceAll(',', '') ?? Number.NaN,
    );
  }, row);

/** Opens a page, and keeps an eye on the streams it reads and on what it complains about. */
async function openPage(context: BrowserContext, url: string) {
  const page = await context.newPage();
  page.setDefaultTimeout(100_000);
  const streams = new Set<Request>();
  const seen = new Set<Request>();
  page.on('request', (request) => request.url().endsWith('/stream') && streams.add(request) && seen.add(request));
  page.on('requestfinished', (request) => streams.delete(request));
  page.on('requestfailed', (request) => streams.delete(request));
  const problems: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  return { page, streams, problems, opened: () => seen.size };
}

/** The development server of an application, with the gateway behind it. */
async function serveDev(folder: string, gateway: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = await createServer({
    root: folder,
    logLevel: 'error',
    // The packages lie where the original is.
    cacheDir: `${folder}/.cache`,
    server: { port: 0, host: '127.0.0.1', fs: { strict: false }, proxy: { '/v1': gateway } },
  });
  await server.listen();
  return { url: server.resolvedUrls!.local[0]!.replace(/\/$/, ''), [Symbol.asyncDispose]: () => server.close() };
}

describe('an application of each framework', () => {
  let demo: Demo;
  let browser: Browser;
  const ended: (() => Promise<void>)[] = [];

  before(async () => {
    demo = await startDemo();
    serveApps(demo);
    browser = await chromium.launch({ executablePath: findBrowsers().chromium!, args: chromiumArgs });
  });
  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });
  after(async () => {
    await browser?.close();
    await demo?.[Symbol.asyncDispose]();
  });

  for (const [app, check] of Object.entries(APPS)) {
    it(`${app}: builds, shows a live session, binds a record, answers a request, and lets go`, { timeout: 300_000 }, async () => {
      const built = await command(folderOf(app), 'npm', ['run', '--silent', '--if-present', 'build']);
      assert.equal(built.code, 0, built.said);

      demo.start(app);
      const context = await browser.newContext();
      ended.push(() => context.close());
      const { page, streams, problems } = await openPage(context, `${demo.url}/app/${app}/?src=/v1/sessions/${app}`);

      const card = page.locator('progress-card');
      await card.getByText('Ship the release').waitFor();
      await card.getByText('Build the project').waitFor();
      await page.locator('status-pill').getByText('Needs you').waitFor();
      const first = await amount(page, 'Build project');
      await until(async () => (await amount(page, 'Build project')) > first, 'the amount moves');
      assert.equal(streams.size, 1, 'two elements, and a framework that renders twice, are one connection');

      const letter = page.locator('body tool-progress').filter({ hasText: 'Write a letter' }).last();
      assert.ok(await letter.isVisible());
      assert.equal(await letter.getAttribute('hidden'), null);
      assert.equal(await letter.getByRole('button').getAttribute('aria-expanded'), 'false');
      assert.equal(await letter.getByRole('progressbar').getAttribute('aria-valuenow'), '10');
      await page.getByRole('button', { name: 'Write a page' }).click();
      await until(async () => (await letter.getByRole('progressbar').getAttribute('aria-valuenow')) === '20', 'the record is bound');
      assert.ok(!(await page.content()).includes('[object Object]'));

      const shown = page.getByRole('button', { name: 'Hide' });
      await shown.click();
      await until(() => streams.size === 0, 'nobody reads what is not shown');
      assert.equal(await card.count(), 0);
      for (let times = 0; times < 10; times += 1) {
        await page.getByRole('button', { name: 'Show' }).click();
        await shown.click();
      }
      await page.getByRole('button', { name: 'Show' }).click();
      await card.getByText('Build the project').waitFor();
      await until(() => streams.size === 1, 'it is read again, once');

      await page.getByRole('button', { name: 'Go to the card' }).click();
      await card.getByRole('button', { name: 'Cancel Build project' }).click();
      await page.getByText('Asked to stop: Build project').waitFor();
      await card.getByText('Cancelled').first().waitFor();
      assert.deepEqual(problems, []);
    });

    if (!check) continue;
    it(`${app}: is told at once of a property or an event of the wrong type`, { timeout: 300_000 }, async () => {
      using copy = new AppCopy(app);
      copy.change(/letter\(pages(\(\))?\)/, "'a text'");
      const wrong = '({ operation }: { operation: { title?: string; id: boolean } & Parameters<typeof askToStop>[0] } & Event)';
      copy.change('({ operation }: ProgressCancelRequestEvent)', wrong);
      const { said } = await command(copy.folder, check[0]!, check.slice(1));
      assert.match(said, /string.* is not assignable to/);
      assert.match(said, /ProgressCancelRequestEvent/);
    });
  }

  it('react: follows an edit without a reload, and double effects are one connection', { timeout: 300_000 }, async () => {
    using copy = new AppCopy('react');
    await using server = await serveDev(copy.folder, demo.url);
    demo.start('edited');
    const context = await browser.newContext();
    ended.push(() => context.close());
    const { page, streams, problems, opened } = await openPage(context, `${server.url}/?src=/v1/sessions/edited`);
    const card = page.locator('progress-card');
    await card.getByText('Build the project').waitFor();
    assert.deepEqual([streams.size, opened()], [1, 1]);

    await card.getByRole('button', { name: 'Ship the release' }).click();
    const same = await card.elementHandle();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    copy.change('Sitrep in React 19', 'Sitrep after an edit');
    await page.getByRole('heading', { name: 'Sitrep after an edit' }).waitFor();
    assert.ok(await page.evaluate(() => 'sameDocument' in window), 'the document is the same');
    assert.ok(await same!.evaluate((element) => element.isConnected), 'and so is the card');
    assert.equal(await card.getByRole('button', { name: 'Ship the release' }).getAttribute('aria-expanded'), 'false');
    assert.deepEqual([streams.size, opened()], [1, 1]);
    assert.deepEqual(
      problems.filter((text) => !text.startsWith('Lit is in dev mode')),
      [],
    );
  });
});
