import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';

/** The `sitrep` command. */
export const BIN = fileURLToPath(new URL('../bin/sitrep.js', import.meta.url));

/** Milliseconds a command of a test may take. Then all that it started is ended, and the test fails on what it then is. */
const DEADLINE_MS = 100_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `sitrep` command. */
export class Cli {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  #wake: (() => void) | undefined;

  constructor(t: TestContext, args: readonly string[], options: SpawnOptions & { input?: string; keepInput?: boolean } = {}) {
    const { input, keepInput, env, ...rest } = options;
    this.child = spawn(process.execPath, [BIN, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what the command started can be ended with it: it may hold the pipes open.
      detached: true,
      env: { ...process.env, SITREP_URL: '', SITREP_SESSION: '', ...env },
      ...rest,
    });
    this.child.stdout?.on('data', (chunk) => {
      this.stdout += String(chunk);
      this.#wake?.();
    });
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += String(chunk);
      this.#wake?.();
    });
    if (!keepInput) this.child.stdin?.end(input);
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
        this.#wake?.();
      });
    });
    const deadline = setTimeout(() => this.#endAll(), DEADLINE_MS);
    t.after(() => {
      clearTimeout(deadline);
      this.#endAll();
    });
  }

  #endAll(): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  }

  /** Waits until the output matches. Rejects when the command ends before it does. */
  async output(pattern: RegExp, which: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      if (Date.now() > deadline) throw new Error(`no ${pattern} within ${DEADLINE_MS} ms: ${this.stdout}${this.stderr}`);
      const match = pattern.exec(this[which]);
      if (match) return match;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`ended without ${pattern}: ${this.stdout}${this.stderr}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 1_000).unref();
      });
    }
  }
}

/** Runs a command to its end. */
export const sitrep = (t: TestContext, args: readonly string[], options?: SpawnOptions & { input?: string }): Promise<Ended> =>
  new Cli(t, args, options).ended;

/** Starts `sitrep serve` and waits for its address. */
export async function startServe(t: TestContext, args: readonly string[]): Promise<{ readonly cli: Cli; readonly url: string }> {
  const cli = new Cli(t, ['serve', ...args]);
  const match = await cli.output(/gateway at (\S+) \(store: /);
  return { cli, url: match[1] as string };
}
