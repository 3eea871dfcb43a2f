import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killNow } from '../../support/kill-now.ts';

const SITREP = fileURLToPath(new URL('../../../packages/server/bin/sitrep.js', import.meta.url));
/** Milliseconds a gateway may take to begin. */
const DEADLINE_MS = 60_000;

/** One `sitrep serve` over a shared store: a process of its own, that may be killed, stopped and started again. */
export class GatewayNode {
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;
  #port = 0;
  /** What it said on standard error, in all its lives. */
  readonly log: string[] = [];

  private constructor(store: string, limits: Readonly<Record<string, number>>) {
    this.#args = ['serve', '--store', store, ...Object.entries(limits).flatMap(([name, value]) => ['--limit', `${name}=${value}`])];
  }

  static async start(store: string, limits: Readonly<Record<string, number>> = {}): Promise<GatewayNode> {
    const node = new GatewayNode(store, limits);
    await node.begin();
    return node;
  }

  /** The port it listens on; the same in all its lives. */
  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async begin(): Promise<void> {
    const child = spawn(process.execPath, [SITREP, ...this.#args, '--port', String(this.#port)], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.log.push(...text.trim().split('\n')));
    let said = '';
    const late = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    try {
      for await (const text of child.stdout.setEncoding('utf8')) {
        said += String(text);
        const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
        if (port === undefined) continue;
        this.#port = Number(port);
        child.stdout.resume();
        return;
      }
    } finally {
      clearTimeout(late);
    }
    throw new Error(`A gateway did not begin: ${this.log.slice(-3).join(' ')}`);
  }

  /** Ends at once, whatever it is doing. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    await killNow(child);
  }

  /** Stands still. */
  stop(): void {
    this.#process?.kill('SIGSTOP');
  }

  go(): void {
    this.#process?.kill('SIGCONT');
  }
}
