import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findServers } from '../../../scripts/servers.mjs';
import { freePort } from '../../support/free-port.ts';
import { killNow } from '../../support/kill-now.ts';

/** Milliseconds a server may take to begin. */
const DEADLINE_MS = 100_000;

/** One command in the Redis protocol, and what comes back: a line, or a text. */
export function ask(port: number, ...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (data: string) => {
      text += data;
      if (!isWhole(text)) return;
      socket.destroy();
      resolve(text);
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  });
}

/** True once an answer is there: a line, or as many bytes as a first line that begins with `$` says; of nothing it says -1. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n');
  if (end < 0) return false;
  const length = text.startsWith('$') ? Number(text.slice(1, end)) : -1;
  return length < 0 || Buffer.byteLength(text) >= end + 4 + length;
}

/** A Redis server of a test: its own process, folder and port. */
export class RedisServer {
  readonly port: number;
  readonly #directory: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  constructor(port: number, settings: readonly string[]) {
    this.port = port;
    this.#settings = settings;
    this.#directory = mkdtempSync(join(tmpdir(), 'sitrep-redis-'));
  }

  /** Starts one that loses nothing it acknowledged, unless settings say otherwise. */
  static async start(...settings: string[]): Promise<RedisServer> {
    for (let tries = 0; ; tries += 1) {
      const server = new RedisServer(await freePort(), settings);
      try {
        await server.begin();
        return server;
      } catch (error) {
        await server.remove();
        // Somebody else may have taken the port meanwhile.
        if (tries === 4) throw error;
      }
    }
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  /** Begins, or begins again with what was kept. */
  async begin(): Promise<void> {
    const { redis } = findServers();
    if (redis === undefined) throw new Error('Tests of the Redis store need redis-server 7. Install it, or name it in REDIS_SERVER.');
    const child = spawn(
      redis,
      // prettier-ignore
      ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#directory, '--appendonly', 'yes', '--appendfsync', 'always', '--save', '', ...this.#settings],
      { stdio: 'ignore' },
    );
    this.#process = child;
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      if (performance.now() > deadline) throw new Error(`redis-server did not answer within ${DEADLINE_MS} ms`);
      if ((await ask(this.port, 'PING').catch(() => '')).startsWith('+PONG')) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Asks one thing over a connection of its own. */
  ask(...words: string[]): Promise<string> {
    return ask(this.port, ...words);
  }

  /** Ends at once, like a machine that fails. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    await killNow(child);
  }

  /** Stands still: connections stay, nothing is answered. */
  stop(): void {
    this.#process?.kill('SIGSTOP');
  }

  go(): void {
    this.#process?.kill('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
