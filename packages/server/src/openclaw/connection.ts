import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Grant } from '../auth/grant.ts';
import type { GatewayCore } from '../gateway/gateway.ts';
import { CardWatch } from './card-watch.ts';
import type { Caller, CardMethods } from './cards.ts';
import { answerFrame, errorFrame, eventFrame, readFrame, RefusedError, shapeOf } from './frames.ts';
import type { RequestFrame } from './frames.ts';
import { helloOk, readConnect, scopesOf } from './hello.ts';

/** Bytes of a frame before the handshake is done. */
const MAX_FIRST = 65_536;
/** Milliseconds a client has for its handshake. */
const HANDSHAKE_MS = 10_000;
/** Bytes that may wait for a client before it counts as too slow. */
const MAX_BUFFERED = 1_048_576;
/** Requests of one client that may be under way. */
const MAX_UNDER_WAY = 64;
/** Sessions one client may hear of. */
const MAX_WATCHED = 1_000;
/** Milliseconds over which changes of one card are told once. */
const COALESCE_MS = 50;

export interface ConnectionParts {
  readonly core: GatewayCore;
  readonly methods: CardMethods;
  /** What the handshake itself may have said. */
  readonly grant: Grant | undefined;
  /** Checks a token; undefined where nobody needs one. Rejects for one that is none. */
  readonly verify: (token: string | undefined) => Promise<Grant | undefined>;
  /** Counts a request. Throws when there were too many. */
  readonly take: (grant: Grant | undefined) => void;
  /** Calls back when the token expires; returns what takes that back. */
  readonly expires: (grant: Grant, run: () => void) => () => void;
}

/** One client that speaks OpenClaw's protocol: handshake, requests, and what it is told by itself. */
export class OpenClawConnection implements Caller {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  readonly #watches = new Map<string, CardWatch>();
  /** Changes that were not told yet, the newest of each session. */
  readonly #changes = new Map<string, number | null>();
  readonly #stops: (() => void)[] = [];
  #telling: NodeJS.Timeout | undefined;
  #caller: { readonly grant: Grant | undefined; readonly scopes: readonly string[] } | undefined;
  #connecting = false;
  #underWay = 0;
  #seq = 0;
  #goingAway = false;

  constructor(ws: WebSocket, socket: Socket, parts: ConnectionParts) {
    this.#ws = ws;
    this.#socket = socket;
    this.#parts = parts;
    const { clock } = parts.core.options;
    ws.on('message', (data, isBinary) => this.#heard(String(data), isBinary));
    ws.on('close', () => this.#left());
    socket.on('drain', () => this.#tell());
    const patience = setTimeout(() => this.#close(1008, 'handshake timeout'), HANDSHAKE_MS);
    this.#stops.push(() => clearTimeout(patience));
    ws.send(eventFrame('connect.challenge', { nonce: randomUUID(), ts: clock.now() }));
  }

  get grant(): Grant | undefined {
    return this.#caller?.grant;
  }

  get scopes(): readonly string[] {
    return this.#caller?.scopes ?? [];
  }

  async watch(session: string): Promise<void> {
    const known = this.#watches.get(session);
    if (known) {
      // The least recently asked for goes first.
      this.#watches.delete(session);
      this.#watches.set(session, known);
      return;
    }
    const { core } = this.#parts;
    const watch = new CardWatch(
      (revision) => this.changed(session, revision),
      (_end, retryMs) => this.#goAway(retryMs),
    );
    this.#watches.set(session, watch);
    try {
      await core.attach(session, undefined, watch);
    } catch (error) {
      this.#watches.delete(session);
      throw error;
    }
    if (this.#ws.readyState !== this.#ws.OPEN || this.#watches.get(session) !== watch) return core.detach(session, watch);
    const [oldest] = this.#watches;
    if (this.#watches.size <= MAX_WATCHED || oldest === undefined) return;
    this.#watches.delete(oldest[0]);
    core.detach(...oldest);
  }

  /** True while it is to be told of changes of this session's card. */
  watches(session: string): boolean {
    return this.#watches.has(session);
  }

  /** A card has changed: told soon, and once for many changes. */
  changed(session: string, revision: number | null): void {
    this.#changes.set(session, revision);
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      this.#tell();
    }, COALESCE_MS).unref();
  }

  #tell(): void {
    if (this.#telling !== undefined || this.#socket.writableNeedDrain) return;
    for (const [sessionKey, revision] of this.#changes) this.#event('progressCard.changed', { sessionKey, revision });
    this.#changes.clear();
  }

  #heard(text: string, isBinary: boolean): void {
    if (this.#caller === undefined && (isBinary || text.length > MAX_FIRST)) return this.#close(1009, 'payload too large');
    const frame = isBinary ? ({ bad: 'invalid' } as const) : readFrame(text);
    if (frame === undefined) return;
    if (this.#caller === undefined) return this.#shake(frame);
    if ('bad' in frame) return this.#send(errorFrame(frame.bad, { code: 'INVALID_REQUEST', message: 'invalid request frame' }));
    void this.#answer(frame);
  }

  #shake(frame: RequestFrame | { readonly bad: string }): void {
    if ('bad' in frame) return this.#close(1008, 'invalid request frame');
    if (frame.method !== 'connect' || this.#connecting) {
      const message = 'invalid handshake: first request must be connect';
      this.#send(errorFrame(frame.id, { code: 'INVALID_REQUEST', message }));
      return this.#close(1008, message);
    }
    this.#connecting = true;
    this.#connect(frame).catch((error: unknown) => {
      const shape = shapeOf(error);
      this.#send(errorFrame(frame.id, shape));
      this.#close(shape.details?.['code'] === 'PROTOCOL_MISMATCH' ? 1002 : shape.retryable ? 1013 : 1008, shape.message.slice(0, 100));
    });
  }

  async #connect({ id, params }: RequestFrame): Promise<void> {
    const { core, verify, expires } = this.#parts;
    const call = readConnect(params);
    const grant = this.#parts.grant ?? (await verify(call.token).catch((error: unknown) => refuseToken(error, call.token)));
    const scopes = scopesOf(grant, call.scopes);
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    const { bodyLimit: maxPayload, heartbeatMs: tickIntervalMs, clock } = core.options;
    for (const stop of this.#stops.splice(0)) stop();
    this.#caller = { grant, scopes };
    this.#send(answerFrame(id, helloOk(call, scopes, { maxPayload, maxBufferedBytes: MAX_BUFFERED, tickIntervalMs })));
    let unanswered = 0;
    this.#ws.on('pong', () => (unanswered = 0));
    this.#stops.push(
      clock.every(tickIntervalMs, () => {
        if (unanswered >= 2) return this.#ws.terminate();
        unanswered += 1;
        this.#ws.ping();
        this.#event('tick', { ts: clock.now() });
      }),
    );
    if (grant) this.#stops.push(expires(grant, () => this.#close(1008, 'token expired')));
  }

  async #answer({ id, method, params }: RequestFrame): Promise<void> {
    const { methods, take } = this.#parts;
    if (this.#underWay >= MAX_UNDER_WAY) {
      const message = `More than ${MAX_UNDER_WAY} requests are under way.`;
      return this.#send(errorFrame(id, { code: 'UNAVAILABLE', message, retryable: true, retryAfterMs: 1_000 }));
    }
    this.#underWay += 1;
    try {
      take(this.grant);
      if (method === 'connect') throw new RefusedError('INVALID_REQUEST', 'connect is only valid as the first request');
      this.#send(answerFrame(id, await methods.call(method, params, this)));
    } catch (error) {
      const shape = shapeOf(error);
      if (!['RefusedError', 'GatewayError'].includes((error as Error).name))
        this.#parts.core.options.log(`An answer failed: ${String(error)}`);
      this.#send(errorFrame(id, shape));
    } finally {
      this.#underWay -= 1;
    }
  }

  #event(event: string, payload: unknown): void {
    this.#seq += 1;
    this.#send(eventFrame(event, payload, this.#seq));
  }

  #send(text: string): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    this.#ws.send(text);
    if (this.#ws.bufferedAmount <= MAX_BUFFERED) return;
    this.#parts.core.stats.slow.cut += 1;
    this.#close(1008, 'slow consumer');
  }

  /** The gateway stops: there will be one again. */
  #goAway(retryMs: number | undefined): void {
    if (this.#goingAway) return;
    this.#goingAway = true;
    this.#event('shutdown', { reason: 'service restart', ...(retryMs === undefined ? {} : { restartExpectedMs: retryMs }) });
    this.#close(1012, 'service restart');
  }

  #close(code: number, reason: string): void {
    this.#ws.close(code, reason);
    setTimeout(() => this.#ws.terminate(), 1_000).unref();
  }

  #left(): void {
    clearTimeout(this.#telling);
    for (const stop of this.#stops.splice(0)) stop();
    for (const watch of this.#watches) this.#parts.core.detach(...watch);
    this.#watches.clear();
  }
}

function refuseToken(error: unknown, token: string | undefined): never {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (name !== 'GatewayError' || !['unauthorized', 'invalid_token', 'token_expired'].includes(String(code))) throw error;
  const what = token === undefined ? 'missing' : 'mismatch';
  throw new RefusedError('INVALID_REQUEST', `unauthorized: gateway token ${what}`, {
    details: { code: `AUTH_TOKEN_${what.toUpperCase()}`, canRetryWithDeviceToken: false, recommendedNextStep: 'update_auth_credentials' },
  });
}
