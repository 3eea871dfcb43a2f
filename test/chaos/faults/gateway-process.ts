import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../../packages/server/bin/sitrep.js', import.meta.url));
/** Milliseconds a start may take. */
const START_MS = 60_000;

/** What may happen to the machine a gateway runs on. */
export const GATEWAY_FAULTS = ['killed', 'stopped', 'drained'] as const;
export type GatewayFault = (typeof GATEWAY_FAULTS)[number];

/** A `sitrep serve` that keeps its port and its store over any number of lives. */
export class GatewayProcess implements AsyncDisposable {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #said = '';
  /** Port of the first life, which all others take over. */
  #port = 0;

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  static async start(store: string, limits: Readonly<Record<string, number>>): Promise<GatewayProcess> {
    const gateway = new GatewayProcess([
      '--store',
      store,
      ...Object.entries(limits).flatMap(([name, value]) => ['--limit', `${name}=${value}`]),
    ]);
    await gateway.#start();
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Does it, and has it running again in the end. `ms` is how long it stands still or is away, or what that lasts as long as. */
  async suffer(fault: GatewayFault, ms: number | Promise<void>): Promise<void> {
    if (fault === 'stopped') {
      this.#child?.kill('SIGSTOP');
      await pause(ms);
      this.#child?.kill('SIGCONT');
      return;
    }
    this.#child?.kill(fault === 'killed' ? 'SIGKILL' : 'SIGTERM');
    await this.#ended;
    await pause(ms);
    await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  async #start(): Promise<void> {
    const child = spawn(process.execPath, [BIN, 'serve', '--port', String(this.#port), '--drain', '0.2', ...this.#args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#said = '';
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    child.stderr.on('data', (text) => (this.#said = (this.#said + String(text)).slice(-4_000)));
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      const late = setTimeout(() => reject(new Error(`The gateway did not begin within ${START_MS} ms. ${this.#said}`)), START_MS);
      child.stdout.on('data', (text) => {
        output += String(text);
        const [, found] = /gateway at (\S+) \(store: /.exec(output) ?? [];
        if (found !== undefined) {
          clearTimeout(late);
          resolve(found);
        }
      });
      child.once('close', () => {
        clearTimeout(late);
        reject(new Error(`The gateway ended before it began: ${output}${this.#said}`));
      });
    });
    this.#port = Number(new URL(url).port);
  }
}

const pause = (ms: number | Promise<void>): Promise<void> =>
  typeof ms === 'number' ? new Promise((resolve) => setTimeout(resolve, ms)) : ms;
