import { LIMITS } from '@sitrep/schema';
import type { TokenKey } from '../auth/keys.ts';
import type { PushOptions } from '../push/options.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './log.ts';
import type { TelemetryApi } from './telemetry-api.ts';
import { systemClock } from './clock.ts';
import type { Clock } from './clock.ts';

/** One request over HTTP that was answered. Holds nothing that a token or a ticket could be read from. */
export interface RequestEntry {
  readonly method: string;
  /** The address without its query. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds from its headers to its answer. */
  readonly ms: number;
  /** Whom the token was given to, else which token it was; undefined without one. */
  readonly token: string | undefined;
}

/** Options of a gateway. Only the store is required. */
export interface GatewayOptions {
  /** Where sessions are kept. The gateway is its only writer and closes it. */
  readonly store: Store;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Milliseconds between two `heartbeat` events on a stream. Default 15,000. */
  readonly heartbeatMs?: number | undefined;
  /**
   * Keys of tokens, from `readKeys`. With any, every request over HTTP needs a token that allows it; what the program does in
   * process does not. Without, whoever reaches the address may do everything, and it listens on loopback only. Default: none.
   */
  readonly keys?: readonly TokenKey[] | undefined;
  /**
   * Values of `Host` that are answered: `name` for any port or `name:port`. Default: the loopback names
   * `localhost`, `127.0.0.1` and `[::1]`. Loopback names stay allowed when a list is given.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins of other sites that may read and write, as a browser writes them: `https://board.example`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Bytes of one request body. Default 1,048,576. */
  readonly bodyLimit?: number | undefined;
  /** Bytes of one event as JSON. Default 131,072, which every event within the limits of the wire fits into. */
  readonly eventLimit?: number | undefined;
  /** Events in one request. Default 1,000. */
  readonly batchLimit?: number | undefined;
  /** Events accepted and not yet stored, over all sessions; more are refused until some are stored. Default 50,000. */
  readonly pendingLimit?: number | undefined;
  /** Open streams of this gateway. Default 5,000. */
  readonly clientLimit?: number | undefined;
  /** Open streams of one session. Default 1,000. */
  readonly sessionClientLimit?: number | undefined;
  /** Open streams of one address: of one IPv4 address, or of one /64 of IPv6. Default 1,000. */
  readonly addressClientLimit?: number | undefined;
  /**
   * Requests a second of one token or, without keys, of one address; twice as many at once after a pause. Default 2,000.
   */
  readonly rateLimit?: number | undefined;
  /**
   * True when it can be reached through a proxy only, and that proxy adds the address it saw to `X-Forwarded-For`: that
   * one then counts for limits. Default: false.
   */
  readonly trustProxy?: boolean | undefined;
  /** Operations kept of one session, at most 1,000; finished ones go first, the oldest of them first. Default 1,000. */
  readonly operationLimit?: number | undefined;
  /**
   * Bytes that may wait in this process for one reader of a stream, beside what its connection is busy with. For a reader
   * that is further behind they are replaced by a snapshot, sent once it has taken what was on its way. Default 262,144.
   */
  readonly clientBufferLimit?: number | undefined;
  /** Bytes of events that are replayed at most to a reader that resumes; more is a snapshot's work. Default 1,048,576. */
  readonly replayLimit?: number | undefined;
  /** Milliseconds a reader may take nothing of what waits for it before its connection is closed. Default 60,000. */
  readonly slowClientMs?: number | undefined;
  /**
   * Milliseconds over which what is stored of a session is gathered before its readers are told: then each record once, as it
   * stands, where that is shorter than the events. What ends, is blocked or comes after a pause is told at once. 0 tells every event
   * by itself. Default 0.
   */
  readonly flushMs?: number | undefined;
  /** Sessions kept in memory while nobody reads or writes them. Default 256. */
  readonly idleSessions?: number | undefined;
  /** Web Push: the keys it names itself with, and what else there is to say. The store must keep records. Default: none, and no push. */
  readonly push?: PushOptions | undefined;
  /** Told in one line what went wrong and was survived, and in fields what it is about. Default: the line on standard error. */
  readonly log?: Log | undefined;
  /**
   * `import * as api from '@opentelemetry/api'`: requests become spans, in the trace of whoever sends `traceparent`, and, as
   * commits do, values of a histogram. Default: none.
   */
  readonly telemetry?: TelemetryApi | null | undefined;
  /** Told of each request over HTTP once it is answered; of a stream, once it is open. Default: nobody. */
  readonly onRequest?: ((request: RequestEntry) => void) | undefined;
}

/** Options with every default in place. */
export type ResolvedOptions = { readonly [K in Exclude<keyof GatewayOptions, 'push'>]-?: Exclude<GatewayOptions[K], undefined> } & {
  readonly push: PushOptions | undefined;
};

/**
 * Fills in the defaults. Throws a RangeError for a limit that is not a positive number, a TypeError without a store and for
 * an option that there is not.
 */
export function resolveOptions(options: GatewayOptions): ResolvedOptions {
  if (typeof options?.store?.load !== 'function')
    throw new TypeError(
      'createGateway needs a store: createGateway({ store: createMemoryStore() }), or createSqliteStore(path), of @sitrep/server/memory and /sqlite.',
    );
  const limit = (name: keyof GatewayOptions, fallback: number): number => {
    const value = options[name] ?? fallback;
    if (typeof value !== 'number' || !(value > 0)) throw new RangeError(`${name} must be a number above 0.`);
    return value;
  };
  const resolved: ResolvedOptions = {
    store: options.store,
    clock: options.clock ?? systemClock,
    heartbeatMs: limit('heartbeatMs', 15_000),
    keys: options.keys ?? [],
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    bodyLimit: limit('bodyLimit', 1_048_576),
    eventLimit: limit('eventLimit', 131_072),
    batchLimit: limit('batchLimit', 1_000),
    pendingLimit: limit('pendingLimit', 50_000),
    clientLimit: limit('clientLimit', 5_000),
    sessionClientLimit: limit('sessionClientLimit', 1_000),
    addressClientLimit: limit('addressClientLimit', 1_000),
    rateLimit: limit('rateLimit', 2_000),
    trustProxy: options.trustProxy ?? false,
    operationLimit: Math.min(limit('operationLimit', LIMITS.operations), LIMITS.operations),
    clientBufferLimit: limit('clientBufferLimit', 262_144),
    replayLimit: limit('replayLimit', 1_048_576),
    slowClientMs: limit('slowClientMs', 60_000),
    flushMs: options.flushMs ? limit('flushMs', 0) : 0,
    idleSessions: limit('idleSessions', 256),
    push: options.push,
    telemetry: options.telemetry ?? null,
    onRequest: options.onRequest ?? (() => undefined),
    log: options.log ?? ((line) => process.stderr.write(`sitrep: ${line}\n`)),
  };
  if (options.push && !options.store.records) throw new TypeError('push needs a store that keeps records, as those of this package do.');
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(resolved, name))
      throw new TypeError(`createGateway has no option "${name}". It takes ${Object.keys(resolved).join(', ')}.`);
  }
  return resolved;
}
