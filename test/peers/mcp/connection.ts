import { createMemorySink } from '@sitrep/harness/sink';
import type { MemorySink } from '@sitrep/harness/sink';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import type { McpTap, McpTapOptions, McpTransportLike } from '@sitrep/harness/mcp';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Operation, OperationEvent } from '@sitrep/schema/wire';

/** One progress update as a client's own library hands it on. */
export interface Update {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface CallOptions {
  readonly onprogress?: (update: Update) => void;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly meta?: Record<string, unknown>;
}

/** A client of some SDK, connected to some server over some transport, with our tap in between. */
export interface Connection {
  readonly tap: McpTap<McpTransportLike>;
  readonly sink: MemorySink;
  /** What the client's library complained of. */
  readonly errors: Error[];
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** Taps a transport the way every test of the peers does. */
export function tapped<T extends McpTransportLike>(transport: T, options: Partial<McpTapOptions> = {}) {
  const sink = createMemorySink();
  const tap = tapMcpTransport(transport, { sink, session: 's', throttleMs: 0, ...options });
  return { sink, tap };
}

/** The operations of a connection as they stand, oldest first. */
export function operationsOf({ sink }: Pick<Connection, 'sink'>): Operation[] {
  const index = new SessionIndex('s');
  for (const event of sink.events) index.apply(event);
  return [...index.operations.values()];
}

/** The events of the newest call. */
export function newest(connection: Pick<Connection, 'sink'>): OperationEvent[] {
  const events = connection.sink.events as readonly OperationEvent[];
  const roots = events.filter(({ parent }) => parent === undefined);
  return events.filter(({ id }) => id === roots.at(-1)?.id);
}

/** An operation in one line: state, reason, amounts, message. */
export function line({ title, state, reason, current, total, message, error, blockedOn }: Operation): string {
  const amount = current === undefined ? undefined : total === undefined ? `${current}` : `${current} of ${total}`;
  const why = reason === undefined ? undefined : `(${reason})`;
  return [title, state, why, amount, message ?? error?.message ?? blockedOn?.prompt].filter((part) => part !== undefined).join(' ');
}

/** The same connection as if it began now: events, counts and complaints from here on. */
export function fromNow<C extends Connection>(connection: C): C {
  const { sink, tap, errors } = connection;
  const known = { events: sink.events.length, errors: errors.length, counts: tap.counts };
  return {
    ...connection,
    sink: {
      ...sink,
      get events() {
        return sink.events.slice(known.events);
      },
    },
    tap: {
      ...tap,
      get counts() {
        const entries = Object.entries(tap.counts) as [keyof typeof known.counts, number][];
        return Object.fromEntries(entries.map(([name, count]) => [name, name === 'open' ? count : count - known.counts[name]])) as never;
      },
    },
    get errors() {
      return errors.slice(known.errors);
    },
  };
}
