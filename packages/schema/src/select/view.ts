import type { Run } from '../wire/run.ts';

/** How a transport says that it is connected. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'lost' | 'ended';

/**
 * How fresh what is shown is. Beyond what the transport says: `quiet`, it counts as live and nothing has come for too long;
 * `resumed`, it has just gone on from where it broke off, and is as good as live.
 */
export type FreshnessState = ConnectionState | 'quiet' | 'resumed';

/** How fresh what is shown is and since when, epoch milliseconds by the reader's clock. */
export interface Connection {
  readonly state: FreshnessState;
  readonly since: number;
}

/** What a derived value may depend on besides the record: nothing here is ever stored. */
export interface View {
  /** The reader's clock, epoch milliseconds. */
  readonly now: number;
  /** Absent when the record was handed over by property: then only the record itself speaks. */
  readonly connection?: Connection | undefined;
  /** The run the record belongs to, if one is known. */
  readonly run?: Run | undefined;
  /** When what runs under the record was last heard of, epoch milliseconds: a part that speaks speaks for the whole. */
  readonly heard?: number | undefined;
  /** Silence after which something live is called quiet, milliseconds. Default 30,000. */
  readonly quietAfter?: number | undefined;
}
