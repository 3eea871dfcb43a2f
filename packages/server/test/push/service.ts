import assert from 'node:assert/strict';
import { createECDH, createPublicKey, randomBytes } from 'node:crypto';
import type { ECDH } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { decrypt } from 'http_ece';
import { jwtVerify } from 'jose';

const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
/** What the certificate of the service is checked with. */
export const CA = file('cert.pem');

/** A message as the gateway sent it, and how it was to be treated. */
export interface Received {
  /** Which browser it was for. */
  readonly name: string;
  readonly ttl: number;
  readonly urgency: string;
  readonly topic: string;
  /** Bytes of the encrypted body. */
  readonly bytes: number;
  readonly message: Message;
  /** What it was answered with. */
  readonly status: number;
}

export interface Message {
  readonly sitrep: number;
  readonly session: string;
  readonly slot: string;
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly alert: boolean;
  readonly id: string;
  readonly at: number;
  readonly close?: readonly string[];
}

/** How the service is to answer: a status, with headers, or not at all. */
export type Reply = number | { readonly status: number; readonly headers: Record<string, string> } | 'hang' | 'reset';

interface Browser {
  readonly name: string;
  readonly keys: ECDH;
  readonly auth: Buffer;
}

/** A push service on this machine: RFC 8030 over TLS, which opens each message with the keys of the browser it is for (RFC 8291) and checks who sent it (RFC 8292). */
export class PushService {
  readonly url: string;
  /** What was taken or refused, in order. */
  readonly received: Received[] = [];
  /** Where else anybody came, with a redirect say. */
  readonly strays: string[] = [];
  /** What of a request was not as the standards say. */
  readonly problems: string[] = [];
  /** What is answered to the next requests; afterwards 201. */
  replies: Reply[] = [];
  /** Milliseconds each answer takes. */
  delayMs = 0;
  readonly #browsers = new Map<string, Browser>();
  readonly #publicKey: string;

  constructor(url: string, publicKey: string) {
    this.url = url;
    this.#publicKey = publicKey;
  }

  /** Subscribes a browser; answers what its page gets of `pushManager.subscribe`. */
  subscribe(name: string): { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string } } {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const auth = randomBytes(16);
    const path = `/send/${randomBytes(12).toString('base64url')}`;
    this.#browsers.set(path, { name, keys, auth });
    return {
      endpoint: `${this.url}${path}`,
      keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
    };
  }

  /** Messages a browser was given, in order. */
  taken(name: string): readonly Message[] {
    return this.received.filter((each) => each.name === name && each.status === 201).map(({ message }) => message);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const browser = this.#browsers.get(request.url ?? '');
    if (!browser || request.method !== 'POST') {
      this.strays.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const reply = this.replies.shift() ?? 201;
    try {
      await this.#look(request, browser, body, reply);
    } catch (error) {
      this.problems.push((error as Error).message);
      response.writeHead(400).end();
      return;
    }
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (reply === 'hang') return;
    if (reply === 'reset') return void request.socket.destroy();
    const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply;
    response.writeHead(status, headers).end('A sentence of the service.');
  }

  async #look(request: IncomingMessage, { name, keys, auth }: Browser, body: Buffer, reply: Reply): Promise<void> {
    const { headers } = request;
    assert.equal(headers['content-encoding'], 'aes128gcm');
    assert.match(headers['ttl'] as string, /^\d+$/);
    assert.match(headers['topic'] as string, /^[\w-]{1,32}$/);
    assert.match(headers['urgency'] as string, /^(very-low|low|normal|high)$/);
    const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    assert.equal(key, this.#publicKey);
    const point = Buffer.from(key, 'base64url');
    const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
    const { payload } = await jwtVerify(token, createPublicKey({ key: jwk, format: 'jwk' }), { algorithms: ['ES256'], audience: this.url });
    assert.match(payload.sub as string, /^mailto:/);
    assert.ok((payload.exp as number) - Date.now() / 1_000 <= 86_400);
    const message = JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString()) as Message;
    const status = typeof reply === 'number' ? reply : typeof reply === 'object' ? reply.status : 0;
    const { ttl, urgency, topic } = headers as Record<string, string>;
    this.received.push({ name, ttl: Number(ttl), urgency: urgency ?? '', topic: topic ?? '', bytes: body.length, message, status });
  }
}

/** Starts one on a free port; it is closed after the test, which fails for what was not as the standards say. */
export async function startService(t: TestContext, publicKey: string): Promise<PushService> {
  const server = createServer({ key: file('key.pem'), cert: CA });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service = new PushService(`https://localhost:${(server.address() as AddressInfo).port}`, publicKey);
  server.on('request', (request, response) => void service.handle(request, response));
  t.after(() => {
    server.close();
    server.closeAllConnections();
    assert.deepEqual(service.problems, []);
  });
  return service;
}
