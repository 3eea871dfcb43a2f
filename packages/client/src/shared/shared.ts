import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { Keeper } from '../relay/keeper.ts';
import type { Source } from '../source/source.ts';
import type { LocksLike, SharedChannel } from './member.ts';
import { Member } from './member.ts';
import { openWorker } from './open-worker.ts';
import type { SharedWorkerLike } from './open-worker.ts';

export type { LocksLike, SharedChannel } from './member.ts';
export type { SharedWorkerLike } from './open-worker.ts';

export interface SharedSourceOptions {
  /**
   * What pages that share a connection agree on, within their origin. Whatever decides what is read and by whom belongs into
   * it: address, session, user.
   */
  readonly name: string;
  /** The connection. Only the page that leads opens it. */
  readonly source: Source;
  /** The session that is read. Default: that of the first frame that names one. */
  readonly session?: string | undefined;
  /**
   * Makes a SharedWorker whose script calls `serveSharedWorker`; then that worker has the connection, and `source` is used
   * where there are no SharedWorkers or the script cannot be loaded. Until that worker says its first word it is made once
   * a second, to hear if it failed.
   */
  readonly worker?: (() => SharedWorkerLike) | undefined;
  /** Events kept for pages that missed some. Default: 1,000. */
  readonly maxEvents?: number | undefined;
  /** Length of their text, UTF-16 code units. Default: 1,048,576. */
  readonly maxLength?: number | undefined;
  /** Milliseconds between two signs of life of the page that leads. Silence of 3.5 to 4.5 of them costs it the lead. Default: 2,000. */
  readonly interval?: number | undefined;
  /** Default: `navigator.locks`. */
  readonly locks?: LocksLike | undefined;
  /** Makes the channel between the pages. Default: a `BroadcastChannel`. */
  readonly channel?: ((name: string) => SharedChannel) | undefined;
  /** Default: the platform's clock. */
  readonly clock?: Clock | undefined;
  /** Spreads what pages would otherwise do at once: 0 up to 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/**
 * A source that many pages of one origin read over one connection: one of them leads and has it, the others hear from that
 * one. The browser says who leads (Web Locks); frames go over a BroadcastChannel. When the leading page is closed, put away
 * or does not answer, another one goes on from its own position: nothing is missed and nothing comes twice. A page that comes
 * late begins with a snapshot. Where there are neither locks nor channels, or a page may not use them, it has a connection of
 * its own.
 *
 * Every page keeps the session and its newest events, so that any of them can lead at any time.
 *
 * Diagnostic codes: those of the source, told to every page; `network` (the channel took no message), `watchdog` (the leader was
 * silent), `json`, `sink`.
 */
export function createSharedSource(options: SharedSourceOptions): Source {
  const { name, source, session, worker, maxEvents = 1_000, maxLength = 1_048_576, interval = 2_000 } = options;
  const { clock = systemClock, random = Math.random } = options;
  const called = `sitrep:${name}`;
  let keeper: Keeper | undefined;

  return {
    async open(sink, signal) {
      if (signal.aborted) return;
      if (worker && (await openWorker(worker, { interval: interval * 2.5, clock }, sink, signal))) return;
      const locks = options.locks ?? pageLocks();
      const channel = options.channel ?? pageChannel();
      if (locks === undefined || channel === undefined) return source.open(sink, signal);
      keeper ??= new Keeper({ session, clock, maxEvents, maxLength });
      const member = new Member({ name: called, source, keeper, locks, channel: () => channel(called), clock, interval, random });
      const closing = new AbortController();
      const close = (): void => closing.abort();
      signal.addEventListener('abort', close);
      const shared = await member.run(keeper.attach(sink, closing.signal));
      signal.removeEventListener('abort', close);
      close();
      if (!shared && !signal.aborted) await source.open(sink, signal);
    },
  };
}

/** The browser's locks; undefined where there are none, or a sandboxed page may not ask. */
function pageLocks(): LocksLike | undefined {
  try {
    return (globalThis.navigator as { locks?: LocksLike } | undefined)?.locks;
  } catch {
    return undefined;
  }
}

function pageChannel(): ((name: string) => SharedChannel) | undefined {
  const { BroadcastChannel: Channel } = globalThis as { BroadcastChannel?: new (name: string) => unknown };
  return Channel && ((name) => new Channel(name) as SharedChannel);
}
