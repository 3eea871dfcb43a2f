import type { Operation } from '@sitrep/schema';

/** The reader asks to go to a session, or to one operation in it. A link is followed unless the page prevents the default. */
export class ProgressOpenRequestEvent extends Event {
  static readonly type = 'progress-open-request';
  /** Key of the session. */
  readonly session: string;
  /** The operation it is about; undefined for the session as a whole. */
  readonly operation: Operation | undefined;

  constructor(session: string, operation?: Operation) {
    super(ProgressOpenRequestEvent.type, { bubbles: true, composed: true, cancelable: true });
    this.session = session;
    this.operation = operation;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-open-request': ProgressOpenRequestEvent;
  }
}
