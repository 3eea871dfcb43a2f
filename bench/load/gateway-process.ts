/** The real `sitrep serve` in a process of its own, with a probe in it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ProbeAnswer, Used } from './probe.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/sitrep.js', import.meta.url));
const PROBE = new URL('probe.ts', import.meta.url).href;

export class GatewayProcess {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (used: Used) => void>();
  #probe = 0;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
    this.pid = child.pid as number;
    child.on('message', (answer: ProbeAnswer) => {
      this.#waiting.get(answer.probe)?.(answer);
      this.#waiting.delete(answer.probe);
    });
  }

  /** Starts one on a free port. `store` as on the command line; `limits` are `name=number`. */
  static start(store: string, limits: readonly string[]): Promise<GatewayProcess> {
    const args = ['serve', '--port', '0', '--store', store, ...limits.flatMap((limit) => ['--limit', limit])];
    const child = spawn(process.execPath, ['--expose-gc', '--import', PROBE, BIN, ...args], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`sitrep serve ended with code ${code} before it listened`)));
      child.stdout?.on('data', (text: Buffer) => {
        const port = /gateway at http:\/\/127\.0\.0\.1:(\d+)/.exec(String(text))?.[1];
        if (port) resolve(new GatewayProcess(child, Number(port)));
      });
    });
  }

  /** What it has used; with `collect`, after the collector has run. */
  used(collect: boolean): Promise<Used> {
    const probe = (this.#probe += 1);
    return new Promise((resolve) => {
      this.#waiting.set(probe, resolve);
      this.#child.send({ probe, collect });
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGINT');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(timer);
  }
}
