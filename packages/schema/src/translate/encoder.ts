import type { Dialect, Encoded } from '../dialect/dialect.ts';
import { SessionIndex } from '../reduce/session-index.ts';
import type { IndexLimits } from '../reduce/session-index.ts';
import type { ProgressEvent } from '../wire/event.ts';
import { mustBeDialect, sessionNamed } from './given.ts';

/** Writes the events of ONE session in order, with what the peer was told before. */
export interface Encoder<Frame> {
  /**
   * The frames for one event; none when the peer has no words for it, or when the ordering rules drop it (a late event
   * is not passed on). Never throws.
   */
  encode(event: ProgressEvent): Encoded<Frame>;
  /** The session as it stands after the newest event. Live: read it, do not change it. */
  readonly session: SessionIndex;
}

/**
 * An encoder for one session in this dialect. It keeps the session as it goes, bounded by `limits`, so that a peer whose
 * frames are whole gets whole frames. The session is named by its name or, as for a decoder, by `{ session }`. Throws a
 * TypeError when the dialect or the session is missing.
 */
export function createEncoder<Frame>(
  dialect: Dialect<Frame>,
  session: string | { readonly session: string },
  limits?: IndexLimits,
): Encoder<Frame> {
  mustBeDialect('createEncoder', dialect);
  const index = new SessionIndex(sessionNamed('createEncoder', session, `'chat-1' or { session: 'chat-1' }`), limits);
  return {
    session: index,
    encode(event) {
      // Written with the session as it stood; only then is it known whether the event moved anything.
      const frames = dialect.encode(event, index);
      return index.apply(event).outcome === 'applied' ? frames : [];
    },
  };
}
