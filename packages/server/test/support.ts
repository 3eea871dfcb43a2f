import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { request } from 'node:http';
import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import type { TestContext } from 'node:test';
import { createGateway } from '@sitrep/server';
import type { Clock, Gateway, GatewayOptions } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import type { Store } from '@sitrep/server/store';

/** A clock that stands still until it is told to move. */
export class TestClock implements Clock {
  time = 1_700_000_000_000;
  #tasks: { every: number; next: number; run: () => void }[] = [];
  now(): number {
    return this.time;
  }
  every(ms: number, run: () => void): () => void {
    const task = { every: ms, next: this.time + ms, run };
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task);
    };
  }
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = this.#tasks.filter(({ next }) => next <= end).sort((a, b) => a.next - b.next)[0];
      if (!due) break;
      this.time = due.next;
      due.next += due.every;
      due.run();
    }
    this.time = end;
  }
  /** Lets time pass in which nothing runs; what was due then is due at once. */
  sleep(ms: number): void {
    this.time += ms;
    for (const task of this.#tasks) task.next = Math.max(task.next, this.time);
  }
  /** Moves what is due along with a clock that was set. */
  shift(ms: number): void {
    for (const task of this.#tasks) task.next += ms;
  }
}

export interface Served {
  readonly gateway: Gateway;
  readonly url: string;
  readonly clock: TestClock;
  readonly log: string[];
}

/** A gateway that listens on a free port and is closed after the test. */
export async function serve(t: TestContext, options: Partial<GatewayOptions> = {}): Promise<Served> {
  const clock = new TestClock();
  const log: string[] = [];
  const gateway = createGateway({
    clock,
    log: (line) => log.push(line),
    ...options,
    store: timeless(options.store ?? createMemoryStore()),
  });
  const { url } = await gateway.listen({ port: 0 });
  t.after(() => gateway.close());
  return { gateway, url, clock, log };
}

/** A store that leaves the time to the clock of the test. */
export function timeless(store: Store): Store {
  const { leases } = store;
  return leases?.time ? { ...store, leases: { ...leases, time: undefined } } : store;
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers are read by tests that know what they asked for
type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
  readonly text: string;
}

/** One request with full control of its headers (fetch would not let a test set Host or Origin). */
export function http(url: string, options: RequestOptions & { body?: string | Buffer | undefined } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { body, ...rest } = options;
    const outgoing = request(url, { agent: false, ...rest }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const json = String(response.headers['content-type']).startsWith('application/json') && text !== '';
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: json ? JSON.parse(text) : undefined });
      });
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const send = (method: string, url: string, value: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  http(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof value === 'string' ? value : JSON.stringify(value),
  });
export const post = (url: string, value: unknown, headers?: Record<string, string>): Promise<Answer> => send('POST', url, value, headers);
export const put = (url: string, value: unknown, headers?: Record<string, string>): Promise<Answer> => send('PUT', url, value, headers);

/** Milliseconds a test waits for one frame, or for the end of a stream. */
const DEADLINE_MS = 100_000;

export interface Frame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Json;
}

/** The frames with data in the text of a stream that ends with one. */
export function framesOf(text: string): Frame[] {
  return text.split('\n\n').flatMap((part) => {
    const fields = new Map(part.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
    const data = fields.get('data');
    return data === undefined ? [] : [{ id: fields.get('id'), event: fields.get('event') ?? 'message', data: JSON.parse(data) }];
  });
}

/** A reader of a stream that waits for frames instead of for time. */
export class StreamReader {
  readonly frames: Frame[] = [];
  headers: IncomingHttpHeaders = {};
  status = 0;
  ended = false;
  #text = '';
  #taken = 0;
  #wake: (() => void) | undefined;
  readonly close: () => void;

  constructor(url: string, headers: Record<string, string> = {}) {
    const outgoing = request(url, { agent: false, headers }, (response) => {
      this.status = response.statusCode ?? 0;
      this.headers = response.headers;
      response.setEncoding('utf8');
      response.on('data', (text: string) => this.#push(text));
      response.on('close', () => this.#end());
      this.#wake?.();
    });
    outgoing.on('error', () => this.#end());
    outgoing.end();
    this.close = () => outgoing.destroy();
  }

  /** The next frame; the one after that at the next call. Rejects when the stream ends first. */
  async next(): Promise<Frame> {
    await this.#until(() => this.frames.length > this.#taken);
    const frame = this.frames[this.#taken];
    if (!frame) throw new Error('the stream ended');
    this.#taken += 1;
    return frame;
  }

  /** Resolves when the stream is over. */
  async finished(): Promise<void> {
    await this.#until(() => this.ended);
  }

  async #until(ready: () => boolean): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    const timer = setTimeout(() => this.#wake?.(), DEADLINE_MS + 10);
    try {
      while (!ready() && !this.ended) {
        if (performance.now() > deadline) throw new Error(`nothing came within ${DEADLINE_MS} ms, after ${this.frames.length} frames`);
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #push(text: string): void {
    this.#text += text;
    const end = this.#text.lastIndexOf('\n\n') + 2;
    if (end > 1) {
      this.frames.push(...framesOf(this.#text.slice(0, end)));
      this.#text = this.#text.slice(end);
    }
    this.#wake?.();
  }

  #end(): void {
    this.ended = true;
    this.#wake?.();
  }
}

/** Opens a stream; closed after the test. */
export function stream(t: TestContext, url: string, headers?: Record<string, string>): StreamReader {
  const reader = new StreamReader(url, headers);
  t.after(() => reader.close());
  return reader;
}

/** A bare connection, for what no HTTP client would send. */
export function raw(t: TestContext, url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
      resolve(socket);
    });
    socket.on('error', reject);
    t.after(() => socket.destroy());
  });
}

/** Everything a connection answers until it closes. */
export async function rawAnswer(t: TestContext, url: string, text: string): Promise<string> {
  const socket = await raw(t, url, text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

export const operation = (id: string | number, more: Record<string, unknown> = {}) => ({ type: 'operation', id, ...more });
