import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { createReplaySource, createSseSource, createStore, type SessionView, type Source, type Store } from '@sitrep/client';
import type { ProgressCard, ProgressProvider } from '@sitrep/elements';
import '@sitrep/elements/define';

/** What a real run sent, event by event: nested operations, two equal MCP calls, a failure, a wait, a plan and notes. */
const RECORDED = new URL('../../fixtures/live-run.ndjson', import.meta.url);

interface Recorded {
  readonly type: string;
  readonly session: string;
}

async function recordedLines(): Promise<string[]> {
  const text = await (await fetch(RECORDED)).text();
  return text.split('\n').filter((line) => line !== '');
}

/** What the view says, without where it came from: position, connection and the session's name differ by route. */
function substance(view: SessionView): unknown {
  const { card, operations, runs, title, usage } = view;
  return { card, operations, runs, title, usage };
}

/**
 * All text that stands on the page, through every shadow root, in order. The live region is left out: it says what
 * happened while one watched, and so differs by how one came to the end.
 */
function textOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof Element && node.getAttribute('role') === 'status') return '';
  if (node instanceof Element && ['STYLE', 'SCRIPT', 'TEMPLATE'].includes(node.tagName)) return '';
  const root = node instanceof Element ? node.shadowRoot : null;
  const parts = [...(root?.childNodes ?? []), ...node.childNodes].map(textOf);
  return parts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** Draws a store as a page would, and waits until the end of the run is what the elements show. */
async function drawn(store: Store): Promise<{ view: SessionView; text: string }> {
  const provider = await fixture<ProgressProvider>(html`
    <progress-provider .store=${store}>
      <status-pill summary></status-pill>
      <progress-card open></progress-card>
    </progress-provider>
  `);
  const card = provider.querySelector<ProgressCard>('progress-card')!;
  const ended = () => /^done\b/i.test(textOf(provider)) && card.shadowRoot?.querySelector('[part~=note] table');
  await waitUntil(() => ended() ?? false, 'the end of the run was never drawn', { timeout: 15_000 });
  // Rows out of sight draw about once a second: what stands is what no longer changes from one look to the next.
  let before = '';
  const settled = () => before === (before = textOf(provider));
  await waitUntil(settled, 'the page never settled', { interval: 1500, timeout: 15_000 });
  return { view: store.getSnapshot(), text: textOf(provider) };
}

async function viaSource(source: Source, session: string): Promise<{ view: SessionView; text: string }> {
  const store = createStore({ source, session });
  const result = await drawn(store);
  store.close();
  return result;
}

async function viaGateway(lines: string[]): Promise<{ view: SessionView; text: string; outcomes: string[] }> {
  const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
  const session = `flow-${crypto.randomUUID()}`;
  const address = `${url}/v1/sessions/${session}`;
  const store = createStore({ source: createSseSource({ url: `${address}/stream` }), session });
  const drawing = drawn(store);
  const outcomes: string[] = [];
  // In several requests, so that what arrives live and what is in the first snapshot both take part.
  for (let at = 0; at < lines.length; at += 40) {
    const events = lines.slice(at, at + 40).map((line) => ({ ...(JSON.parse(line) as Recorded), session }));
    const response = await fetch(`${address}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });
    expect(response.status).to.equal(200);
    const { results } = (await response.json()) as { results: { outcome: string }[] };
    outcomes.push(...results.map(({ outcome }) => outcome));
  }
  const result = await drawing;
  store.close();
  return { ...result, outcomes };
}

describe('the whole way from bytes to the page', () => {
  it('ends in the same records and the same words by replay and by a gateway over a real connection', async () => {
    const lines = await recordedLines();
    const { session } = JSON.parse(lines[0]!) as Recorded;
    const replayed = await viaSource(createReplaySource({ lines, speed: Infinity }), session);
    const streamed = await viaGateway(lines);

    expect(streamed.outcomes).to.have.length(lines.length);
    expect(new Set(streamed.outcomes)).to.deep.equal(new Set(['applied']));
    expect(substance(streamed.view)).to.deep.equal(substance(replayed.view));
    expect(streamed.text).to.equal(replayed.text);
    for (const words of [
      'Verify the checkout',
      '4 of 4 completed',
      'Preview server',
      'Hash the files',
      'ECONNREFUSED',
      'trigger-long-running-operation',
    ]) {
      expect(streamed.text).to.contain(words);
    }
  });

  it('ends the same when the recording arrives twice', async () => {
    const lines = await recordedLines();
    const { session } = JSON.parse(lines[0]!) as Recorded;
    const once = await viaSource(createReplaySource({ lines, speed: Infinity }), session);
    const twice = await viaSource(createReplaySource({ lines: [...lines, ...lines], speed: Infinity }), session);
    expect(substance(twice.view)).to.deep.equal(substance(once.view));
    expect(twice.text).to.equal(once.text);
  });
});
