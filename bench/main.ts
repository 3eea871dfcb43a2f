// Runs the benchmark: node bench/main.ts [--only <item>[,<item>]] [--quick] [--json]
import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Item, Result } from './item.ts';
import { printed, recorded } from './report.ts';

const ITEMS = [
  'check',
  'check-csp',
  'reduce',
  'run',
  'stream',
  'slow-readers',
  'fan-out',
  'event-source',
  'durable',
  'render',
  'idle',
  'cold-start',
  'rows',
  'notes',
  'list',
  'size',
  'import',
] as const;

const usage = `usage: npm run bench -- [--only <item>[,<item>]] [--quick] [--json]
  items: ${ITEMS.join(', ')}
  --quick  fewer rounds and smaller inputs: seconds instead of minutes, rough ratios
  --json   also writes bench/results.json`;

interface Message {
  readonly result?: Result;
  readonly error?: string;
}

/** In the child: loads one item, runs it and sends what it measured. */
async function runHere(name: string, quick: boolean): Promise<void> {
  const { item } = (await import(`./items/${name}.ts`)) as { item: Item };
  const interactive = process.stderr.isTTY === true;
  const progress = (text: string) => {
    if (interactive) process.stderr.write(`\r\x1b[K  ${text}`);
  };
  try {
    const result = await item.run({ quick, progress });
    progress('');
    process.send!({ result } satisfies Message, () => process.exit(0));
  } catch (error) {
    process.send!({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) } satisfies Message, () =>
      process.exit(1),
    );
  }
}

/** In the parent: one item in a fresh process. */
function runApart(name: string, quick: boolean): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ['--here', name, ...(quick ? ['--quick'] : [])], {
      execArgv: ['--max-old-space-size=4096', '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
    });
    let message: Message | undefined;
    child.on('message', (value) => (message = value as Message));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (message?.result) resolve(message.result);
      else reject(new Error(message?.error ?? `the item ended with code ${code} and without a result`));
    });
  });
}

const { values } = (() => {
  try {
    return parseArgs({
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        here: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
})();

if (values.help) {
  console.log(usage);
} else if (values.here !== undefined) {
  await runHere(values.here, values.quick);
} else {
  const asked = values.only?.split(',') ?? [...ITEMS];
  const unknown = asked.filter((name) => !(ITEMS as readonly string[]).includes(name));
  if (unknown.length > 0) {
    console.error(`unknown item ${unknown.join(', ')}\n${usage}`);
    process.exit(2);
  }
  const record: Record<string, object> = {};
  let versions: Record<string, string> = { node: process.versions.node, v8: process.versions.v8 };
  let failed = 0;
  for (const name of asked) {
    console.log(`\n━━ ${name}`);
    const start = performance.now();
    try {
      const { tables, versions: more } = await runApart(name, values.quick);
      for (const table of tables) console.log(printed(table));
      console.log(`\n  ${((performance.now() - start) / 1000).toFixed(0)} s`);
      record[name] = Object.fromEntries(tables.map((table) => [table.title, recorded(table)]));
      versions = { ...versions, ...more };
    } catch (error) {
      failed++;
      console.error(`${name} failed: ${(error as Error).message}`);
    }
  }
  if (values.json) {
    const machine = { platform: process.platform, arch: process.arch, cpus: availableParallelism() };
    const whole = { date: new Date().toISOString().slice(0, 10), quick: values.quick, versions, machine, items: record };
    const file = new URL('results.json', import.meta.url);
    writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
    console.log(`\nwritten to bench/results.json`);
  }
  process.exit(failed > 0 ? 1 : 0);
}
