import { RESUMED_FOR } from './freshness.ts';
import type { Connection } from './view.ts';

/**
 * What a reader is told of the connection beside what is shown: it is being made again, it is lost and only a person can have it
 * made again, nothing has come over it for too long, or it is back and nothing is missing.
 */
export type Outage = 'reconnecting' | 'lost' | 'quiet' | 'back';

/** A break shorter than this is told to nobody, milliseconds. */
export const FLAP = 3_000;

/**
 * The outage to tell of, by the reader's clock; undefined while there is none. What is back is told for as long as a connection is
 * called resumed, and only after something was told before. The end of a stream that the server gave is no outage.
 *
 * @param told whether an outage is being told already
 */
export function outage(connection: Connection | undefined, now: number, told: boolean): Outage | undefined {
  switch (connection?.state) {
    case 'connecting':
    case 'reconnecting':
      return told || now - connection.since >= FLAP ? 'reconnecting' : undefined;
    case 'lost':
    case 'quiet':
      return connection.state;
    case 'live':
    case 'resumed':
      return told && now - connection.since < RESUMED_FOR ? 'back' : undefined;
    default:
      return undefined;
  }
}
