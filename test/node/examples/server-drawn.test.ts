import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, afterEach, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext } from 'playwright-core';
import { startDemo } from '../../../examples/live-run/src/demo/demo.ts';
import type { Demo } from '../../../examples/live-run/src/demo/demo.ts';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';
import { freePort } from '../../support/free-port.ts';
import { until } from '../browser/site.ts';
import { command, folderOf } from './built-app.ts';

/** What runs each application, once it is built. */
const APPS: Readonly<Record<string, readonly string[]>> = {
  'lit-ssr': ['src/server.ts'],
  next: ['node_modules/next/dist/bin/next', 'start'],
  nuxt: ['.output/server/index.mjs'],
  sveltekit: ['build'],
  astro: ['dist/server/entry.mjs'],
};
const QUIET = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };

describe('an application of each framework that draws on a server', () => {
  const ports: Record<string, number> = {};
  let demo: Demo;
  let browser: Browser;
  const ended: (() => unknown)[] = [];

  before(async () => {
    for (const app of Object.keys(APPS)) ports[app] = await freePort();
    Object.assign(process.env, QUIET);
    demo = await startDemo({ allowedOrigins: Object.values(ports).map((port) => `http://127.0.0.1:${port}`) });
    browser = await chromium.launch({ executablePath: findBrowsers().chromium!, args: chromiumArgs });
  });
  afterEach(async () => {
    for (const end of ended.splice(0).toReversed()) await end();
  });
  after(async () => {
    await browser?.close();
    await demo?.[Symbol.asyncDispose]();
  });

  const newContext = async (options?: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> => {
    const context = await browser.newContext(options);
    ended.push(() => context.close());
    return context;
  };

  /** Starts what was built, and waits until it answers. */
  async function serve(app: string): Promise<string> {
    const port = String(ports[app]);
    const env = {
      ...process.env,
      ...QUIET,
      PORT: port,
      HOST: '127.0.0.1',
      HOSTNAME: '127.0.0.1',
      GATEWAY: demo.url,
      NUXT_GATEWAY: demo.url,
    };
    const child = spawn(process.execPath, APPS[app]!, { cwd: folderOf(app), env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()));
    ended.push(async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      if (child.kill('SIGKILL')) await gone;
    });
    const url = `http://127.0.0.1:${port}/?session=${app}`;
    await until(() => {
      assert.equal(child.exitCode, null, said);
      return fetch(url).then(
        (answer) => answer.ok,
        () => false,
      );
    }, `${app} answers: ${said}`);
    return url;
  }

  for (const app of Object.keys(APPS)) {
    it(`${app}: builds, sends the card with the page, takes it over, and follows it`, { timeout: 300_000 }, async () => {
      const built = await command(folderOf(app), 'npm', ['run', '--silent', '--if-present', 'build']);
      assert.equal(built.code, 0, built.said);
      demo.start(app);
      await until(async () => (await (await fetch(`${demo.url}/v1/sessions/${app}`)).text()).includes('Build project'), 'the agent works');
      const url = await serve(app);

      const html = await (await fetch(url)).text();
      for (const words of ['shadowrootmode="open"', 'Ship the release', 'Build the project', 'role="progressbar"', 'data-sitrep="'])
        assert.ok(html.includes(words), `the source of the page has ${words}`);

      const still = await (await newContext({ javaScriptEnabled: false })).newPage();
      await still.goto(url);
      assert.ok(await still.locator('progress-card').getByText('Build the project').isVisible());
      const bar = still.locator('progress-card [role=progressbar][aria-valuenow]').first();
      assert.match((await bar.getAttribute('aria-valuenow'))!, /^\d+$/);
      assert.ok((await bar.boundingBox())!.width > 100);

      const page = await (await newContext()).newPage();
      page.setDefaultTimeout(100_000);
      const problems: string[] = [];
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      const asked: string[] = [];
      page.on('request', (request) => request.url().startsWith(demo.url) && asked.push(new URL(request.url()).pathname));
      // What stands in the card before any code of the page has run.
      await page.addInitScript(() => {
        document.addEventListener('readystatechange', () => {
          const root = document.querySelector('progress-card')?.shadowRoot;
          // A note is read by the page alone, and styles are shared in it.
          const drawn = [...(root?.querySelectorAll('*') ?? [])].filter((one) => !one.matches('style, .note *'));
          if (document.readyState === 'interactive') Object.assign(window, { drawn });
        });
      });
      await page.goto(url);
      const kept = (): Promise<{ readonly all: number; readonly gone: string[]; readonly live: boolean }> =>
        page.evaluate(() => {
          const { drawn } = window as unknown as { readonly drawn: readonly Element[] };
          const gone = drawn.filter((one) => !one.isConnected);
          const card = document.querySelector('progress-card') as Element & { readonly hasUpdated?: boolean };
          return { all: drawn.length, gone: gone.map((one) => `${one.localName}.${one.className}`), live: !!card.hasUpdated };
        });
      await until(async () => (await kept()).live, 'the card is taken over');
      const { all, gone } = await kept();
      assert.ok(all > 30);
      assert.deepEqual(gone, []);

      const amount = async (): Promise<number> =>
        Number(await page.locator('progress-card [role=progressbar][aria-valuenow]').first().getAttribute('aria-valuenow'));
      const first = await amount();
      await until(async () => (await amount()) > first, 'the amount moves');
      await page.locator('progress-card').getByRole('button', { name: 'Ship the release' }).click();
      await until(() => page.locator('progress-card ol').isHidden(), 'the reader closes it');
      assert.deepEqual([...new Set(asked)], [`/v1/sessions/${app}/stream`]);
      assert.deepEqual(problems, []);
    });
  }
});
