import type { Sink } from '@sitrep/harness';
import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Clock } from '../clock.ts';
import { DEFAULT_LEASE } from './lease.ts';
import type { Published } from '../write/publish.ts';

/** What a sink needs of a gateway. */
export interface SinkTarget {
  readonly publish: (session: string, events: readonly unknown[]) => Promise<Published>;
  /** Renews its lease on a session; answers how much is held. */
  readonly renew: (session: string) => Promise<number>;
  readonly release: (session: string) => Promise<void>;
  readonly closed: () => void;
}

/** A sink over `publish`: what is sent in one turn of the event loop is published together, in order. */
export function createSink(
  { publish, renew, release: giveBack, closed: isClosed }: SinkTarget,
  { batchLimit, log, clock }: { readonly batchLimit: number; readonly log: (line: string) => void; readonly clock: Clock },
): Sink {
  let waiting: ProgressEvent[] = [];
  let closed = false;
  const open = new Set<Promise<void>>();
  /** Sessions in which something may be open. */
  const held = new Set<string>();
  let stop: (() => void) | undefined;

  async function renewAll(): Promise<void> {
    for (const session of held) {
      try {
        if ((await renew(session)) === 0) held.delete(session);
      } catch (error) {
        // The store is away, or the gateway closes. What is held stays so while nobody can look.
        if ((error as { code?: string }).code === 'closed') held.clear();
      }
    }
    if (held.size === 0) {
      stop?.();
      stop = undefined;
    }
  }

  async function store(session: string, events: readonly unknown[]): Promise<void> {
    try {
      const { results } = await publish(session, events);
      if (results.some(({ outcome }) => outcome === 'applied')) held.add(session);
      if (held.size > 0) stop ??= clock.every(DEFAULT_LEASE / 3, () => void renewAll());
      const refused = results.find(({ outcome }) => outcome === 'invalid')?.issues?.[0];
      if (refused) log(`An event of a reporter was refused: ${refused.path} ${refused.message}`);
    } catch (error) {
      log(`Events of a reporter were not stored: ${(error as Error).message}`);
    }
  }

  function release(): void {
    const events = waiting;
    waiting = [];
    const bySession = new Map<string, ProgressEvent[]>();
    for (const event of events) {
      const own = bySession.get(event.session);
      if (own) own.push(event);
      else bySession.set(event.session, [event]);
    }
    for (const [session, own] of bySession) {
      for (let n = 0; n < own.length; n += batchLimit) {
        const sent: Promise<void> = store(session, own.slice(n, n + batchLimit)).finally(() => open.delete(sent));
        open.add(sent);
      }
    }
  }

  async function flush(): Promise<void> {
    release();
    await Promise.all(open);
  }

  return {
    send(event) {
      if (closed) return;
      if (waiting.push(event) === 1) queueMicrotask(release);
    },
    flush,
    async close() {
      closed = true;
      await flush();
      stop?.();
      await Promise.all([...held].map((session) => giveBack(session).catch(() => undefined)));
      held.clear();
      isClosed();
    },
  };
}
