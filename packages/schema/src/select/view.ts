import type { Run } from '../wire/run.ts';

/** How the reader is connected to the source of what it shows. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'lost' | 'ended';

/** Connection state and since when, epoch milliseconds by the reader's clock. */
export interface Connection {
  readonly state: ConnectionState;
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
  /** Silence after which something live is called quiet, milliseconds. Default 30,000. */
  readonly quietAfter?: number | undefined;
}
