// Serves the static Storybook on a free port of this machine.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { typefaceFile, typefacePath } from './same.mjs';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** The address of what lies in `root`, and how to stop serving it. */
export async function serve(root) {
  const server = createServer((req, res) => {
    if (req.url === '/favicon.ico') return res.writeHead(204).end();
    const { pathname } = new URL(req.url, 'http://x');
    const asked = pathname === typefacePath ? typefaceFile : join(root, normalize(pathname));
    const file = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, 'index.html') : asked;
    if ((!file.startsWith(root) && file !== typefaceFile) || !existsSync(file)) return res.writeHead(404).end();
    res.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'max-age=600' });
    createReadStream(file).pipe(res);
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return { base: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
