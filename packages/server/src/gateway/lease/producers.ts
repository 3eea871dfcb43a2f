import { randomBytes } from 'node:crypto';
import type { Sink } from '@sitrep/harness';
import type { Lease } from '../../store/lease-store.ts';
import type { Store } from '../../store/store.ts';
import { isUnavailable } from '../../store/unavailable.ts';
import { endHeld } from './end-held.ts';
import { GatewayError } from '../gateway-error.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { checkLease, PRODUCER_ENDED, PRODUCER_LOST } from './lease.ts';
import type { LeaseClaim, LeaseRenewed } from './lease.ts';
import type { ResolvedOptions } from '../options.ts';
import type { Published, PublishOptions } from '../write/publish.ts';
import { checkSessionName } from '../session/session-name.ts';
import { createSink } from './sink.ts';
import type { Stats } from '../stats.ts';
import { storeFault } from '../store-fault.ts';
import type { Writer } from '../write/writer.ts';

/** How the names of producers in this process begin. */
const IN_PROCESS = 'in-process:';

interface ProducersParts {
  readonly store: Store;
  readonly writer: Writer;
  readonly stats: Stats;
  readonly options: Pick<ResolvedOptions, 'batchLimit' | 'clock' | 'log'>;
}

/** What of a gateway a sink is made over. */
interface SinkGateway {
  publish(session: string, events: readonly unknown[], options: PublishOptions): Promise<Published>;
  renewLease(session: string, claim: LeaseClaim): Promise<LeaseRenewed>;
  releaseLease(session: string, producer: string): Promise<number>;
}

/** Who promised to be heard of again: renews their leases, and ends what was left open by those that went or are lost. */
export class Producers {
  readonly #parts: ProducersParts;
  readonly #keeper: LeaseKeeper;
  /** Producers of the sinks that were given out. */
  readonly #own = new Set<string>();

  constructor(parts: ProducersParts) {
    this.#parts = parts;
    const { clock, log } = parts.options;
    this.#keeper = new LeaseKeeper({ store: parts.store.leases, clock, log, end: (lease) => this.#end(lease, PRODUCER_LOST) });
  }

  /** A lease that begins now. */
  begin(session: string, claim: { readonly producer: string; readonly ttl: number }): Lease {
    return this.#keeper.begin(session, claim);
  }

  /** See GatewayCore.renewLease. */
  async renew(session: string, claim: LeaseClaim): Promise<LeaseRenewed> {
    checkSessionName(session);
    const { producer, ttl } = checkLease(claim);
    try {
      const held = await this.#keeper.renew(this.begin(session, { producer, ttl }));
      return { producer, ttl, held: held ?? 0, known: held !== undefined };
    } catch (cause) {
      if (isUnavailable(cause)) throw storeFault(cause);
      throw new GatewayError('store_failed', 'The store failed; the lease was not renewed. Send it again later.', { cause });
    }
  }

  /** See GatewayCore.releaseLease. */
  async release(session: string, producer: string): Promise<number> {
    checkSessionName(session);
    checkLease({ producer });
    const leases = await this.#parts.store.leases?.of(session);
    const lease = leases?.leases.find((each) => each.producer === producer);
    return lease ? this.#end(lease, PRODUCER_ENDED) : 0;
  }

  /** See GatewayCore.sink. */
  sink(gateway: SinkGateway): Sink {
    const producer = `${IN_PROCESS}${randomBytes(9).toString('base64url')}`;
    this.#own.add(producer);
    return createSink(
      {
        publish: (session, events) => gateway.publish(session, events, { lease: { producer } }),
        renew: async (session) => (await gateway.renewLease(session, { producer })).held,
        release: async (session) => void (await gateway.releaseLease(session, producer)),
        closed: () => this.#own.delete(producer),
      },
      this.#parts.options,
    );
  }

  /** Keys of what is held in a session by producers that may live: not those of an earlier life of this process. */
  async heldByLiving(session: string): Promise<ReadonlySet<string>> {
    const holds = (await this.#parts.store.leases?.of(session))?.holds ?? [];
    const lives = (producer: string): boolean => !producer.startsWith(IN_PROCESS) || this.#own.has(producer);
    return new Set([...holds].filter(([, producer]) => lives(producer)).map(([key]) => key));
  }

  /** Takes nobody for lost any more; resolves when nothing is under way. */
  stop(): Promise<void> {
    return this.#keeper.stop();
  }

  /** Ends what is held under a lease, in one commit; nothing of a producer that was heard of meanwhile. */
  async #end(lease: Lease, reason: string): Promise<number> {
    const { session, producer } = lease;
    const { store, writer, stats, options } = this.#parts;
    const holds = (await store.leases?.of(session))?.holds ?? new Map<string, string>();
    const size = [...holds.values()].filter((holder) => holder === producer).length;
    const isLost = reason === PRODUCER_LOST;
    const ended = await writer.write(session, Math.max(1, size), (live) => {
      const heard = live.held.lease(producer);
      if (isLost && heard && heard.expiresAt > this.#keeper.now() && begunAt(heard) > begunAt(lease)) return undefined;
      return endHeld(live, { producer, holds, reason, at: options.clock.now() });
    });
    if (ended === undefined) return 0;
    await store.leases?.drop(lease);
    stats.leases[isLost ? 'lost' : 'released'] += 1;
    stats.interrupted += ended;
    if (isLost && ended > 0) {
      const message = `A producer of a session was not heard of for ${lease.ttl / 1_000} s; what it had open is interrupted.`;
      options.log(message, { event: 'producer_lost', level: 'info', producer, ended });
    }
    return ended;
  }
}

/** When a lease was begun or renewed, epoch milliseconds. */
function begunAt({ expiresAt, ttl }: Lease): number {
  return expiresAt - ttl;
}
