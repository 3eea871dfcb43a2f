import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';
import { root } from '../structure/source-graph.ts';

/** What an application of its own would load: the elements as a build of this version. */
async function bundle(contents: string, version: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, 'test') },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'version',
        setup({ onLoad }) {
          onLoad({ filter: /display\/version\.js$/ }, () => ({ contents: `export const VERSION = '${version}';` }));
        },
      },
    ],
  });
  return outputFiles[0]!.text;
}

const OPERATION = { id: 'build', attempt: 1, state: 'running', title: 'Build project', current: 42, total: 100, updatedAt: 0 };

describe('registration', () => {
  let browser: Browser;
  let page: Page;
  const said: string[] = [];

  before(async () => {
    browser = await chromium.launch({ executablePath: findBrowsers().chromium!, args: chromiumArgs });
  });
  after(() => browser?.close());

  /** A page with these scripts, one after the other. */
  async function open(...scripts: string[]): Promise<void> {
    said.length = 0;
    page = await browser.newPage();
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`error: ${error.message}`));
    await page.setContent('<!doctype html><title>Registration</title>');
    for (const content of scripts) await page.addScriptTag({ content });
  }

  it('leaves the tags of an older version to it, defines those it lacks, and says so once', { timeout: 120_000 }, async () => {
    const older = await bundle(`import '@sitrep/elements/define/progress-card';`, '1.2.3');
    const newer = await bundle(`import '@sitrep/elements/define'; window.newer = true;`, '1.3.0');
    await open(older, newer);
    assert.ok(await page.evaluate(() => 'newer' in window && !!customElements.get('progress-provider')), 'what is left of the newer runs');
    assert.equal(said.length, 1, said.join('\n'));
    assert.match(said[0]!, /^warning: .*1\.2\.3.*1\.3\.0/);
    const title = await page.evaluate(async (operation) => {
      const card = Object.assign(document.createElement('progress-card'), { operations: [operation], open: true });
      document.body.append(card);
      await card.updateComplete;
      const row = card.shadowRoot!.querySelector('tool-progress')!;
      await row.updateComplete;
      return row.shadowRoot!.querySelector('#title')!.textContent;
    }, OPERATION);
    assert.equal(title, 'Build project');
  });

  it('says nothing of the same version twice', { timeout: 120_000 }, async () => {
    const code = await bundle(`import '@sitrep/elements/define';`, '1.3.0');
    await open(code, code);
    assert.deepEqual(said, []);
  });

  it('lets a shadow root have the elements by a registry of its own, nested ones included', { timeout: 120_000 }, async () => {
    await open(
      await bundle(
        `import * as elements from '@sitrep/elements'; window.elements = elements; import '@sitrep/elements/define/connector';`,
        '1.3.0',
      ),
    );
    const drawn = await page.evaluate(async (operation) => {
      const { elements } = window as unknown as { elements: typeof import('@sitrep/elements') };
      class Foreign extends HTMLElement {}
      customElements.define('tool-progress', Foreign);
      const registry = new CustomElementRegistry();
      for (const [tag, one] of [
        ['progress-card', elements.ProgressCard],
        ['tool-progress', elements.ToolProgress],
        ['status-pill', elements.StatusPill],
      ] as const)
        registry.define(tag, one);
      const host = document.createElement('div');
      const shadow = host.attachShadow({ mode: 'open', customElementRegistry: registry } as ShadowRootInit);
      document.body.append(host);
      shadow.innerHTML = '<progress-card open></progress-card><status-pill state="running"></status-pill>';
      const card = shadow.querySelector('progress-card')!;
      card.operations = [operation, { ...operation, id: 'part', parent: 'build', title: 'A part of it' }] as never;
      await card.updateComplete;
      const row = card.shadowRoot!.querySelector('tool-progress')!;
      row.open = true;
      await row.updateComplete;
      const nested = row.shadowRoot!.querySelector('tool-progress')!;
      await nested.updateComplete;
      return [row, nested].map((one) => [one instanceof elements.ToolProgress, one.shadowRoot?.querySelector('#title')?.textContent]);
    }, OPERATION);
    assert.deepEqual(drawn, [
      [true, 'Build project'],
      [true, 'A part of it'],
    ]);
    assert.deepEqual(said, []);
    const answered = await page.evaluate(async () => {
      const shadow = document.querySelector('div')!.shadowRoot!;
      const card = shadow.querySelector('progress-card')!;
      Object.assign(card, { operations: undefined, src: 'data:application/json,{}' });
      for (;;) {
        const problem = card.shadowRoot!.querySelector('[part=problem] bdi')?.textContent;
        if (problem) return problem;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
    assert.match(answered, /session/);
  });

  it('draws every element of ours inside another of ours by the registry of that one', { timeout: 120_000 }, async () => {
    await open(
      await bundle(
        `import * as elements from '@sitrep/elements'; window.elements = elements; import '@sitrep/elements/define/connector';`,
        '1.3.0',
      ),
    );
    const manifest = JSON.parse(readFileSync(join(root, 'packages/elements/custom-elements.json'), 'utf8')) as {
      modules: { declarations?: { tagName?: string; name: string }[] }[];
    };
    const tags = manifest.modules.flatMap(({ declarations = [] }) =>
      declarations.flatMap(({ tagName, name }) => (tagName ? [[tagName, name]] : [])),
    );
    const missing = await page.evaluate(async (pairs) => {
      const { elements } = window as unknown as { elements: Record<string, CustomElementConstructor> };
      const registry = new CustomElementRegistry();
      for (const [tag, name] of pairs) registry.define(tag!, elements[name!]!);
      const host = document.createElement('div');
      const shadow = host.attachShadow({ mode: 'open', customElementRegistry: registry } as ShadowRootInit);
      document.body.append(host);
      shadow.innerHTML = '<progress-board></progress-board><progress-surface></progress-surface><progress-widget></progress-widget>';
      const card = { revision: 1, card: { plan: [{ step: 'Build', status: 'in_progress' }] } };
      Object.assign(shadow.querySelector('progress-board')!, { sessions: ['data:application/json,{}'] });
      Object.assign(shadow.querySelector('progress-surface')!, { card });
      const all = (at: ParentNode): Element[] =>
        [...at.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
      for (;;) {
        const ours = all(shadow).filter(({ localName }) => pairs.some(([tag]) => tag === localName));
        const wrong = ours.filter((one) => !(one instanceof registry.get(one.localName)!)).map(({ localName }) => localName);
        const inside = ours.filter((one) => one.getRootNode() !== shadow).map(({ localName }) => localName);
        if (wrong.length > 0 || (inside.includes('progress-widget') && inside.includes('progress-card'))) return wrong;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, tags);
    assert.deepEqual(missing, []);
  });
});
