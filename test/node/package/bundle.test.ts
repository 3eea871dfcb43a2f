import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { build } from 'esbuild';
import { root } from '../structure/source-graph.ts';

/** Bundles one import statement as an application would, and answers which packages' files came along. */
async function bundle(code: string): Promise<{ text: string; inputs: string[] }> {
  const result = await build({
    stdin: { contents: code, resolveDir: join(root, 'test'), loader: 'ts' },
    bundle: true,
    format: 'esm',
    minify: true,
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const entry = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint === '<stdin>')!;
  // What is loaded at once: the entry and everything it imports statically.
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const item of result.metafile.outputs[path]!.imports) if (item.kind === 'import-statement') visit(item.path);
  };
  visit(entry[0]);
  const inputs = [...seen].flatMap((path) =>
    Object.entries(result.metafile.outputs[path]!.inputs)
      .filter(([, part]) => part.bytesInOutput > 0)
      .map(([input]) => input),
  );
  const text = result.outputFiles
    .filter((file) => [...seen].some((path) => file.path.endsWith(path)))
    .map((file) => file.text)
    .join('\n');
  return { text, inputs };
}
const has = (inputs: string[], name: string) => inputs.some((input) => input.includes(`/${name}/`));

describe('what a bundler makes of the elements', () => {
  it('never brings TypeBox into a page, nor Markdown before a note needs it', async () => {
    const { inputs } = await bundle(`import '@sitrep/elements/define';`);
    assert.ok(has(inputs, 'lit-element') || has(inputs, 'lit'), 'Lit is there');
    for (const name of ['typebox', 'marked', 'dompurify']) assert.ok(!has(inputs, name), `${name} is loaded at once`);
  });

  it('registers all four tags for the define entry', async () => {
    const { text } = await bundle(`import '@sitrep/elements/define';`);
    for (const tag of ['status-pill', 'tool-progress', 'progress-card', 'progress-provider']) assert.ok(text.includes(tag), tag);
  });

  it('registers nothing when only a class is imported', async () => {
    const { text } = await bundle(`import { StatusPill } from '@sitrep/elements'; console.log(StatusPill);`);
    assert.ok(!text.includes('customElements.define') && !/\.define\(["']status-pill/.test(text));
  });

  it('brings neither source nor store along with a class that is fed by property', async () => {
    const { inputs } = await bundle(`import { ToolProgress } from '@sitrep/elements/tool-progress'; console.log(ToolProgress);`);
    assert.ok(!has(inputs, 'eventsource-parser'));
  });

  for (const entry of ['', '/check', '/reduce', '/select', '/translate', '/dialect']) {
    it(`keeps @sitrep/schema${entry} free of TypeBox`, async () => {
      const { inputs } = await bundle(`import * as schema from '@sitrep/schema${entry}'; console.log(schema);`);
      assert.ok(inputs.length > 0 && !has(inputs, 'typebox'));
    });
  }
});
