import type { TestContext } from 'node:test';
import { socket } from '../socket/reader.ts';
import type { SocketReader } from '../socket/reader.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- frames are read by tests that know what they asked for
type Json = any;

/** A client of OpenClaw's protocol, written from its published shapes: frames over a bare WebSocket, each key looked at. */
export class CardClient {
  readonly events: Json[] = [];
  readonly reader: SocketReader;
  readonly #answers = new Map<string, Json>();
  #asked = 0;

  constructor(reader: SocketReader) {
    this.reader = reader;
  }

  /** Sends a request; its answer. Events that come before are kept. */
  async ask(method: string, params?: unknown): Promise<Json> {
    this.#asked += 1;
    return this.send({ type: 'req', id: `r${this.#asked}`, method, params });
  }

  async send(frame: { readonly id: string; readonly [key: string]: unknown }): Promise<Json> {
    this.reader.ws.send(JSON.stringify(frame));
    return this.answer(frame.id);
  }

  async answer(id: string): Promise<Json> {
    while (!this.#answers.has(id)) await this.#read();
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    return answer;
  }

  /** The next event of this name. */
  async event(name: string): Promise<Json> {
    for (;;) {
      const at = this.events.findIndex(({ event }) => event === name);
      if (at >= 0) return this.events.splice(at, 1)[0];
      await this.#read();
    }
  }

  async #read(): Promise<void> {
    const frame = await this.reader.next();
    const keys = Object.keys(frame);
    const known = frame.type === 'res' ? ['type', 'id', 'ok', 'payload', 'error'] : ['type', 'event', 'payload', 'seq'];
    if (!keys.every((key) => known.includes(key))) throw new Error(`a frame of another shape: ${JSON.stringify(frame)}`);
    if (frame.type === 'res') {
      if (frame.ok !== 'payload' in frame || frame.ok === 'error' in frame) throw new Error(`no answer: ${JSON.stringify(frame)}`);
      this.#answers.set(frame.id, frame);
    } else if (frame.type === 'event') this.events.push(frame);
    else throw new Error(`no frame: ${JSON.stringify(frame)}`);
  }
}

export const CONNECT = {
  minProtocol: 4,
  maxProtocol: 4,
  client: { id: 'openclaw-control-ui', version: '2026.9.6', platform: 'web', mode: 'webchat' },
  role: 'operator',
  scopes: ['operator.read', 'operator.write'],
  caps: [],
};

/** A client before its handshake: the challenge has come. */
export async function open(t: TestContext, url: string, options: { readonly headers?: Record<string, string> } = {}): Promise<CardClient> {
  const client = new CardClient(socket(t, `${url}/v1/openclaw`, [], options));
  const challenge = await client.event('connect.challenge');
  if (typeof challenge.payload.nonce !== 'string' || !Number.isInteger(challenge.payload.ts)) throw new Error('no challenge');
  return client;
}

/** A client after its handshake. */
export async function connected(t: TestContext, url: string, params: object = {}): Promise<CardClient> {
  const client = await open(t, url);
  const hello = await client.ask('connect', { ...CONNECT, ...params });
  if (!hello.ok) throw new Error(JSON.stringify(hello.error));
  return client;
}
