/**
 * How long a page takes from the address to a painted card, with nothing in any cache: the file for pages without a build beside a card
 * that is in the HTML already, and beside the same card made of what else one could load.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { bundlePage, launch, serve, type Answer } from '../browser.ts';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import type { Metric } from '../report.ts';
import { CARD, operationAt, percent } from '../pages/cards/card.ts';

const STATIC = 'a card in the HTML';
const OURS = 'ours: <progress-card>, CDN file';
const OURS_LIVE = 'ours: the same, of a live session';
const PEERS = [
  ['Lit, a card of one’s own', 'lit'],
  ['React, a card of one’s own', 'react'],
  ['Shoelace details + bar + badge', 'shoelace'],
  ['Web Awesome details + bar + badge', 'webawesome'],
] as const;
const METRICS: readonly Metric[] = [
  { key: 'painted', label: 'from the address to the first paint of the card', unit: 'ms', better: 'less' },
];

const html = (body: string): Answer => ({ body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>bench</title><body>${body}` });
const script = (body: string): Answer => ({ body, type: 'text/javascript' });

function staticCard(): string {
  const value = operationAt(0, 42);
  const part = percent(value);
  return `<style>${CARD}</style><div class="card"><div class="head"><span class="title">${value.title}</span><span class="pill">${value.state}</span></div>
<div class="bar" role="progressbar" aria-valuenow="${part}"><div class="fill" style="transform:scaleX(${part / 100})"></div></div>
<div class="foot"><span class="message">${value.message}</span><span class="percent">${part}%</span></div></div>`;
}

const SNAPSHOT = {
  type: 'snapshot',
  session: 's',
  epoch: 'e',
  seq: 1,
  at: 1_764_500_000_000,
  revision: 1,
  card: { plan: [{ step: 'Build project', status: 'in_progress' }] },
  operations: [{ id: 'a', attempt: 1, state: 'running', updatedAt: 1_764_500_000_000, title: 'Build project', current: 42, total: 100 }],
  runs: [],
};

/** The page that has a card from the file of the CDN build, and that file with what it loads later. */
function ours(): Record<string, Answer> {
  const dist = fileURLToPath(new URL('dist/cdn/', import.meta.resolve('@sitrep/elements/package.json')));
  const answers: Record<string, Answer> = {
    '/cdn': html(`<script type="module" src="/cdn/sitrep.js"></script><progress-card></progress-card><script type="module">
document.querySelector('progress-card').card = ${JSON.stringify(SNAPSHOT.card)};</script>`),
    '/cdn-live': html(`<script type="module" src="/cdn/sitrep.js"></script><progress-card src="/v1/sessions/s"></progress-card>`),
    '/v1/sessions/s': { body: JSON.stringify(SNAPSHOT), type: 'application/json' },
    '/v1/sessions/s/stream': { body: '', type: 'text/event-stream' },
  };
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.js')) answers[`/cdn/${name}`] = script(readFileSync(dist + name, 'utf8'));
  return answers;
}

/** Milliseconds until the first text was painted, or until `shown` was. */
async function measure(browser: Browser, url: string, shown: string | undefined): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    return await page.evaluate(
      (text) =>
        new Promise<number>((resolve) => {
          if (text === undefined) {
            const seen = ({ name, startTime }: PerformanceEntry) => name === 'first-contentful-paint' && resolve(startTime);
            new PerformanceObserver((list) => list.getEntries().forEach(seen)).observe({ type: 'paint', buffered: true });
            return;
          }
          const look = () => {
            if (!document.querySelector('progress-card')?.shadowRoot?.textContent?.includes(text)) return void requestAnimationFrame(look);
            // After the frame that shows it.
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => resolve(performance.now()));
            port1.start();
            requestAnimationFrame(() => port2.postMessage(0));
          };
          look();
        }),
      shown,
    );
  } finally {
    await context.close();
  }
}

export const item: Item = {
  name: 'cold-start',
  about: 'from the address to a painted card',
  async run({ quick, progress }) {
    const answers: Record<string, Answer> = { '/static': html(staticCard()), ...ours() };
    for (const [, file] of PEERS) {
      answers[`/${file}`] = html(`<div id="root"></div><script type="module" src="/${file}.js"></script>`);
      answers[`/${file}.js`] = script(await bundlePage('pages/cold-start-page.ts', { 'cards-under-test': `pages/cards/${file}.ts` }));
    }
    const served = await serve(answers);
    const browser = await launch();
    try {
      const cases = [
        { name: STATIC, path: '/static' },
        { name: OURS, path: '/cdn' },
        ...PEERS.map(([name, file]) => ({ name, path: `/${file}` })),
        { name: OURS_LIVE, path: '/cdn-live', shown: 'Build project' },
      ].map((one) => ({ ...one, list: [] as number[] }));
      for (let round = 0; round < (quick ? 5 : 25); round++) {
        for (const one of turned(cases, round)) {
          progress(`round ${round + 1}: ${one.name}`);
          const ms = await measure(browser, served.url + one.path, 'shown' in one ? one.shown : undefined);
          // The first round warms the browser up.
          if (round > 0) one.list.push(ms);
        }
      }
      const rows = cases.map(({ name, list }) => ({ name, samples: { painted: list } }));
      return {
        tables: [{ title: 'one card in an empty page', metrics: METRICS, ours: [STATIC, OURS], rows }],
        versions: { chromium: browser.version() },
      };
    } finally {
      await browser.close();
      served.close();
    }
  },
};
