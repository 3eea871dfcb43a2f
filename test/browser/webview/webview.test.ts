// oxlint-disable unicorn/require-post-message-target-origin -- as an extension talks to its webview: without one.
import { expect, waitUntil } from '@open-wc/testing';
import { createSseSource } from '@sitrep/client';
import { fitHeight } from '../../../examples/vscode-webview/src/frame-height.ts';
import { serveWebview } from '../../../examples/vscode-webview/src/serve-webview.ts';
import type { Cancelled } from '../../../examples/vscode-webview/src/serve-webview.ts';

const until = (look: () => unknown, what: string): Promise<void> => waitUntil(() => !!look(), what, { timeout: 15_000 });

interface Said {
  readonly message?: unknown;
  readonly problem?: string;
  readonly answer?: string;
  readonly origin?: string;
  readonly surface?: string;
}

/** A page in a frame that may run scripts and nothing else: it has no origin, and nobody outside can look into it. */
class Sandboxed {
  readonly frame = document.createElement('iframe');
  readonly problems: string[] = [];
  last: Said = {};
  readonly #listeners = new Set<(message: unknown) => void>();
  readonly #hear = ({ source, data }: MessageEvent<Said>): void => {
    if (source !== this.frame.contentWindow) return;
    if (data.problem !== undefined) this.problems.push(data.problem);
    if (data.answer !== undefined) this.last = data;
    if ('message' in data) for (const listener of this.#listeners) listener(data.message);
  };

  constructor(path: string) {
    this.frame.setAttribute('sandbox', 'allow-scripts');
    this.frame.src = path;
    addEventListener('message', this.#hear);
    document.body.append(this.frame);
  }

  postMessage(message: unknown): void {
    this.frame.contentWindow?.postMessage(message, '*');
  }

  onDidReceiveMessage(listener: (message: unknown) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Waits until the page has these words. */
  async shows(words: string): Promise<void> {
    await until(
      () => {
        this.postMessage({ ask: true });
        return this.last.answer?.includes(words);
      },
      `the page shows ${words}; it says: ${this.problems.join(', ')}`,
    );
  }

  close(): void {
    removeEventListener('message', this.#hear);
    this.frame.remove();
  }
}

async function session(): Promise<{ readonly gateway: string; readonly address: string; write(...events: object[]): Promise<void> }> {
  const { url: gateway } = (await (await fetch('/gateway.json')).json()) as { url: string };
  const name = `webview-${crypto.randomUUID()}`;
  const address = `${gateway}/v1/sessions/${name}`;
  const write = async (...events: object[]): Promise<void> => {
    const body = JSON.stringify(events.map((event) => ({ session: name, at: Date.now(), ...event })));
    await fetch(`${address}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
  await write(
    { type: 'session', title: 'Nightly build' },
    { type: 'run', run: 'r', state: 'running', startedAt: Date.now() },
    { type: 'card', run: 'r', revision: 1, card: { plan: [{ step: 'Compile', status: 'in_progress' }], markdown: '**Two** are left.' } },
    { type: 'operation', id: 'a', run: 'r', state: 'running', title: 'Build', current: 42, total: 100, unit: 'files', cancellable: true },
  );
  return { gateway, address, write };
}

describe('the page of a webview', () => {
  it('shows a session that the extension reads, and breaks no rule of its policy', async () => {
    const { address, write } = await session();
    const page = new Sandboxed('/webview/page.html');
    const cancelled: Cancelled[] = [];
    const end = serveWebview(page, createSseSource({ url: `${address}/stream` }), (operation) => cancelled.push(operation));
    await page.shows('42 of 100 files');
    expect(page.last.origin).to.equal('null');
    await write({ type: 'operation', id: 'a', run: 'r', current: 77 });
    await page.shows('77 of 100 files');
    await page.shows('Two are left.');
    expect(page.last.surface).to.equal('rgb(12, 34, 56)');
    page.postMessage({ click: 'cancel' });
    await until(() => cancelled.length > 0, 'somebody asks to cancel');
    expect(cancelled).to.deep.equal([{ id: 'a', run: 'r' }]);
    end();
    expect(page.problems).to.deep.equal([]);
    page.close();
  });
});

describe('a card in a frame of somebody else', () => {
  it('follows its session, tells how high it is, and breaks no rule of its policy', async () => {
    const { gateway, address, write } = await session();
    const page = new Sandboxed(`/webview/embed.html?gateway=${encodeURIComponent(gateway)}&src=${encodeURIComponent(address)}`);
    page.frame.style.height = '10px';
    const end = fitHeight(page.frame);
    await page.shows('42 of 100 files');
    await until(() => page.frame.offsetHeight > 100, 'the frame is as high as the card');
    await page.shows('Two are left.');
    const before = page.frame.offsetHeight;
    await write(...['b', 'c', 'd'].map((id) => ({ type: 'operation', id, run: 'r', state: 'running', title: `Part ${id}` })));
    await until(() => page.frame.offsetHeight > before + 50, 'it grows with the card');
    // Whoever else says so is not heard.
    postMessage({ sitrepHeight: 5 }, '*');
    page.postMessage({ ask: true });
    await page.shows('Part d');
    expect(page.frame.offsetHeight).to.be.above(before);
    end();
    expect(page.problems).to.deep.equal([]);
    page.close();
  });
});
