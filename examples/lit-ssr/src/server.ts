import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { html, render } from '@lit-labs/ssr';
import { RenderResultReadable } from '@lit-labs/ssr/lib/render-result-readable.js';
import type { Snapshot } from '@sitrep/schema';
import { createRenderer } from '@sitrep/elements/server';

const gateway = process.env['GATEWAY'] ?? 'http://127.0.0.1:4747';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  outdir: '/code',
  write: false,
});
const code = new Map(outputFiles.map(({ path, contents }) => [path, contents]));

/** The page, drawn while the session is still on its way: its beginning is sent at once. */
async function page(session: string): Promise<Readable> {
  const src = `${gateway}/v1/sessions/${encodeURIComponent(session)}`;
  const snapshot = fetch(src).then((answer) => (answer.ok ? (answer.json() as Promise<Snapshot>) : undefined));
  const { renderer, data } = await createRenderer({ sessions: { [src]: snapshot } });
  const drawn = render(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Sitrep with Lit SSR</title>
          <script type="module" src="/code/page.js"></script>
        </head>
        <body>
          <h1>Sitrep with Lit SSR</h1>
          <progress-provider src=${src}>
            <status-pill summary></status-pill>
            <progress-card open></progress-card>
          </progress-provider>
        </body>
      </html>`,
    { elementRenderers: [renderer] },
  );
  async function* parts(): AsyncGenerator<string> {
    for await (const part of new RenderResultReadable(drawn)) yield String(part);
    yield data();
  }
  return Readable.from(parts());
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const file = code.get(pathname);
  if (file) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
  if (pathname !== '/') return void response.writeHead(204).end();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  (await page(searchParams.get('session') ?? 'demo')).pipe(response);
});
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.log('Listening'));
