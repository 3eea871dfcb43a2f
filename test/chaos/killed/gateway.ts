import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../support/free-port.ts';
import { killNow } from '../../support/kill-now.ts';

const BIN = fileURLToPath(new URL('../../../packages/server/bin/sitrep.js', import.meta.url));

/** `sitrep serve` as a process that can be killed and started again, on one port and one store. */
export class GatewayProcess {
  readonly #store: string;
  readonly port: number;
  #child: ChildProcess | undefined;
  /** What it wrote to standard error, the end of it. */
  stderr = '';
  /** When it was last ready, epoch milliseconds. */
  readyAt = 0;

  private constructor(store: string, port: number) {
    this.#store = store;
    this.port = port;
  }

  static async start(store: string): Promise<GatewayProcess> {
    const gateway = new GatewayProcess(store, await freePort());
    await gateway.restart();
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts it, after ending the one there is without a warning. */
  async restart(): Promise<void> {
    await this.kill();
    const child = spawn(process.execPath, [BIN, 'serve', '--port', String(this.port), '--store', this.#store], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (text) => (this.stderr = (this.stderr + String(text)).slice(-4_000)));
    let out = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        out += String(text);
        if (out.includes('sitrep gateway at')) resolve();
      });
      child.once('exit', () => reject(new Error(`The gateway did not start: ${this.stderr}`)));
    });
    this.readyAt = Date.now();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    await killNow(child);
  }
}
