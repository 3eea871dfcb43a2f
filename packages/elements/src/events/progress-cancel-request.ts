import type { Operation } from '@sitrep/schema';

/**
 * The reader asks to stop an operation. The page answers it; the element goes on showing what is true. Its button says that it was
 * asked, until there is an answer or ten seconds have passed, unless the page prevents the default.
 */
export class ProgressCancelRequestEvent extends Event {
  static readonly type = 'progress-cancel-request';
  /** What to stop. */
  readonly operation: Operation;

  constructor(operation: Operation) {
    super(ProgressCancelRequestEvent.type, { bubbles: true, composed: true, cancelable: true });
    this.operation = operation;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-cancel-request': ProgressCancelRequestEvent;
  }
}
