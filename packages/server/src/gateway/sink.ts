import type { Sink } from '@sitrep/harness';
import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Published } from './publish.ts';

/** A sink over `publish`: what is sent in one turn of the event loop is published together, in order. */
export function createSink(
  publish: (session: string, events: readonly unknown[]) => Promise<Published>,
  { batchLimit, log }: { readonly batchLimit: number; readonly log: (line: string) => void },
): Sink {
  let waiting: ProgressEvent[] = [];
  let closed = false;
  const open = new Set<Promise<void>>();

  async function store(session: string, events: readonly unknown[]): Promise<void> {
    try {
      const { results } = await publish(session, events);
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
    },
  };
}
