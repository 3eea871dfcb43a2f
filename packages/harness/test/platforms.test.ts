import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';

const dist = dirname(fileURLToPath(import.meta.resolve('@sitrep/harness')));

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    globalName: 'out',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

describe('outside Node', () => {
  it('only the async context of Node and the meter of its streams import anything of Node', () => {
    const importing = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.js') && /from ['"]node:|require\(/.test(readFileSync(join(dist, file), 'utf8')),
    );
    assert.deepEqual(importing.map((file) => file.replaceAll('\\', '/')).toSorted(), [
      'context/async-context.node.js',
      'meter/node-stream.js',
    ]);
  });

  it('every entry bundles for a browser without Node, without the MCP SDK and without TypeBox', async () => {
    for (const entry of [
      '@sitrep/harness',
      '@sitrep/harness/reporter',
      '@sitrep/harness/mcp',
      '@sitrep/harness/tools',
      '@sitrep/harness/sink',
      '@sitrep/harness/meter',
      '@sitrep/harness/native',
      '@sitrep/harness/openai',
      '@sitrep/harness/anthropic',
      '@sitrep/harness/langchain',
    ]) {
      const text = await bundle(`export * from '${entry}';`);
      assert.ok(text.length > 1000);
      assert.doesNotMatch(text, /node:async_hooks|node_modules\/(?:@modelcontextprotocol|typebox)/);
    }
  });

  it('a bundle runs on a bare engine: ids without crypto, nesting up to the first await, children by hand after it', async () => {
    const script = await bundle(`
      import { createReporter, currentReporter, createMemorySink } from '@sitrep/harness';
      export async function story() {
        const sink = createMemorySink();
        const base = { sink, session: 's', throttleMs: 0 };
        const found = [];
        await createReporter({ ...base, title: 'outer' }).track(async (outer) => {
          createReporter({ ...base, title: 'inner' });
          found.push(currentReporter() === outer);
          await Promise.resolve();
          found.push(currentReporter() === undefined);
          outer.child({ title: 'by hand' });
        });
        return JSON.stringify({ found, events: sink.events });
      }`);
    const context = createContext({});
    runInContext(script, context);
    const { found, events } = JSON.parse((await runInContext('out.story()', context)) as string) as {
      found: boolean[];
      events: { title?: string; id: string; parent?: string }[];
    };
    assert.deepEqual(found, [true, true]);
    const outer = events.find(({ title }) => title === 'outer');
    assert.match(outer?.id ?? '', /^op-/);
    assert.deepEqual(
      events.filter(({ parent }) => parent === outer?.id).map(({ title }) => title),
      ['inner', 'by hand'],
    );
  });
});
