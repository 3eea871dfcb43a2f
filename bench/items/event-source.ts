/** The same stream over loopback into Chromium: our source beside the platform's own EventSource. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundlePage, launch, page } from '../browser.ts';
import type { Item } from '../item.ts';
import { TIME, timeRows } from '../report.ts';
import { streamEvent } from '../samples.ts';

const IDS = 500;
const OURS = 'ours: source';
const WAYS: Readonly<Record<string, string>> = {
  'fetch, bytes only': 'bytes',
  'native EventSource, empty listener': 'native',
  'native EventSource, parsed into one Map': 'native-kept',
  [OURS]: 'source',
  'ours: source, every frame parsed': 'parsed',
  'ours: source into store': 'stored',
  'ours: source into store, with a coalescer': 'coalesced',
};

export const item: Item = {
  name: 'event-source',
  about: 'from the network to the page, in Chromium',
  async run({ quick, progress }) {
    // Fewer would weigh the request more than what it brings.
    const count = 50_000;
    const snapshot = { type: 'snapshot', session: 'bench', epoch: 'e', seq: 0, at: 1, card: null, revision: 0, operations: [], runs: [] };
    const frames = Array.from(
      { length: count },
      (_, i) => `id: e:${i + 1}\nevent: operation\ndata: ${JSON.stringify(streamEvent(i, IDS, count))}\n\n`,
    );
    const end = `event: end\ndata: ${JSON.stringify({ type: 'end', reason: 'done' })}\n\n`;
    const body = Buffer.from(`id: e:0\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n${frames.join('')}${end}`);
    const script = await bundlePage('pages/stream-page.ts');
    const document = page('/page.js');
    const server = createServer((request, response) => {
      if (request.url === '/stream') {
        // As a gateway that has much to say: in pieces, no faster than they are taken.
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
        let at = 0;
        const more = (): void => {
          while (at < body.length) if (!response.write(body.subarray(at, (at += 65_536)))) return;
          response.end();
        };
        response.on('drain', more);
        more();
      } else if (request.url === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
      else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...document.headers }).end(document.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await launch();
    try {
      const tab = await browser.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const samples: Record<string, number[]> = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
      const rounds = quick ? 5 : 9;
      for (let round = -1; round < rounds; round += 1) {
        const names = Object.keys(WAYS);
        for (const name of round % 2 === 0 ? names : names.toReversed()) {
          progress(`round ${round + 1}: ${name}`);
          const read = await tab.evaluate((way) => window.readStream(way), WAYS[name] as string);
          const wanted = name.startsWith('fetch') ? body.length : count;
          if (read.count !== wanted) throw new Error(`${name}: ${read.count} of ${wanted}`);
          if (round >= 0) samples[name]?.push((read.ms * 1e6) / count);
        }
      }
      const title = `per event: ${count} frames of ${IDS} ids over loopback, server and browser on the same machine`;
      const table = { title, metrics: [TIME], limit: 'fetch, bytes only', ours: [OURS], rows: timeRows(samples) };
      return { tables: [table], versions: { chromium: browser.version() } };
    } finally {
      await browser.close();
      server.closeAllConnections();
      server.close();
    }
  },
};
