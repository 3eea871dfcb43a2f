import type { SessionState } from '../display/feed.ts';

/** The reader looks at how a session was, or is back at how it is. */
export class ProgressScrubEvent extends Event {
  static readonly type = 'progress-scrub';
  /** Position in the history of the session; undefined for now. */
  readonly seq: number | undefined;
  /** When that was, epoch milliseconds; undefined for now. */
  readonly at: number | undefined;
  /** The session as it stood then; undefined for now. */
  readonly session: SessionState | undefined;

  constructor(seq?: number, at?: number, session?: SessionState) {
    super(ProgressScrubEvent.type, { bubbles: true, composed: true });
    this.seq = seq;
    this.at = at;
    this.session = session;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-scrub': ProgressScrubEvent;
  }
}
