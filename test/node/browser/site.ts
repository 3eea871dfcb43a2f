import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createGateway } from '@sitrep/server';
import type { Gateway, GatewayOptions } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';

/** A gateway that serves pages too. */
export interface Pages extends AsyncDisposable {
  readonly url: string;
  readonly gateway: Gateway;
}

/** The same, and a Chromium with one context to open them in. */
export interface Site extends Pages {
  readonly context: BrowserContext;
  /** The browser's own process. */
  readonly pid: number;
  /** Opens a page; what it throws fails `pages`. */
  open(path: string): Promise<Page>;
  /** What pages threw so far. */
  readonly errors: readonly string[];
}

async function bundle(file: string): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  });
  return result.outputFiles[0]!.text;
}

/** `scripts` are served by their names: `/<name>.js`, and `/<name>` is a page that runs it. */
export async function servePages(scripts: readonly string[], options: Partial<GatewayOptions> = {}): Promise<Pages> {
  const gateway = createGateway({ store: createMemoryStore(), log: () => undefined, ...options });
  for (const name of scripts) {
    const script = await bundle(`./${name}.ts`);
    gateway.app.get(`/${name}.js`, (c) => c.body(script, 200, { 'content-type': 'text/javascript' }));
    gateway.app.get(`/${name}`, (c) => c.html(`<!doctype html><title>${name}</title><body><script src="/${name}.js"></script>`));
  }
  const { url } = await gateway.listen({ port: 0 });
  return { url, gateway, [Symbol.asyncDispose]: () => gateway.close() };
}

/** Serves pages and starts a browser for them. `without`: defaults the browser goes without. */
export async function openSite(
  scripts: readonly string[],
  {
    args = [],
    without = [],
    ...options
  }: Partial<GatewayOptions> & { readonly args?: readonly string[]; readonly without?: string[] } = {},
): Promise<Site> {
  const executablePath = findBrowsers().chromium;
  if (!executablePath) throw new Error('No Chromium found: run "npm run setup", or name one with CHROMIUM=/path.');
  const { url, gateway } = await servePages(scripts, options);
  const server = await chromium.launchServer({
    executablePath,
    headless: true,
    args: [...chromiumArgs, ...args],
    ignoreDefaultArgs: without,
  });
  const browser: Browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext();
  context.setDefaultTimeout(100_000);
  const errors: string[] = [];
  return {
    url,
    gateway,
    context,
    errors,
    pid: server.process().pid!,
    async open(path) {
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(error.message));
      await page.goto(`${url}/${path}`);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.close();
      await gateway.close();
    },
  };
}

/** Looks until there is something to see. */
export async function until<T>(look: () => T | undefined | false | Promise<T | undefined | false>, what: string, ms = 100_000): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
