import {
  createEventSourceSource,
  createHistory,
  createMessagePortSource,
  createPollingSource,
  createRelay,
  createSharedSource,
  createSseSource,
  createStore,
  createWebSocketSource,
  servePort,
} from '@sitrep/client';
import type { PortLike, SessionView, Source, Store } from '@sitrep/client';
import { Coalescer } from '@sitrep/schema/reduce';
import type { Random } from '../../fuzz/random.ts';
import { fastClock } from '../../../packages/client/test/support/clock.ts';
import { eventSource } from '../../../packages/client/test/support/event-source.ts';
import { origin } from '../../../packages/client/test/support/pages.ts';
import type { Origin } from '../../../packages/client/test/support/pages.ts';
import { FAULTS } from '../../node/faults/proxy.ts';
import type { Fault } from '../../node/faults/proxy.ts';
import type { Witness } from './witness.ts';

/** How much faster than life the time of readers goes: a heartbeat of 2 s comes every 200 ms. More would ask too much of a busy machine. */
export const FASTER = 10;
/** Milliseconds between heartbeats of the gateway, by its own time. */
export const HEARTBEAT_MS = 200;

/** A fault in terms of bytes means something to every reader; those of whole chunks only to a stream. */
const BYTES = FAULTS.filter((fault) => !['duplicate', 'reorder', 'drop'].includes(fault));

/** The ways to read that are tried, and what may happen to each. */
export const KINDS = {
  sse: FAULTS,
  'sse that holds back': FAULTS,
  relay: FAULTS,
  shared: FAULTS,
  websocket: FAULTS,
  'websocket that holds back': FAULTS,
  'event-source': FAULTS,
  port: FAULTS,
  polling: BYTES,
} as const satisfies Record<string, readonly Fault[]>;
export type Kind = keyof typeof KINDS;

const clock = fastClock(FASTER);

interface Given {
  /** Address of the gateway, through a proxy. */
  readonly url: string;
  readonly session: string;
  readonly random: Random;
}

function sse({ url, session, random }: Given): Source {
  return createSseSource({
    url: `${url}/v1/sessions/${session}/stream`,
    clock,
    heartbeatInterval: HEARTBEAT_MS * FASTER,
    maxRetryDelay: 1_000,
    random: () => random.next(),
  });
}

function websocket({ url, session, random }: Given): Source {
  return createWebSocketSource({
    url: `${url}/v1/sessions/${session}/socket`,
    clock,
    heartbeatInterval: HEARTBEAT_MS * FASTER,
    maxRetryDelay: 1_000,
    random: () => random.next(),
  });
}

function nativeStream({ url, session, random }: Given): Source {
  return createEventSourceSource({
    url: `${url}/v1/sessions/${session}/stream`,
    connect: eventSource,
    clock,
    heartbeatInterval: HEARTBEAT_MS * FASTER,
    maxRetryDelay: 1_000,
    random: () => random.next(),
  });
}

/** What a worker reads and hands on to its page. */
function ported(given: Given): { readonly source: Source; readonly close: () => void } {
  const { port1, port2 } = new MessageChannel();
  const server = servePort(port1 as unknown as PortLike, websocket(given), { clock });
  const close = (): void => {
    server.close();
    port1.close();
  };
  return { source: createMessagePortSource({ port: port2 as unknown as PortLike, clock }), close };
}

const SINGLE: Partial<Record<Kind, (given: Given) => Source>> = {
  polling,
  websocket,
  'websocket that holds back': websocket,
  'event-source': nativeStream,
};

function polling({ url, session, random }: Given): Source {
  return createPollingSource({
    url: `${url}/v1/sessions/${session}`,
    clock,
    interval: 500,
    timeout: 5_000,
    maxRetryDelay: 1_000,
    random: () => random.next(),
  });
}

/** One store, everything it shows noted with a witness. */
class Shown {
  readonly store: Store;
  readonly #name: string;
  readonly #witness: Witness;
  #last: SessionView | undefined;

  constructor(name: string, source: Source, witness: Witness, lazy: boolean) {
    this.#name = name;
    this.#witness = witness;
    const { session } = witness;
    const look = (): void => this.look();
    const looking: Source = {
      open: (sink, signal) => {
        const { text } = sink;
        return source.open(
          {
            connection: sink.connection,
            diagnostic: sink.diagnostic,
            cursor: sink.cursor,
            ...(text && { text: (json: string, cursor?: string) => text(json, cursor) }),
            frame(value, cursor) {
              sink.frame(value, cursor);
              look();
            },
          },
          signal,
        );
      },
    };
    this.store = createStore({
      session,
      source: looking,
      clock,
      linger: 0,
      repairSpacing: 500,
      ...(lazy ? { history: createHistory(), coalesce: (of: string) => new Coalescer(of) } : {}),
    });
    this.store.subscribe(look);
  }

  look(): void {
    const view = this.store.getSnapshot();
    if (!view.loaded || view === this.#last) return;
    this.#witness.note(this.#name, view, this.#last);
    this.#last = view;
  }
}

/** Everybody who reads over one connection. */
export class Readers {
  readonly #open: (number: number) => Shown;
  #shown: Shown[];
  readonly #kill: ((number: number) => void) | undefined;
  /** Ends what the readers read from. */
  readonly #beside: (() => void) | undefined;
  #outcomes = 0;

  constructor(kind: Kind, given: Given, witness: Witness) {
    const names = kind === 'shared' ? 3 : kind === 'relay' ? 2 : 1;
    const pages: ReturnType<Origin['page']>[] = [];
    const at: Origin = origin();
    const relay = kind === 'relay' ? createRelay({ source: sse(given), clock, repairSpacing: 500, linger: 0 }) : undefined;
    const port = kind === 'port' ? ported(given) : undefined;
    this.#beside = port?.close;
    this.#open = (n) => {
      const name = `${kind} of ${given.session}, ${n}`;
      if (kind !== 'shared')
        return new Shown(name, relay ?? port?.source ?? (SINGLE[kind] ?? sse)(given), witness, kind.endsWith('that holds back'));
      const page = (pages[n] = at.page());
      const source = createSharedSource({
        name: given.session,
        session: given.session,
        source: sse(given),
        locks: page.locks,
        channel: page.channel,
        clock,
        interval: 2_000,
        random: () => given.random.next(),
      });
      return new Shown(name, source, witness, false);
    };
    this.#kill = kind === 'shared' ? (n) => pages[n]?.kill() : undefined;
    this.#shown = Array.from({ length: names }, (_, n) => this.#open(n));
  }

  get stores(): readonly Store[] {
    return this.#shown.map(({ store }) => store);
  }

  /** Events the stores dropped as late, unknown or invalid: the store of the gateway holds none of these. */
  get dropped(): number {
    return this.stores.reduce((sum, { outcomes }) => sum + outcomes.late + outcomes.unknown + outcomes.invalid, this.#outcomes);
  }

  /** One page dies, which may be the one that has the connection, and another one opens. False where there are no pages. */
  die(random: Random): boolean {
    if (!this.#kill) return false;
    const n = random.below(this.#shown.length);
    const dying = this.#shown[n]!;
    const { late, unknown, invalid } = dying.store.outcomes;
    this.#outcomes += late + unknown + invalid;
    this.#kill(n);
    dying.store.close();
    this.#shown[n] = this.#open(n);
    return true;
  }

  look(): void {
    for (const shown of this.#shown) shown.look();
  }

  close(): void {
    for (const { store } of this.#shown) store.close();
    this.#beside?.();
  }
}
