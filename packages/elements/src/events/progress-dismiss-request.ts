import type { CardRecord, Operation } from '@sitrep/schema';

/**
 * The reader asks to put away what is over: an operation, or, without one, the card of the session. The page answers it; the
 * element goes on showing what is there.
 */
export class ProgressDismissRequestEvent extends Event {
  static readonly type = 'progress-dismiss-request';
  /** What to put away; undefined for the card. */
  readonly operation: Operation | undefined;
  /** The card as the reader saw it; undefined for an operation, and where there is no card but only operations. */
  readonly card: CardRecord | undefined;
  /**
   * Revision of that card, to be sent as `expectedRevision`: a card written meanwhile must stay. Undefined where the page gave a card
   * without one.
   */
  readonly revision: number | undefined;

  constructor(what: { readonly operation?: Operation; readonly card?: CardRecord; readonly revision?: number | undefined }) {
    super(ProgressDismissRequestEvent.type, { bubbles: true, composed: true });
    this.operation = what.operation;
    this.card = what.card;
    this.revision = what.revision;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-dismiss-request': ProgressDismissRequestEvent;
  }
}
