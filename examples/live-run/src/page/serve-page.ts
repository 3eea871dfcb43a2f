import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { GatewayApp } from '@sitrep/server';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Bundles the page once and serves it beside the gateway's own routes. The page runs under a strict policy. */
export async function servePage(app: GatewayApp, options: { session: string; pid: number; runAgain: () => boolean }): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [here('page.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    sourcemap: false,
    write: false,
    outdir: 'assets',
    logLevel: 'error',
  });
  const scripts = new Map(outputFiles.map((file) => [file.path.split('/').at(-1)!, file.text]));
  const [html, css] = await Promise.all([readFile(here('page.html'), 'utf8'), readFile(here('page.css'), 'utf8')]);
  const policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

  const page = html.replaceAll('{session}', options.session).replaceAll('{pid}', String(options.pid));
  app.get('/', (context) => context.html(page, 200, { 'content-security-policy': policy }));
  app.get('/assets/page.css', (context) => context.body(css, 200, { 'content-type': 'text/css' }));
  app.get('/assets/:name', (context) => {
    const script = scripts.get(context.req.param('name'));
    return script === undefined ? context.notFound() : context.body(script, 200, { 'content-type': 'text/javascript' });
  });
  app.get('/favicon.ico', (context) => context.body(null, 204));
  app.post('/runs', (context) => {
    // A page of another site can send a form without asking, but not JSON.
    if (context.req.header('content-type') !== 'application/json') return context.json({ started: false }, 415);
    return options.runAgain() ? context.json({ started: true }, 202) : context.json({ started: false }, 409);
  });
}
