import { createClient, createCluster } from '@redis/client';
import { StoreUnavailable } from '../unavailable.ts';
import type { Script } from './scripts.ts';

/** Milliseconds between two looks for answers that are overdue; where one comes later, that counts as no more. */
const WATCH_MS = 250;
/** Milliseconds without anything to say after which a server is asked whether it is there. */
const IDLE_MS = 1_000;
/** Bounds of the time before a connection is tried again, milliseconds. */
const RETRY_MIN = 50;
const RETRY_MAX = 1_000;
/** Commands that may wait for an answer at once; more are refused. */
const PENDING_LIMIT = 50_000;
/** Channels asked for in one command. */
const CHANNELS = 500;

/** Refusals by a server that is there and cannot do it now. Nothing was done. */
const REFUSALS = /\b(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MISCONF|OOM|NOREPLICAS|BUSY|max number of clients)\b/;
/** What is said of a command that was never sent, because there was no connection to send it over. */
const UNSENT = /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|Connection timeout|client is (offline|closed)|root nodes are unavailable/;
/** Those of a server that others have to be asked instead of. */
const MOVED_ON = /\b(READONLY|MASTERDOWN|LOADING)\b/;

/** What of a client, of one server or of a cluster, is used here. */
interface Client {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  evalSha(sha: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(source: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  scriptLoad?(source: string): Promise<unknown>;
  sSubscribe(channels: string | string[], listener: (message: string, channel: string) => void): Promise<unknown>;
  sUnsubscribe(channels: string | string[]): Promise<unknown>;
  scan?(cursor: string, options: { MATCH: string; COUNT: number }): Promise<{ readonly cursor: string; readonly keys: string[] }>;
  /** Of a cluster. */
  readonly masters?: readonly { readonly address: string }[];
  nodeClient?(node: { readonly address: string }): Promise<Client>;
}

/** Where Redis is. */
export interface RedisAddress {
  /** One address of a server, or several of nodes of a cluster. */
  readonly urls: readonly string[];
  readonly cluster: boolean;
}

export interface LinkOptions {
  readonly address: RedisAddress;
  /** Milliseconds an answer may take before the server counts as away. */
  readonly timeoutMs: number;
  /** A key for asking a server whether it is there, another each time. */
  readonly pingKey: () => string;
  readonly ping: Script;
  /** Scripts a single server is told of before anything else, so that it takes them in the order they are sent. */
  readonly known: readonly Script[];
  readonly log: (line: string) => void;
  readonly onReachable: (up: boolean) => void;
  readonly onMessage: (message: string, channel: string) => void;
}

interface Pending {
  /** When it was asked, by the time this process was awake. */
  readonly since: number;
  readonly client: Client;
  readonly reject: (error: unknown) => void;
}

/**
 * The connection to Redis. Nothing waits for it: while it is down, whatever is asked is refused. It is made again by itself, at
 * times that differ between nodes.
 */
export class RedisLink {
  readonly #options: LinkOptions;
  readonly #pending = new Set<Pending>();
  readonly #channels = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #waiting: (() => void)[] = [];
  #client: Client | undefined;
  #connecting = false;
  #renewing = false;
  #closed = false;
  #lastAnswer = 0;
  /** Milliseconds this process was awake: what it could not hear while it was stopped, or too busy, is nobody's fault. */
  #awake = 0;
  #lastWatch = performance.now();
  #pinging = false;
  reconnects = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#watch(), WATCH_MS);
    this.#timer.unref();
  }

  get up(): boolean {
    return this.#client !== undefined;
  }

  /** The client as it is now, for what only it can do. */
  get client(): Client | undefined {
    return this.#client;
  }

  /** Connects for the first time. Rejects when that fails. */
  async open(): Promise<void> {
    this.#took(await this.#connect());
  }

  /** Runs a script. Rejects with a StoreUnavailable when Redis is away, says that it cannot now, or does not answer in time. */
  async run(script: Script, keys: string[], args: string[]): Promise<unknown> {
    const client = this.#client;
    if (!client) throw new StoreUnavailable('Redis cannot be reached.');
    if (this.#pending.size >= PENDING_LIMIT) throw new StoreUnavailable('Too much waits for Redis.');
    try {
      return await this.#answer(client, client.evalSha(script.sha, { keys, arguments: args }));
    } catch (error) {
      if (!/\bNOSCRIPT\b/.test((error as Error).message)) throw this.#fault(client, error);
    }
    try {
      return await this.#answer(client, client.eval(script.source, { keys, arguments: args }));
    } catch (error) {
      throw this.#fault(client, error);
    }
  }

  /** Names of the servers keys are on. */
  get servers(): readonly string[] {
    return this.#client?.masters?.map(({ address }) => address) ?? [''];
  }

  /** Some of the keys of one server. A cursor of `0` is the beginning, and the end. */
  async scan(server: string, cursor: string, match: string, count: number): Promise<{ readonly cursor: string; readonly keys: string[] }> {
    const client = this.#client;
    if (!client) throw new StoreUnavailable('Redis cannot be reached.');
    try {
      const master = client.masters?.find(({ address }) => address === server);
      const node = (master && (await client.nodeClient?.(master))) ?? client;
      const answer = node.scan?.(cursor, { MATCH: match, COUNT: count }) ?? Promise.reject(new Error('There is no scan.'));
      return (await this.#answer(client, answer)) as { readonly cursor: string; readonly keys: string[] };
    } catch (error) {
      throw this.#fault(client, error);
    }
  }

  /** Resolves once Redis can be reached, true, or after so many milliseconds, false. */
  async reachable(ms: number): Promise<boolean> {
    if (this.up || this.#closed) return this.up;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    return this.up;
  }

  /** Asks for messages of a channel. They may be lost. */
  subscribe(channel: string): void {
    this.#channels.add(channel);
    this.#client?.sSubscribe(channel, this.#options.onMessage).catch(() => undefined);
  }

  unsubscribe(channel: string): void {
    this.#channels.delete(channel);
    this.#client?.sUnsubscribe(channel).catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#client?.destroy();
    this.#client = undefined;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits for an answer, or until it is overdue or the connection is lost. */
  async #answer(client: Client, answer: Promise<unknown>): Promise<unknown> {
    let reject: (error: unknown) => void = () => undefined;
    const lost = new Promise<never>((_, given) => (reject = given));
    const pending: Pending = { since: this.#awake + Math.min(performance.now() - this.#lastWatch, WATCH_MS), client, reject };
    this.#pending.add(pending);
    try {
      const value = await Promise.race([answer, lost]);
      this.#lastAnswer = performance.now();
      return value;
    } finally {
      this.#pending.delete(pending);
    }
  }

  #fault(client: Client, error: unknown): Error {
    const { message, name } = error as Error;
    if (name === 'StoreUnavailable') return error as Error;
    // A server that answers has done what it says: nothing, after an error of a script.
    const isReply = /^[A-Z]+ /.test(message) || /\bscript: [0-9a-f]{40}\b/.test(message);
    if (!isReply) {
      if (!this.#options.address.cluster) this.#lost(client, message);
      return new StoreUnavailable(`Redis went away: ${message}`, { cause: error, inDoubt: !UNSENT.test(message) });
    }
    if (!REFUSALS.test(message)) return error as Error;
    if (MOVED_ON.test(message)) this.#lost(client, message);
    return new StoreUnavailable(`Redis cannot do it now: ${message}`, { cause: error });
  }

  #watch(): void {
    const now = performance.now();
    this.#awake += Math.min(now - this.#lastWatch, WATCH_MS);
    this.#lastWatch = now;
    const overdue = this.#awake - this.#options.timeoutMs;
    for (const pending of this.#pending) {
      if (pending.since > overdue) break;
      this.#pending.delete(pending);
      const message = `no answer within ${this.#options.timeoutMs} ms`;
      pending.reject(new StoreUnavailable(`Redis went away: ${message}`, { inDoubt: true }));
      if (this.#options.address.cluster) void this.#renew(pending.client);
      else this.#lost(pending.client, message);
    }
    if (this.#pending.size === 0 && this.up && !this.#pinging && now - this.#lastAnswer >= IDLE_MS) {
      this.#pinging = true;
      this.run(this.#options.ping, [this.#options.pingKey()], [])
        .catch(() => undefined)
        .finally(() => (this.#pinging = false));
    }
  }

  /** Lets a connection go that does not serve any more, and makes another. */
  #lost(client: Client, why: string): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    client.destroy();
    for (const pending of this.#pending) {
      if (pending.client !== client) continue;
      this.#pending.delete(pending);
      pending.reject(new StoreUnavailable(`Redis went away: ${why}`, { inDoubt: true }));
    }
    if (this.#closed) return;
    this.#options.log(`Redis cannot be reached: ${why}. Writes are refused until it is back.`);
    this.#options.onReachable(false);
    void this.#again();
  }

  /** Never rejects. */
  async #again(): Promise<void> {
    if (this.#connecting) return;
    this.#connecting = true;
    for (let tries = 0; !this.#closed; tries += 1) {
      const wait = Math.min(RETRY_MAX, RETRY_MIN * 2 ** Math.min(tries, 5));
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)));
      try {
        const client = await this.#connect();
        this.#connecting = false;
        if (this.#closed) {
          client.destroy();
          return;
        }
        this.reconnects += 1;
        this.#options.log('Redis can be reached again.');
        this.#took(client);
        return;
      } catch (error) {
        if (tries === 30) this.#options.log(`Redis still cannot be reached: ${(error as Error).message}`);
      }
    }
    this.#connecting = false;
  }

  /** Of a cluster one node may be away while others serve: the next connection is made before this one is let go. */
  async #renew(old: Client): Promise<void> {
    if (this.#renewing || old !== this.#client) return;
    this.#renewing = true;
    try {
      const client = await this.#connect();
      if (old !== this.#client || this.#closed) return client.destroy();
      this.reconnects += 1;
      this.#took(client);
      setTimeout(() => old.destroy(), this.#options.timeoutMs).unref();
    } catch (error) {
      this.#lost(old, (error as Error).message);
    } finally {
      this.#renewing = false;
    }
  }

  #took(client: Client): void {
    this.#client = client;
    this.#lastAnswer = performance.now();
    const channels = [...this.#channels];
    const size = this.#options.address.cluster ? 1 : CHANNELS;
    for (let n = 0; n < channels.length; n += size) {
      client.sSubscribe(channels.slice(n, n + size), this.#options.onMessage).catch(() => undefined);
    }
    for (const wake of this.#waiting.splice(0)) wake();
    this.#options.onReachable(true);
  }

  /** A connection that answers. */
  async #connect(): Promise<Client> {
    const { timeoutMs, ping, pingKey, known, address } = this.#options;
    const client = this.#create();
    let ready = false;
    let failed: (error: Error) => void = () => undefined;
    const failure = new Promise<never>((_, reject) => (failed = reject));
    failure.catch(() => undefined);
    client.on('error', (error) => {
      failed(error);
      if (ready && !this.#options.address.cluster) this.#lost(client, error.message);
    });
    const timer = setTimeout(() => failed(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    try {
      await Promise.race([client.connect(), failure]);
      await Promise.race([client.eval(ping.source, { keys: [pingKey()], arguments: [] }), failure]);
      if (!address.cluster) await Promise.race([Promise.all(known.map(({ source }) => client.scriptLoad?.(source))), failure]);
      ready = true;
      return client;
    } catch (error) {
      client.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #create(): Client {
    const { address, timeoutMs } = this.#options;
    const common = {
      name: 'sitrep',
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
      // Overdue answers are looked for here: a timer for each command would cost more than the command.
      commandOptions: { timeout: 0 },
    } as const;
    if (!address.cluster) {
      const socket = { connectTimeout: timeoutMs, reconnectStrategy: false } as const;
      return createClient({ ...common, url: address.urls[0] as string, socket }) as unknown as Client;
    }
    const { username, password, protocol } = new URL(address.urls[0] as string);
    return createCluster({
      rootNodes: address.urls.map((url) => ({ url, socket: { connectTimeout: timeoutMs } })),
      minimizeConnections: true,
      defaults: {
        ...common,
        ...(username === '' ? {} : { username: decodeURIComponent(username) }),
        ...(password === '' ? {} : { password: decodeURIComponent(password) }),
        socket: {
          connectTimeout: timeoutMs,
          reconnectStrategy: (tries) => Math.min(RETRY_MAX, RETRY_MIN * 2 ** Math.min(tries, 5)) * (0.5 + Math.random() / 2),
          ...(protocol === 'rediss:' ? { tls: true as const } : {}),
        },
      },
    }) as unknown as Client;
  }
}
