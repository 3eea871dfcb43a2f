import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { html } from 'lit';
import type { Operation, Snapshot } from '@sitrep/schema';
import { createRenderer, renderToStream, renderToString } from '@sitrep/elements/server';

const NOW = Date.UTC(2026, 10, 30, 12);
const SRC = '/v1/sessions/demo';
const operation = (over: Partial<Operation> = {}): Operation => ({
  id: 'a',
  attempt: 1,
  state: 'running',
  title: 'Compile',
  startedAt: NOW - 65_000,
  updatedAt: NOW - 1_000,
  current: 42,
  total: 100,
  unit: 'files',
  ...over,
});
const snapshot = (over: Partial<Snapshot> = {}): Snapshot => ({
  type: 'snapshot',
  session: 'demo',
  epoch: 'e1',
  seq: 7,
  at: NOW,
  card: {
    plan: [
      { step: 'Read', status: 'completed' },
      { step: 'Ship', status: 'in_progress' },
    ],
  },
  revision: 2,
  cardUpdatedAt: NOW - 120_000,
  operations: [operation()],
  runs: [],
  title: 'Demo',
  ...over,
});
const draw = (over: Partial<Snapshot> = {}, markup = `<progress-card src="${SRC}" open></progress-card>`): Promise<string> =>
  renderToString(markup, { sessions: { [SRC]: snapshot(over) }, now: NOW });
/** What a reader sees of the markup. */
const words = (markup: string): string =>
  markup
    .replace(/<(style|script)[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('renderToString', () => {
  it('draws a card with all it shows, in a declarative shadow root', async () => {
    const markup = await draw();
    assert.match(markup, /^<progress-card[^>]* lang="en" drawn-at="\d+"><template [^>]*shadowrootmode="open"><style>/);
    for (const text of ['Demo', '1 of 2 completed', 'updated just now', 'Compile', '42%', '42 of 100 files', '1 min 5 sec'])
      assert.ok(words(markup).includes(text), text);
    assert.match(markup, /role="progressbar"[^>]* aria-valuenow="42" aria-valuetext="42 of 100 files, 42%"/);
  });

  it('sets no style attribute, and gives its style elements the nonce', async () => {
    const markup = await renderToString(`<progress-card src="${SRC}" open></progress-card>`, {
      sessions: { [SRC]: snapshot() },
      nonce: 'n"1',
    });
    assert.doesNotMatch(markup, /\sstyle=/);
    assert.equal(markup.match(/<style/g)?.length, markup.match(/<style nonce="n&quot;1">/g)?.length);
    assert.match(markup, /\[data-s="1"\]\{inline-size:42%\}/);
  });

  it('takes text for text, wherever it stands', async () => {
    const evil = '</script></style></template><img src=x onerror=alert(1)><!--';
    const markup = await draw({
      title: evil,
      card: { plan: [{ step: evil, status: 'in_progress' }], markdown: evil },
      operations: [operation({ title: evil, message: evil, unit: evil, state: 'failed', error: { message: evil, code: evil } })],
      usage: { label: evil },
    });
    assert.doesNotMatch(markup, /<img/);
    assert.equal(markup.match(/<script/g)?.length, 1);
    const data = /<script type="application\/json" data-sitrep="[^"]*">([\s\S]*?)<\/script>/.exec(markup)![1]!;
    assert.equal((JSON.parse(data) as Snapshot).title, evil);
  });

  it('draws what is empty', async () => {
    for (const over of [
      { card: null },
      { operations: [] },
      { title: '', card: { markdown: ' ' } },
      { card: { plan: [] } },
    ] as Partial<Snapshot>[])
      assert.match(await draw(over), /part="base"/);
    assert.match(words(await draw({ card: null, operations: [], revision: 0 })), /Nothing has been reported yet/);
    const empty = operation({ title: '', message: '', unit: '', usage: { label: '' } });
    assert.match(await draw({ operations: [empty] }), /tool-progress/);
    assert.match(words(await renderToString('<status-pill></status-pill><tool-progress></tool-progress>')), /^[\s]*$/);
  });

  it('says that a session is still to be loaded where none was given', async () => {
    const markup = await renderToString(`<progress-card src="/v1/sessions/other"></progress-card><status-pill src="x"></status-pill>`);
    assert.match(words(markup), /connecting.*Loading…/);
    assert.doesNotMatch(markup, /<script/);
  });

  it('speaks every language it is asked for, and many at once', async () => {
    const told = await Promise.all(
      ['de', 'ja', 'fr-CA', 'xx'].map((lang) =>
        renderToString(`<progress-card src="${SRC}"></progress-card>`, { sessions: { [SRC]: snapshot() }, lang, now: NOW }),
      ),
    );
    assert.match(words(told[0]!), /1 von 2 erledigt/);
    assert.match(told[1]!, /lang="ja"/);
    assert.doesNotMatch(words(told[2]!), /completed/);
    assert.match(words(told[3]!), /1 of 2 completed/);
    const own = await renderToString(`<progress-card lang="de" src="${SRC}"></progress-card>`, { sessions: { [SRC]: snapshot() } });
    assert.match(own, /^<progress-card[^>]*lang="de"/);
  });

  it('speaks the language that an element has for itself, from the first time on', async () => {
    const own = await renderToString(`<progress-card lang="nl" src="${SRC}"></progress-card>`, { sessions: { [SRC]: snapshot() } });
    assert.doesNotMatch(words(own), /completed/);
    assert.match(words(own), /1 van 2/);
  });

  it('takes records in a template, and is the same each time', async () => {
    const template = () =>
      html`<tool-progress .operation=${operation()}></tool-progress>
        <p>${'<b>'}</p>`;
    const [first, second] = [await renderToString(template(), { now: NOW }), await renderToString(template(), { now: NOW })];
    assert.equal(first, second);
    assert.match(words(first), /Compile.*42%.*&lt;b&gt;/);
  });

  it('gives what is in a provider the session of the provider', async () => {
    const markup = await draw({}, `<progress-provider src="${SRC}"><p><status-pill summary></status-pill></p></progress-provider>`);
    assert.match(words(markup), /working Ship/);
    assert.equal(markup.match(/<script/g)?.length, 1);
  });

  it('refuses what is no snapshot, and asks nobody for one that cannot be had', async () => {
    await assert.rejects(draw({ operations: 'none' as never }), TypeError);
    const lost = Promise.reject<Snapshot>(new Error('no gateway'));
    const markup = await renderToString(`<progress-card src="${SRC}"></progress-card>`, { sessions: { [SRC]: lost } });
    assert.match(words(markup), /Loading…/);
  });

  it('is not brought down by a session that fails before its turn, or that nothing shows', async () => {
    const faults: unknown[] = [];
    const note = (fault: unknown): void => void faults.push(fault);
    process.on('unhandledRejection', note);
    try {
      const stream = renderToStream(`<progress-card src="${SRC}"></progress-card><status-pill src="/b"></status-pill>`, {
        sessions: {
          [SRC]: new Promise((resolve) => setTimeout(resolve, 20, snapshot())),
          '/b': Promise.reject(new Error('no gateway')),
          '/unused': Promise.reject(new Error('no gateway')),
        },
      });
      assert.match(words(await new Response(stream).text()), /1 of 2 completed.*connecting/);
    } finally {
      process.off('unhandledRejection', note);
    }
    assert.deepEqual(faults, []);
  });

  it('draws every element there is', async () => {
    const manifest =
      readFileSync(new URL('../src/define/all.ts', import.meta.url), 'utf8') +
      "'./status-pill.ts' './tool-progress.ts' './progress-card.ts'";
    const tags = [...manifest.matchAll(/'\.\/([a-z]+-[a-z-]+)\.ts'/g)].map(([, tag]) => tag!);
    assert.ok(tags.length >= 5);
    for (const tag of tags) {
      const markup = await draw({}, `<${tag} src="${SRC}" operation-id="a"></${tag}>`);
      assert.match(markup, new RegExp(`^<${tag} [^>]*><template [^>]*shadowrootmode="open">`));
      assert.doesNotMatch(words(markup), /undefined|\[object/);
    }
    assert.match(words(await draw({}, `<progress-list src="${SRC}"></progress-list>`)), /Compile/);
  });

  it('leaves the process as it was', async () => {
    const { now } = Date;
    await draw();
    assert.equal(Date.now, now);
    assert.equal('document' in globalThis, false);
  });
});

describe('renderToStream', () => {
  it('sends what stands before a session that is still on its way', async () => {
    let resolve = (_snapshot: Snapshot): void => {};
    const promise = new Promise<Snapshot>((done) => (resolve = done));
    const stream = renderToStream(`<h1>First</h1><progress-card src="${SRC}"></progress-card>`, { sessions: { [SRC]: promise }, now: NOW });
    const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('</h1>')) text += (await reader.read()).value ?? assert.fail('It ended.');
    assert.doesNotMatch(text, /Demo/);
    resolve(snapshot());
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    assert.equal(
      text,
      await renderToString(`<h1>First</h1><progress-card src="${SRC}"></progress-card>`, { sessions: { [SRC]: snapshot() }, now: NOW }),
    );
    assert.match(text, /<\/script>$/);
  });
});

describe('createRenderer', () => {
  it('draws within pages of Lit', async () => {
    const { render } = await import('@lit-labs/ssr');
    const { collectResult } = await import('@lit-labs/ssr/lib/render-result.js');
    const { renderer, data } = await createRenderer({ sessions: { [SRC]: snapshot() }, now: NOW });
    const page = await collectResult(
      render(html`<main><progress-card src=${SRC}></progress-card></main>`, { elementRenderers: [renderer] }),
    );
    assert.match(words(page), /1 of 2 completed/);
    assert.match(data(), /^<script type="application\/json" data-sitrep="\/v1\/sessions\/demo">/);
    assert.equal(data(), '');
  });
});
