import { spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = ['schema', 'client', 'harness', 'server'] as const;
/** What of a package the tests read. */
const PARTS = ['package.json', 'dist', 'src', 'scripts', 'bin', 'fixtures', 'json', 'test', 'node_modules'];
/** What of the workspace's own tests they read. */
const TEST_PARTS = ['package.json', 'node_modules', 'support', 'chaos', 'fuzz', 'node/chaos', 'node/faults'];
/**
 * Tests that hold the rules of each package, the quick ones first: most mutants go no further. Those of generated checks read
 * the sources of the generator.
 */
const SUITES: Readonly<Record<'schema' | 'client' | 'server', readonly (readonly string[])[]>> = {
  schema: [
    ['packages/schema/test/reduce/*', 'packages/schema/test/select/*', 'packages/schema/test/check/{text,lengths,limits,messages}'],
    ['packages/schema/test/dialect/fixtures'],
    ['packages/schema/test/dialect/{round-trip,given}'],
  ],
  client: [
    ['packages/client/test/store/{position,store,freshness,history,coalesce}', 'packages/client/test/relay/*'],
    ['test/node/chaos/model'],
  ],
  server: [
    ['packages/server/test/{gateway,events,card,store,limits,reset,idempotency,leases}'],
    ['packages/server/test/{stream,readers,model}'],
    ['test/node/chaos/model'],
  ],
};
/** After so many times what they take unharmed, a mutant that makes a loop endless counts as noticed: the tests do not end. */
const PATIENCE = 4;
/** Nor before so long: what a machine has time for varies. */
const LEAST_PATIENCE_MS = 60_000;
/** What one test may take that says nothing else: one that waits for ever has noticed. */
const TEST_MS = 30_000;
/** Without a mutant they end. */
const UNHARMED_MS = 900_000;

/** Milliseconds the tests of each package may take. */
export type Patience = Readonly<Record<string, number>>;

/** What the tests said of a mutant. */
export type Fate = { readonly killed: true; readonly by: string } | { readonly killed: false };

/**
 * A copy of the built workspace with its tests, for mutants to be tried in side by side. Packages find each other inside each
 * copy, so the tests run against the mutant, wherever it is.
 */
export class Nursery {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    for (const name of PACKAGES) copy(join('packages', name), folder, PARTS);
    copy('test', folder, TEST_PARTS);
    for (const name of ['package.json', 'node_modules']) symlinkSync(join(ROOT, name), join(folder, name));
  }

  /** Runs the tests as they are, and answers how many milliseconds those of each package may take with a mutant. Throws when they fail. */
  async tryUnharmed(): Promise<Patience> {
    const patience: Record<string, number> = {};
    for (const [name, suite] of Object.entries(SUITES)) {
      const began = performance.now();
      const fate = await this.#test(suite, UNHARMED_MS);
      if (fate.killed) throw new Error(`The tests fail without any mutant: ${fate.by}`);
      patience[name] = Math.max(LEAST_PATIENCE_MS, (performance.now() - began) * PATIENCE);
    }
    return patience;
  }

  /** Runs the tests with the mutant in place. Throws when the mutant does not fit the file. */
  async try(mutant: Mutant, patience: Patience): Promise<Fate> {
    const path = join(this.#folder, pathOf(mutant));
    const original = readFileSync(path, 'utf8');
    writeFileSync(path, mutated(original, mutant));
    try {
      const name = mutant.package ?? 'schema';
      return await this.#test(SUITES[name], patience[name] ?? LEAST_PATIENCE_MS);
    } finally {
      writeFileSync(path, original);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #test(suite: readonly (readonly string[])[], patienceMs: number): Promise<Fate> {
    for (const parts of suite) {
      const files = parts.flatMap((part) => globSync(`${part}.test.ts`, { cwd: this.#folder }));
      const fate = await this.#run(files, patienceMs);
      if (fate.killed) return fate;
    }
    return { killed: false };
  }

  #run(files: readonly string[], patienceMs: number): Promise<Fate> {
    const child = spawn(
      process.execPath,
      ['--test', '--test-reporter=tap', '--test-concurrency=1', `--test-timeout=${TEST_MS}`, ...files],
      {
        cwd: this.#folder,
        stdio: ['ignore', 'pipe', 'ignore'],
        // A counterexample is enough; nobody reads it here.
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, CHAOS_SHRINK: 'no' },
        detached: true,
      },
    );
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    return new Promise((resolve, reject) => {
      let output = '';
      let fate: Fate | undefined;
      const settle = (found: Fate): void => {
        fate ??= found;
        end();
      };
      const patience = setTimeout(() => settle({ killed: true, by: 'tests that do not end' }), patienceMs);
      child.stdout.on('data', (chunk) => {
        output += String(chunk);
        const [, name] = /^ *not ok \d+ - (.*)$/m.exec(output) ?? [];
        if (name !== undefined && fate === undefined) settle({ killed: true, by: name });
      });
      child.once('error', reject);
      child.once('close', (code) => {
        clearTimeout(patience);
        if (fate === undefined && code === 0 && !/^# pass [1-9]/m.test(output)) reject(new Error(`No test ran: ${output.slice(-500)}`));
        else resolve(fate ?? (code === 0 ? { killed: false } : { killed: true, by: `tests that end with ${code}` }));
      });
    });
  }
}

/** Says at once which mutants no longer fit the built package, before any test has run. */
export function assertFit(mutants: readonly Mutant[]): void {
  for (const mutant of mutants) mutated(readFileSync(join(ROOT, pathOf(mutant)), 'utf8'), mutant);
}

function copy(from: string, to: string, parts: readonly string[]): void {
  for (const part of parts) {
    const path = join(ROOT, from, part);
    // Links stay links, so that those between the packages lead to the copies.
    if (existsSync(path)) cpSync(path, join(to, from, part), { recursive: true, verbatimSymlinks: true });
  }
}

function pathOf(mutant: Mutant): string {
  return join('packages', mutant.package ?? 'schema', 'dist', mutant.file);
}

/** The file with the fault in it. */
export function mutated(original: string, { file, find, replace }: Mutant): string {
  const pattern = new RegExp(
    find
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .join('\\s+'),
    'g',
  );
  const found = original.match(pattern)?.length ?? 0;
  if (found !== 1) throw new Error(`${file} holds "${find}" ${found} times, not once: bring the mutant up to date.`);
  return original.replace(pattern, () => replace);
}
