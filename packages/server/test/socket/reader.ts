import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';

// oxlint-disable-next-line typescript/no-explicit-any -- messages are read by tests that know what they asked for
type Json = any;

/** Milliseconds a test waits for one message, or for the end. */
const DEADLINE_MS = 100_000;

/** A reader of a socket that waits for messages instead of for time. */
export class SocketReader {
  readonly messages: Json[] = [];
  readonly ws: WebSocket;
  /** Code and reason of the close; the status of a handshake that was refused. */
  closed: { readonly code: number; readonly reason: string } | undefined;
  status: number | undefined;
  answer = '';
  #taken = 0;
  #wake: (() => void) | undefined;

  constructor(url: string, protocols: readonly string[] = ['sitrep.v1'], options: ClientOptions = {}) {
    this.ws = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], options);
    this.ws.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)));
      this.#wake?.();
    });
    this.ws.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#wake?.();
    });
    this.ws.on('unexpected-response', (_, response) => {
      this.status = response.statusCode;
      response.on('data', (chunk) => (this.answer += String(chunk)));
      response.on('end', () => {
        this.closed = { code: 1_006, reason: '' };
        this.#wake?.();
      });
    });
    this.ws.on('error', () => {
      this.closed ??= { code: 1_006, reason: '' };
      this.#wake?.();
    });
  }

  /** The next message; the one after that at the next call. Rejects when the socket closes first. */
  async next(): Promise<Json> {
    await this.#until(() => this.messages.length > this.#taken);
    if (this.messages.length <= this.#taken) throw new Error(`closed with ${this.closed?.code} ${this.closed?.reason}`);
    this.#taken += 1;
    return this.messages[this.#taken - 1];
  }

  /** How it closed. */
  async end(): Promise<{ readonly code: number; readonly reason: string }> {
    await this.#until(() => this.closed !== undefined);
    return this.closed!;
  }

  async #until(ready: () => boolean): Promise<void> {
    const late = setTimeout(() => this.#wake?.(), DEADLINE_MS);
    const deadline = performance.now() + DEADLINE_MS;
    while (!ready() && this.closed === undefined) {
      if (performance.now() >= deadline) throw new Error(`nothing came within ${DEADLINE_MS} ms, after ${this.messages.length} messages`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    clearTimeout(late);
  }
}

/** Opens a socket; cut after the test. */
export function socket(t: TestContext, url: string, protocols?: readonly string[], options?: ClientOptions): SocketReader {
  const reader = new SocketReader(url, protocols, options);
  t.after(() => reader.ws.terminate());
  return reader;
}
