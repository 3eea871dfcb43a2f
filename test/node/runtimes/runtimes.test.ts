import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { NODE_ANSWERS } from './node-story.mjs';
import { EXPECTED_OPERATIONS, expectedAnswers, operationsOf } from './story.mjs';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));
const FILE = 'progress '.repeat(10_000);

const peers = createRequire(new URL('../../peers/package.json', import.meta.url));

/** The binary of a runtime, out of the package for this platform that its npm package depends on. */
function binaryOf(runtime: string, file: string): string {
  const entry = peers.resolve(`${runtime}/package.json`);
  const own = createRequire(entry);
  const wanted = Object.keys((own(entry) as { optionalDependencies: Record<string, string> }).optionalDependencies);
  for (const name of wanted) {
    try {
      const path = join(dirname(own.resolve(`${name}/package.json`)), file);
      if (existsSync(path)) return path;
    } catch {
      // Not for this platform.
    }
  }
  throw new Error(
    `${runtime} has no binary here: none of its packages (${wanted.join(', ')}) is installed for ${process.platform} ${process.arch}. Install one, or run this test on a platform it supports.`,
  );
}

const RUNTIMES: readonly { name: string; command: () => [string, ...string[]] }[] = [
  { name: 'node', command: () => [process.execPath] },
  { name: 'bun', command: () => [binaryOf('bun', process.platform === 'win32' ? 'bin/bun.exe' : 'bin/bun'), 'run'] },
  // What the story needs and nothing else.
  {
    name: 'deno',
    command: () => [
      binaryOf('deno', process.platform === 'win32' ? 'deno.exe' : 'deno'),
      'run',
      '--no-lock',
      '--allow-net=127.0.0.1',
      '--allow-read',
      '--allow-env',
    ],
  },
];

describe('the package under every runtime', () => {
  const gateway = createGateway({ store: createMemoryStore() });
  gateway.app.get('/file', (c) => c.body(FILE, 200, { 'content-length': String(FILE.length) }));
  gateway.app.post('/upload', async (c) =>
    c.json([(await c.req.arrayBuffer()).byteLength, (c.req.header('content-type') ?? '').toLowerCase().replaceAll(' ', '')]),
  );
  gateway.app.post('/form', async (c) => c.text(String((await c.req.formData()).get('name'))));
  // Begins and never ends.
  gateway.app.get('/slow', (c) =>
    c.body(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('begun')) })),
  );
  let url = '';
  before(async () => {
    ({ url } = await gateway.listen({ port: 0 }));
  });
  after(() => gateway.close());

  for (const { name, command } of RUNTIMES) {
    for (const worker of [false, true]) {
      it(`tells the same story in ${worker ? 'a worker of ' : ''}${name}, through a real gateway`, async () => {
        const session = `${name}-${worker}`;
        const [file, ...args] = command();
        const task = JSON.stringify({
          gateway: url,
          session,
          file: `${url}/file`,
          upload: `${url}/upload`,
          form: `${url}/form`,
          slow: `${url}/slow`,
          worker,
        });
        const { stdout } = await run(file, [...args, MAIN, task], {
          timeout: 110_000,
          env: { ...process.env, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
        });
        const { runtime, error, answers, beside } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
          runtime: string;
          error?: string;
          answers: unknown[];
          beside?: unknown[];
        };
        assert.equal(error, undefined);
        assert.match(runtime, new RegExp(`^${name} \\d`));
        assert.deepEqual(answers, expectedAnswers(true));
        if (!worker) assert.deepEqual(beside, NODE_ANSWERS);
        const snapshot: unknown = await (await fetch(`${url}/v1/sessions/${session}`)).json();
        assert.deepEqual(operationsOf(snapshot, FILE.length), EXPECTED_OPERATIONS);
      });
    }
  }

  it('says what is missing where a runtime has no binary', () => {
    assert.throws(
      () => binaryOf('bun', 'bin/no-such-file'),
      /bun has no binary here: none of its packages \(@oven\/bun-.*is installed for/,
    );
  });
});
