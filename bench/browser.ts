/** Bundles pages, serves them on loopback and starts the Chromium of this machine. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { chromiumArgs, findBrowsers } from '../scripts/browsers.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** One entry file as one script for a page. `replace` maps import specifiers to files beside this one. */
export async function bundlePage(entry: string, replace: Readonly<Record<string, string>> = {}): Promise<string> {
  const result = await build({
    entryPoints: [here + entry],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: Object.fromEntries(Object.entries(replace).map(([from, to]) => [from, here + to])),
  });
  return result.outputFiles[0]!.text;
}

/** What a path answers. */
export interface Answer {
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page that loads one script; `csp` becomes its policy. */
export function page(script: string, { body = '', csp }: { body?: string; csp?: string } = {}): Answer {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title><body>${body}<script src="${script}"></script>`;
  // Isolation gives performance.now() its finest grain.
  const isolated = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
  return { body: html, headers: { ...isolated, ...(csp === undefined ? {} : { 'content-security-policy': csp }) } };
}

export interface Served {
  readonly url: string;
  close(): void;
}

/** Serves fixed answers on a free loopback port. */
export async function serve(answers: Readonly<Record<string, Answer>>): Promise<Served> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (!answer) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': answer.type ?? 'text/html; charset=utf-8', ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Starts Chromium, headless. CHROMIUM names another one than the system's. */
export async function launch(): Promise<Browser> {
  const executablePath = findBrowsers().chromium;
  if (!executablePath) throw new Error('no Chromium found: install one or name it with CHROMIUM=/path');
  return chromium.launch({ executablePath, headless: true, args: [...chromiumArgs, '--enable-precise-memory-info'] });
}

/** Chromium's counters of a page: main-thread times in seconds of CPU, nodes, layouts. */
export async function counters(session: CDPSession): Promise<(name: string) => number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const byName = new Map(metrics.map(({ name, value }) => [name, value]));
  return (name) => {
    const value = byName.get(name);
    if (value === undefined) throw new Error(`Chromium no longer counts ${name}`);
    return value;
  };
}

/** A page alone in a fresh context, and so in a process of its own, with its counters switched on. */
export interface Tab {
  readonly page: Page;
  readonly session: CDPSession;
  /** Throws if the page threw; closes the context either way. */
  close(): Promise<void>;
}

/** Opens a page in a fresh context. Its counters tell CPU time of the main thread. */
export async function openTab(browser: Browser, url: string): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const tab = await context.newPage();
  const errors: string[] = [];
  tab.on('pageerror', (error) => errors.push(error.message));
  await tab.goto(url);
  const session = await context.newCDPSession(tab);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    page: tab,
    session,
    async close() {
      await context.close();
      if (errors.length > 0) throw new Error(`the page threw: ${errors[0]!.slice(0, 100)}`);
    },
  };
}

/** Serves one page per implementation of the cards, at `/<file>`, each with an element `#root`. */
export async function serveCards(files: readonly string[]): Promise<Served> {
  const answers: Record<string, Answer> = {};
  for (const file of files) {
    answers[`/${file}`] = page(`/${file}.js`, { body: '<div id="root"></div>' });
    const script = await bundlePage('pages/render-page.ts', { 'cards-under-test': `pages/cards/${file}.ts` });
    answers[`/${file}.js`] = { body: script, type: 'text/javascript' };
  }
  return serve(answers);
}
