import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createMemorySink } from '@sitrep/harness/sink';
import type { MemorySink } from '@sitrep/harness/sink';
import { createReporter } from '@sitrep/harness/reporter';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import type { McpTap } from '@sitrep/harness/mcp';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent } from '@sitrep/schema/wire';

/** Path of an installed package's command, as its package.json names it. */
function binOf(name: string): string {
  const manifest = findManifest(name);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
  const file = typeof bin === 'string' ? bin : Object.values(bin)[0];
  assert.ok(file !== undefined);
  return join(dirname(manifest), file);
}

function findManifest(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    const file = join(folder, name, 'package.json');
    try {
      readFileSync(file);
      return file;
    } catch {
      // Not in this one.
    }
  }
  throw new Error(`${name} is not installed.`);
}

async function connect(args: readonly string[], onProgress?: () => void) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' });
  const sink = createMemorySink();
  const tap = tapMcpTransport(transport, { sink, session: 's', run: 'r', throttleMs: 0, onProgress });
  const client = new Client({ name: 'test', version: '1' });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return { client, tap, sink, errors };
}

const reduced = (sink: MemorySink): SessionIndex => {
  const index = new SessionIndex('s');
  for (const event of sink.events) index.apply(event);
  return index;
};

describe('a real third-party server over stdio', () => {
  let client: Client;
  let tap: McpTap<StdioClientTransport>;
  let sink: MemorySink;

  let onProgress = (): void => {};

  before(
    async () => ({ client, tap, sink } = await connect([binOf('@modelcontextprotocol/server-everything'), 'stdio'], () => onProgress())),
  );
  after(() => client.close());

  it('two identical calls at once are two operations, each with its own progress and end', async () => {
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => /long-?running/i.test(name));
    assert.ok(tool !== undefined);
    const own: unknown[] = [];
    const args = { name: tool.name, arguments: { duration: 0.6, steps: 3 } };
    await createReporter({ sink, session: 's', run: 'r', id: 'turn', title: 'Turn' }).track(() =>
      Promise.all([client.callTool(args), client.callTool(args, undefined, { onprogress: (update) => own.push(update) })]),
    );
    const operations = [...reduced(sink).operations.values()].filter(({ id }) => id !== 'turn');
    assert.equal(operations.length, 2);
    assert.notEqual(operations[0]?.id, operations[1]?.id);
    for (const { id, state, current, total, parent, tool: named, title } of operations) {
      assert.deepEqual([state, current, total, parent, named?.origin, title], ['completed', 3, 3, 'turn', 'mcp', tool.name]);
      assert.ok(named?.server !== undefined && named.server !== '');
      const amounts = (sink.events as readonly OperationEvent[])
        .filter((event) => event.id === id && typeof event.current === 'number')
        .map(({ current: amount }) => amount);
      assert.deepEqual(amounts, [1, 2, 3]);
    }
    assert.deepEqual([tap.counts.calls, tap.counts.progress, tap.counts.open, tap.counts.nonRising], [2, 6, 0, 0]);
  });

  it('a tool that reports nothing completes without an amount', async () => {
    const known = sink.events.length;
    await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
    const events = sink.events.slice(known) as readonly OperationEvent[];
    assert.deepEqual(
      events.map(({ state }) => state),
      ['running', 'completed'],
    );
    for (const event of events) assert.ok(!('current' in event) && !('total' in event) && !('fraction' in event));
  });

  it('an aborted call is cancelled at once and the connection goes on', async () => {
    const { tools } = await client.listTools();
    const name = tools.find((tool) => /long-?running/i.test(tool.name))?.name ?? '';
    const abort = new AbortController();
    const underWay = new Promise<void>((resolve) => (onProgress = resolve));
    const call = client.callTool({ name, arguments: { duration: 20, steps: 100 } }, undefined, { signal: abort.signal });
    await underWay;
    abort.abort('stopped');
    await assert.rejects(call);
    assert.equal((sink.events.at(-1) as OperationEvent).state, 'cancelled');
    await client.callTool({ name: 'echo', arguments: { message: 'still here' } });
    assert.equal((sink.events.at(-1) as OperationEvent).state, 'completed');
  });

  it('calls that are open when the server goes away are interrupted', async () => {
    const { client: other, sink: events } = await connect([binOf('@modelcontextprotocol/server-everything'), 'stdio']);
    const { tools } = await other.listTools();
    const call = other.callTool({
      name: tools.find((tool) => /long-?running/i.test(tool.name))?.name ?? '',
      arguments: { duration: 20, steps: 2 },
    });
    const pid = (other.transport as StdioClientTransport).pid;
    assert.ok(pid !== null);
    process.kill(pid, 'SIGKILL');
    await assert.rejects(call);
    assert.deepEqual(
      [(events.events.at(-1) as OperationEvent).state, (events.events.at(-1) as OperationEvent).reason],
      ['interrupted', 'transport_closed'],
    );
    await other.close();
  });
});

describe('a server that writes progress and response at once', () => {
  const server = join(import.meta.dirname, 'support', 'burst-server.ts');

  it('loses nothing in the tap, in one call or in two identical ones at once', async () => {
    const { client, tap, sink } = await connect([server]);
    try {
      const seen: unknown[] = [];
      await client.callTool({ name: 'burst', arguments: { steps: 4 } }, undefined, { onprogress: (update) => seen.push(update) });
      assert.equal(tap.counts.progress, 4);
      assert.ok(seen.length <= 4);
      await Promise.all([1, 2].map(() => client.callTool({ name: 'burst', arguments: { steps: 50 } })));
      assert.equal(tap.counts.progress, 104);
      const operations = [...reduced(sink).operations.values()];
      assert.deepEqual(
        operations.map(({ state, current, total, message, tool }) => [state, current, total, message, tool?.server]),
        [
          ['completed', 4, 4, 'step 4', 'burst'],
          ['completed', 50, 50, 'step 50', 'burst'],
          ['completed', 50, 50, 'step 50', 'burst'],
        ],
      );
    } finally {
      await client.close();
    }
  });

  it('gets the caller’s own _meta beside the token, and the client hears of no error', async () => {
    const { client, errors, sink } = await connect([server]);
    try {
      const { content } = (await client.callTool({ name: 'burst', arguments: {}, _meta: { trace: 'abc' } })) as unknown as {
        content: [{ text: string }];
      };
      const meta = JSON.parse(content[0].text) as Record<string, unknown>;
      assert.deepEqual([meta['trace'], typeof meta['progressToken']], ['abc', 'string']);
      await client.callTool({ name: 'broken' });
      assert.deepEqual(
        [(sink.events.at(-1) as OperationEvent).reason, (sink.events.at(-1) as OperationEvent).error?.message],
        ['tool_error', 'It broke'],
      );
      await client.callTool({ name: 'silent' });
      assert.equal((sink.events.at(-1) as OperationEvent).state, 'completed');
      assert.deepEqual(errors, []);
    } finally {
      await client.close();
    }
  });
});
